# all tokens of a batch use the first request's block table
# 整个批次的 token 都查第一个请求的块表


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = slot_mapping(block_tables[0], positions, block_size) if positions else []
    return slots + [-1] * (padded_to - len(slots))
