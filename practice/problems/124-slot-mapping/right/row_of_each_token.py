from itertools import chain, pairwise, repeat


def slot_mapping(block_table, positions, block_size):
    return list(map(lambda p: block_table[p // block_size] * block_size + p % block_size, positions))


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    """Repeats each row once per token of its request, so that rows and positions go side by side."""
    counts = [end - start for start, end in pairwise(query_start_loc)]
    rows = chain.from_iterable(map(repeat, block_tables, counts))
    slots = [slot_mapping(row, [position], block_size)[0] for row, position in zip(rows, positions, strict=True)]
    slots.extend(repeat(-1, padded_to - len(slots)))
    return slots
