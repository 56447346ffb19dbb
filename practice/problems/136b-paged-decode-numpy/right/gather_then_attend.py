import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """Gathers each context, and repeats KV heads for their query heads."""
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = []
    for queries, table, seq_len in zip(q, block_tables, seq_lens, strict=True):
        blocks = table[: -(-seq_len // block_size)]
        k, v = (cache[blocks].reshape(-1, num_kv_heads, q.shape[2])[:seq_len] for cache in (k_cache, v_cache))
        k, v = (part.astype("float64").repeat(q.shape[1] // num_kv_heads, axis=1) for part in (k, v))
        scores = (k * queries).sum(-1) * scale
        weights = np.exp(scores - scores.max(0))
        out.append(((weights / weights.sum(0))[..., None] * v).sum(0))
    return np.array(out).astype(q.dtype)
