# a request without new tokens has no row in block_tables, so the rows behind it move up
# 没有新 token 的请求在 block_tables 里不占行，后面的行依次前移


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    starts = sorted(set(query_start_loc))
    slots = []
    for table, start, end in zip(block_tables, starts, starts[1:], strict=False):
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
