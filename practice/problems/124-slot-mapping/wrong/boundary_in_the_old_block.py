# a position right on a block boundary, such as block_size, lies in the block before it
# 刚好在块边界上的位置（比如 block_size）还属于前一个块


def slot_mapping(block_table, positions, block_size):
    return [block_table[max(0, p - 1) // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
