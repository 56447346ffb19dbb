# an offset within a block always fits into 16 bits
# 块内偏移用 16 位总能存下


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + (p % block_size & 0xFFFF) for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
