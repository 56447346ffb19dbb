# blocks lie one slot apart, so the slot is block + offset
# 槽位就是块号加块内偏移，块号不用乘 block_size


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
