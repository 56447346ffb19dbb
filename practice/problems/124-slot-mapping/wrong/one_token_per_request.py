# every request has one new token, as in a pure decode batch
# 每个请求都只有一个新 token，就像纯解码的批次那样


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for table, position in zip(block_tables, positions, strict=False):
        slots += slot_mapping(table, [position], block_size)
    return slots + [-1] * (padded_to - len(slots))
