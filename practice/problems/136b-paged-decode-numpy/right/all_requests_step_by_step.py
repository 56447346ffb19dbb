import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """Step n takes the n-th block of every request that has one."""
    num_requests, _, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    rows = q.astype("float64").reshape(num_requests, num_kv_heads, -1, head_dim)
    highest, total = (np.full((*rows.shape[:3], 1), start) for start in (-np.inf, 0.0))
    summed = np.zeros(rows.shape)
    for n in range(-(-seq_lens.max() // block_size)):
        here = np.flatnonzero(seq_lens > n * block_size)
        real = n * block_size + np.arange(block_size) < seq_lens[here, None]
        blocks = block_tables[here, n]
        k, v = (np.where(real[..., None, None], cache[blocks], 0).astype("float64") for cache in (k_cache, v_cache))
        scores = np.einsum("bhgd,bshd->bhgs", rows[here], k) * scale
        scores = np.where(real[:, None, None, :], scores, -np.inf)
        new = np.maximum(highest[here], scores.max(-1, keepdims=True))
        shrink, weights = np.exp(highest[here] - new), np.exp(scores - new)
        total[here] = total[here] * shrink + weights.sum(-1, keepdims=True)
        summed[here] = summed[here] * shrink + np.einsum("bhgs,bshd->bhgd", weights, v)
        highest[here] = new
    return (summed / total).reshape(q.shape).astype(q.dtype)
