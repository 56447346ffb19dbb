# query_start_loc has one entry per request, so its last entry is the start of the last request


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, (table, start) in enumerate(zip(block_tables, query_start_loc, strict=False)):
        end = query_start_loc[i + 1] if i + 1 < len(block_tables) else start + 1
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
