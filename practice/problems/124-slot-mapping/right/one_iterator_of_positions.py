from itertools import islice


def slot_mapping(block_table, positions, block_size):
    starts = [block * block_size for block in block_table]
    return [starts[position // block_size] + position % block_size for position in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    coming = iter(positions)
    slots = []
    for i in range(len(query_start_loc) - 1):
        count = query_start_loc[i + 1] - query_start_loc[i]
        if count:
            slots.extend(slot_mapping(block_tables[i], islice(coming, count), block_size))
    while len(slots) < padded_to:
        slots.append(-1)
    return slots
