"""What 125 asks for, slot after slot and token after token. The cache is a numpy array."""

import numpy as np


def write(cache, slot_mapping, values):
    due = dict(zip(slot_mapping.tolist(), values, strict=True))
    slot = 0
    for block in cache:
        for place in block:
            if slot in due:
                place[...] = due[slot]
            slot += 1


def gather(cache, block_table, seq_len):
    tokens = []
    for block in block_table:
        for place in cache[block]:
            if len(tokens) < seq_len:
                tokens.append(place.copy())
    return np.array(tokens, dtype=cache.dtype).reshape(seq_len, *cache.shape[2:])
