# row j of q belongs to row j of block_tables
# q 的第 j 行对应 block_tables 的第 j 行

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    out = torch.empty_like(q)
    for j in range(len(q)):
        i = min(j, len(seq_lens) - 1)
        sees = seq_lens[i]
        blocks = block_tables[i][: -(-sees // block_size)]
        k, v = (cache[blocks].flatten(0, 1)[:sees].float() for cache in (k_cache, v_cache))
        k, v = (x.repeat_interleave(q.shape[1] // num_kv_heads, 1) for x in (k, v))
        weights = (torch.einsum("hd,shd->hs", q[j].float(), k) * scale).softmax(-1)
        out[j] = torch.einsum("hs,shd->hd", weights, v).to(q.dtype)
    return out
