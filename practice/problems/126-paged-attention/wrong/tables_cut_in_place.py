# entries that a context does not need can be cut off the tables themselves
# 上下文用不到的项，可以直接从传进来的块表里删掉

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = torch.empty_like(q)
    for i, seq_len in enumerate(seq_lens):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        num_new = end - start
        blocks = block_tables[i]
        del blocks[-(-seq_len // block_size) :]
        k, v = (cache[blocks].flatten(0, 1)[:seq_len].float() for cache in (k_cache, v_cache))
        k, v = (x.repeat_interleave(q.shape[1] // num_kv_heads, 1) for x in (k, v))
        scores = torch.einsum("thd,shd->hts", q[start:end].float(), k) * scale
        visible = torch.ones(num_new, seq_len, dtype=torch.bool).tril(seq_len - num_new)
        weights = scores.masked_fill(~visible, float("-inf")).softmax(-1)
        out[start:end] = torch.einsum("hts,shd->thd", weights, v).to(q.dtype)
    return out
