"""What 138 asks for, one token and one query head at a time, in float64. Caches are numpy arrays, or only a few blocks
of them are there: `cache[block, offset, head]` is all that is asked."""

import numpy as np


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    out = np.zeros(q.shape)
    block_size, num_kv_heads = k_cache.shape[1:3]
    sharing = q.shape[1] // num_kv_heads
    for request, seq_len in enumerate(seq_lens):
        asking = range(query_start_loc[request], query_start_loc[request + 1])
        places = [(block_tables[request, p // block_size], p % block_size) for p in range(seq_len if asking else 0)]
        for kv_head in range(num_kv_heads if asking else 0):
            keys, values = (
                np.array([cache[block, offset, kv_head] for block, offset in places], "float64")
                for cache in (k_cache, v_cache)
            )
            for row in asking:
                seen = seq_len - (asking.stop - row) + 1
                for head in range(kv_head * sharing, (kv_head + 1) * sharing):
                    scores = keys[:seen] @ q[row, head].astype("float64") * scale
                    weights = np.exp(scores - scores.max())
                    out[row, head] = weights @ values[:seen] / weights.sum()
    return out.astype(q.dtype)
