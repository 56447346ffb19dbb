# the length is rounded up to a multiple of padded_to, so no tokens need no padding
# 结果的长度只要凑成 padded_to 的倍数，没有 token 时就不用填充


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (-len(slots) % max(padded_to, 1))
