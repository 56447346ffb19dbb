import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    """One batch of B contexts, all padded to the width of the table. What lies behind a context is taken out of the
    values as well, since a weight of 0 times NaN is NaN."""
    if q.shape[0] == 0:
        return torch.empty_like(q)
    tables = torch.tensor(block_tables).clamp(min=0)
    lengths, starts = torch.tensor(seq_lens), torch.tensor(query_start_loc)
    counts = starts.diff()
    request = torch.arange(len(seq_lens)).repeat_interleave(counts)
    position = torch.arange(len(q)) - starts[request] + (lengths - counts)[request]

    group = q.shape[1] // k_cache.shape[2]
    k, v = (cache[tables].flatten(1, 2).float() for cache in (k_cache, v_cache))  # [B, S, n_kv, D]
    there = torch.arange(k.shape[1]) < lengths[:, None]
    v = v.masked_fill(~there[..., None, None], 0.0)
    k, v = (x.repeat_interleave(group, 2)[request] for x in (k, v))  # [N, S, heads, D]
    scores = torch.einsum("nhd,nshd->nhs", q.float(), k) * scale
    visible = torch.arange(k.shape[1]) <= position[:, None]
    weights = torch.where(visible[:, None], scores, -torch.inf).softmax(-1)
    return torch.einsum("nhs,nshd->nhd", weights, v).to(q.dtype)
