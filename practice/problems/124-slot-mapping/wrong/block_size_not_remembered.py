# the same table and positions have the same slots, so they can be remembered
# 块表和位置都相同，槽位就相同，记下来就行

SEEN = {}


def slot_mapping(block_table, positions, block_size):
    key = tuple(block_table), tuple(positions)
    if key not in SEEN:
        SEEN[key] = [block_table[p // block_size] * block_size + p % block_size for p in positions]
    return list(SEEN[key])


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for table, start, end in zip(block_tables, query_start_loc, query_start_loc[1:], strict=False):
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
