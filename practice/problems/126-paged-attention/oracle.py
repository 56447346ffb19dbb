"""What 126 asks for, one query and one head at a time, in float64. Arguments are numpy arrays and lists."""

import numpy as np


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    out = np.zeros(q.shape)
    heads_that_share = q.shape[1] // k_cache.shape[2]
    for request, seq_len in enumerate(seq_lens):
        first, end = query_start_loc[request], query_start_loc[request + 1]
        keys = context(k_cache, block_tables[request], seq_len)
        values = context(v_cache, block_tables[request], seq_len)
        for row in range(first, end):
            sees = seq_len - (end - 1 - row)  # the last query sees all
            for head in range(q.shape[1]):
                shared = head // heads_that_share
                scores = np.array([np.dot(q[row, head].astype("float64"), key[shared]) for key in keys[:sees]]) * scale
                weights = np.exp(scores - scores.max())
                weights /= weights.sum()
                for weight, value in zip(weights, values[:sees], strict=True):
                    out[row, head] += weight * value[shared]
    return out.astype(q.dtype)


def context(cache, table, seq_len):
    """The keys, or values, of positions 0 to seq_len - 1, each [num_kv_heads, head_dim]."""
    block_size = cache.shape[1]
    return [cache[table[p // block_size], p % block_size].astype("float64") for p in range(seq_len)]
