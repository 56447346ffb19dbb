# one list can be filled anew and returned at every call
# 每次调用都可以重填同一个列表再返回

SLOTS = []


def slot_mapping(block_table, positions, block_size):
    SLOTS.clear()
    SLOTS.extend(block_table[p // block_size] * block_size + p % block_size for p in positions)
    return SLOTS


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for table, start, end in zip(block_tables, query_start_loc, query_start_loc[1:], strict=False):
        slots += slot_mapping(table, positions[start:end], block_size)
    SLOTS[:] = slots + [-1] * (padded_to - len(slots))
    return SLOTS
