# the result is the mean of the results of the blocks
# 结果就是各块结果的平均

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = q.shape[1] // num_kv_heads
    out = torch.empty_like(q)
    for i, seq_len in enumerate(seq_lens):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        for row in range(start, end):
            sees = seq_len - (end - 1 - row)
            results = []
            for first in range(0, sees, block_size):
                block = block_tables[i][first // block_size]
                k, v = (c[block, : sees - first].float().repeat_interleave(group, 1) for c in (k_cache, v_cache))
                weights = (torch.einsum("hd,shd->hs", q[row].float(), k) * scale).softmax(-1)
                results.append(torch.einsum("hs,shd->hd", weights, v))
            out[row] = torch.stack(results).mean(0).to(q.dtype)
    return out
