# offsets within a block count from 1, so every slot lies one further on
# 块内偏移从 1 数起，所以槽位还要再加 1


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size + 1 for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
