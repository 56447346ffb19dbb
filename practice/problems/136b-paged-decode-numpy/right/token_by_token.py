import math

import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """One position after the other, in Python's own numbers."""
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = np.zeros(q.shape, q.dtype)
    for i, head in np.ndindex(q.shape[:2]):
        kv_head, query = head * num_kv_heads // q.shape[1], q[i, head].astype("float64")
        highest, total, summed = -math.inf, 0.0, np.zeros(q.shape[2])
        for position in range(seq_lens[i]):
            place = block_tables[i, position // block_size], position % block_size, kv_head
            score = float(query @ k_cache[place].astype("float64")) * scale
            if score > highest:
                shrink = math.exp(highest - score)
                total, summed, highest = total * shrink, summed * shrink, score
            weight = math.exp(score - highest)
            total += weight
            summed += weight * v_cache[place].astype("float64")
        out[i, head] = summed / total
    return out
