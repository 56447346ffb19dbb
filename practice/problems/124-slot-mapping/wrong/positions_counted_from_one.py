# positions are counted from 1, so 1 has to be taken off first
# 位置是从 1 数起的，所以要先减 1


def slot_mapping(block_table, positions, block_size):
    return [block_table[(p - 1) // block_size] * block_size + (p - 1) % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
