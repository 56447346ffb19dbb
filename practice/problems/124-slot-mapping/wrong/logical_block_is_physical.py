# a position's block number is already the block in memory, so the slot is the position
# 位置除以 block_size 就是显存里的块号，所以槽位等于位置


def slot_mapping(block_table, positions, block_size):
    return [p // block_size * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
