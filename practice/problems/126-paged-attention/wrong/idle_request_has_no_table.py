# a request without queries has no row in block_tables and seq_lens, so the rows behind it move up
# 没有 query 的请求在 block_tables 和 seq_lens 里不占行，后面的行依次前移

from itertools import pairwise

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = torch.empty_like(q)
    starts = sorted(set(query_start_loc))
    for i, (start, end) in enumerate(pairwise(starts)):
        seq_len = seq_lens[i]
        num_new = end - start
        blocks = block_tables[i][: -(-seq_len // block_size)]
        k, v = (cache[blocks].flatten(0, 1)[:seq_len].float() for cache in (k_cache, v_cache))
        k, v = (x.repeat_interleave(q.shape[1] // num_kv_heads, 1) for x in (k, v))
        scores = torch.einsum("thd,shd->hts", q[start:end].float(), k) * scale
        visible = torch.ones(num_new, seq_len, dtype=torch.bool).tril(seq_len - num_new)
        weights = scores.masked_fill(~visible, float("-inf")).softmax(-1)
        out[start:end] = torch.einsum("hts,shd->thd", weights, v).to(q.dtype)
    return out
