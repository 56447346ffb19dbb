import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    """Plain matrices: one request, one KV head, and the query heads that share it."""
    out = q.clone()
    size = k_cache.shape[1]
    group = q.shape[1] // k_cache.shape[2]
    for i, seq_len in enumerate(seq_lens):
        rows = slice(query_start_loc[i], query_start_loc[i + 1])
        slots = [block_tables[i][p // size] * size + p % size for p in range(seq_len)]
        future = seq_len - (rows.stop - rows.start) + 1
        for head in range(q.shape[1]):
            keys, values = (cache[:, :, head // group].flatten(0, 1)[slots].double() for cache in (k_cache, v_cache))
            scores = q[rows, head].double() @ keys.T * scale
            scores += torch.full_like(scores, float("-inf")).triu(future)
            out[rows, head] = (torch.softmax(scores, dim=1) @ values).to(q.dtype)
    return out
