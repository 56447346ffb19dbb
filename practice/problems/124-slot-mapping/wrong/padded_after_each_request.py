# every request is padded to as many tokens as the longest one has
# 每个请求后面都要填充，填到和最长的请求一样长

from itertools import pairwise


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    counts = [end - start for start, end in pairwise(query_start_loc)]
    slots = []
    for i, table in enumerate(block_tables):
        start = query_start_loc[i]
        slots += slot_mapping(table, positions[start : start + counts[i]], block_size)
        slots += [-1] * (max(counts) - counts[i])
    return slots + [-1] * (padded_to - len(slots))
