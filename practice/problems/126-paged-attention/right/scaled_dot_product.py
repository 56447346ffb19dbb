import torch
import torch.nn.functional as F


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    """PyTorch's own attention, one request at a time, with a mask that is aligned at the bottom right."""
    out = torch.empty_like(q)
    block_size = k_cache.shape[1]
    group = q.shape[1] // k_cache.shape[2]
    for i, (table, seq_len) in enumerate(zip(block_tables, seq_lens, strict=True)):
        start, end = query_start_loc[i : i + 2]
        if start == end:
            continue
        positions = torch.arange(seq_len)
        blocks, offsets = torch.tensor(table)[positions // block_size], positions % block_size
        k, v = (cache[blocks, offsets].float().repeat_interleave(group, 1) for cache in (k_cache, v_cache))
        visible = positions[None, :] <= torch.arange(seq_len - (end - start), seq_len)[:, None]
        heads_first = [x.transpose(0, 1)[None] for x in (q[start:end].float(), k, v)]
        attended = F.scaled_dot_product_attention(*heads_first, attn_mask=visible, scale=scale)
        out[start:end] = attended[0].transpose(0, 1).to(q.dtype)
    return out
