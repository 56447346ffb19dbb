"""What 136b asks for, one query head at a time, in float64."""

import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    out = np.zeros(q.shape)
    block_size, num_kv_heads = k_cache.shape[1:3]
    sharing = q.shape[1] // num_kv_heads
    for request, seq_len in enumerate(seq_lens):
        places = [(block_tables[request, p // block_size], p % block_size) for p in range(seq_len)]
        for head in range(q.shape[1]):
            keys = np.array([k_cache[block, offset, head // sharing] for block, offset in places], "float64")
            values = np.array([v_cache[block, offset, head // sharing] for block, offset in places], "float64")
            scores = keys @ q[request, head].astype("float64") * scale
            weights = np.exp(scores - scores.max())
            out[request, head] = weights @ values / weights.sum()
    return out.astype(q.dtype)
