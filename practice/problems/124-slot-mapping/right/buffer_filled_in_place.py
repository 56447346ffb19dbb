from itertools import pairwise


def slot_mapping(block_table, positions, block_size):
    slots = []
    for position in positions:
        index, offset = divmod(position, block_size)
        slots.append(block_table[index] * block_size + offset)
    return slots


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = [-1] * padded_to
    for table, (start, end) in zip(block_tables, pairwise(query_start_loc), strict=True):
        slots[start:end] = slot_mapping(table, positions[start:end], block_size)
    return slots
