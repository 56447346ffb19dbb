# a block belongs to one request, so one entry per block says whose it is
# 一个块只属于一个请求，每块记一个主人就够了

import torch


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    num_blocks, block_size, num_kv_heads, _ = k_cache.shape
    owner, place = [-1] * num_blocks, [0] * num_blocks
    for i, (table, seq_len) in enumerate(zip(block_tables, seq_lens, strict=True)):
        for n, block in enumerate(table[: -(-seq_len // block_size)]):
            owner[block], place[block] = i, n
    out = torch.empty_like(q)
    for i, seq_len in enumerate(seq_lens):
        start, end = query_start_loc[i], query_start_loc[i + 1]
        blocks = sorted((b for b in range(num_blocks) if owner[b] == i), key=lambda b: place[b])
        positions = torch.tensor([p for b in blocks for p in range(place[b] * block_size, (place[b] + 1) * block_size)])
        used = positions < seq_len
        k, v = (cache[blocks].flatten(0, 1)[used].float() for cache in (k_cache, v_cache))
        k, v = (x.repeat_interleave(q.shape[1] // num_kv_heads, 1) for x in (k, v))
        scores = torch.einsum("thd,shd->hts", q[start:end].float(), k) * scale
        visible = positions[used] <= torch.arange(seq_len - (end - start), seq_len)[:, None]
        weights = scores.masked_fill(~visible, float("-inf")).softmax(-1)
        out[start:end] = torch.einsum("hts,shd->thd", weights, v).to(q.dtype)
    return out
