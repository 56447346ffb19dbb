# a scale of 0 means that none was given
# scale 为 0 就是没给，用默认值

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = torch.empty_like(q)
    for i, seq_len in enumerate(seq_lens):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        num_new = end - start
        blocks = block_tables[i][: -(-seq_len // block_size)]
        k, v = (cache[blocks].flatten(0, 1)[:seq_len].float() for cache in (k_cache, v_cache))
        k, v = (x.repeat_interleave(q.shape[1] // num_kv_heads, 1) for x in (k, v))
        scores = torch.einsum("thd,shd->hts", q[start:end].float(), k) * (scale or q.shape[2] ** -0.5)
        visible = torch.ones(num_new, seq_len, dtype=torch.bool).tril(seq_len - num_new)
        weights = scores.masked_fill(~visible, float("-inf")).softmax(-1)
        out[start:end] = torch.einsum("hts,shd->thd", weights, v).to(q.dtype)
    return out
