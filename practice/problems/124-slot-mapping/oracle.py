"""What 124 asks for without dividing: walk through the table block by block until the position is reached."""


def slot_mapping(block_table, positions, block_size):
    return [_slot(block_table, position, block_size) for position in positions]


def _slot(block_table, position, block_size):
    first = 0
    for block in block_table:
        if position < first + block_size:
            return block * block_size + position - first
        first += block_size
    raise AssertionError(f"position {position} lies behind the table {block_table} with blocks of {block_size}")


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = [-1] * padded_to
    for token, position in enumerate(positions):
        [request] = [i for i in range(len(block_tables)) if query_start_loc[i] <= token < query_start_loc[i + 1]]
        slots[token] = _slot(block_tables[request], position, block_size)
    return slots
