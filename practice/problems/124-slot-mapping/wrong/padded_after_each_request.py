# Every request is padded, to the number of tokens of the longest one

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
