# a block number is multiplied by the number of blocks in the table, not by block_size
# 块号要乘的是块表的长度，而不是 block_size


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * len(block_table) + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
