# a request lies in one piece from its first block on
# 一个请求的槽位从块表的第一块起，一路连续往下排


def slot_mapping(block_table, positions, block_size):
    return [block_table[0] * block_size + p for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for i, table in enumerate(block_tables):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        slots += slot_mapping(table, positions[start:end], block_size)
    return slots + [-1] * (padded_to - len(slots))
