# the list of positions is used up, request by request
# positions 按请求一段一段取走，用完就空了


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        num_new = query_start_loc[i + 1] - query_start_loc[i]
        slots += slot_mapping(table, [positions.pop(0) for _ in range(num_new)], block_size)
    return slots + [-1] * (padded_to - len(slots))
