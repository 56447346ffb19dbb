# each block's weights are relative to that block's own maximum
# 每个块的权重只相对于它自己的最大值

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = q.shape[1] // num_kv_heads
    out = torch.empty_like(q)
    for i, seq_len in enumerate(seq_lens):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        for row in range(start, end):
            sees = seq_len - (end - 1 - row)
            total, mixed = torch.zeros(q.shape[1]), torch.zeros(q.shape[1:])
            for first in range(0, sees, block_size):
                block = block_tables[i][first // block_size]
                k, v = (c[block, : sees - first].float().repeat_interleave(group, 1) for c in (k_cache, v_cache))
                scores = torch.einsum("hd,shd->hs", q[row].float(), k) * scale
                new = scores.amax(1)
                weights = (scores - new[:, None]).exp()
                total = total + weights.sum(1)
                mixed = mixed + torch.einsum("hs,shd->hd", weights, v)
            out[row] = (mixed / total[:, None]).to(q.dtype)
    return out
