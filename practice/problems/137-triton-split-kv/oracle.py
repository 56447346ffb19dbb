"""What 137 asks for, one query head at a time and in one piece, in float64: splitting a walk changes no result. Caches
are numpy arrays, or only a few blocks of them are there: `cache[block, offset, head]` is all that is asked."""

import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale, num_splits):
    out = np.zeros(q.shape)
    block_size, num_kv_heads = k_cache.shape[1:3]
    sharing = q.shape[1] // num_kv_heads
    for request, head in np.ndindex(q.shape[:2]):
        places = [divmod(p, block_size) for p in range(seq_lens[request])]
        slots = [(block_tables[request, column], offset, head // sharing) for column, offset in places]
        if slots:
            keys, values = (np.array([cache[slot] for slot in slots], "float64") for cache in (k_cache, v_cache))
            scores = keys @ q[request, head].astype("float64") * scale
            weights = np.exp(scores - scores.max())
            out[request, head] = weights @ values / weights.sum()
    return out.astype(q.dtype)
