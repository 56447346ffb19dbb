"""What 134 asks for, token after token and without dividing: walk through the table until the position is reached."""

import numpy as np


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = np.full(padded_to, -1, "int64")
    for token, position in enumerate(positions):
        [request] = [i for i in range(len(block_tables)) if query_start_loc[i] <= token < query_start_loc[i + 1]]
        first = 0
        for block in block_tables[request]:
            if position < first + block_size:
                slots[token] = int(block) * block_size + position - first
                break
            first += block_size
    return slots
