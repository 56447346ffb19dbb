import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    """Nothing is gathered: every query scores the whole pool, and sees the slots that its request has."""
    out = torch.empty_like(q)
    num_blocks, block_size, num_kv_heads, _ = k_cache.shape
    for i, (table, seq_len) in enumerate(zip(block_tables, seq_lens, strict=True)):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        position = torch.full((num_blocks, block_size), -1)  # of the token in each slot; -1 where it is not ours
        for p in range(seq_len):
            position[table[p // block_size], p % block_size] = p
        ours = position >= 0
        k, v = (torch.where(ours[..., None, None], cache, 0).flatten(0, 1).float() for cache in (k_cache, v_cache))
        for row in range(start, end):
            visible = (ours & (position < seq_len - (end - 1 - row))).flatten()
            queries = q[row].float().unflatten(0, (num_kv_heads, -1))
            scores = torch.einsum("kgd,skd->kgs", queries, k) * scale
            scores[..., ~visible] = float("-inf")
            out[row] = torch.einsum("kgs,skd->kgd", scores.softmax(-1), v).flatten(0, 1).to(q.dtype)
    return out
