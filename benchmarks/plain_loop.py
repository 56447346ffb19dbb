"""The yardstick of benchmarks/attention.py: paged attention as one writes it first. Frozen, so that figures compare.

Each request's blocks are gathered, K and V repeated once per query head, and scores, mask, softmax and sum done as five
calls. It takes what attention_over takes, lists and no checks, and is not the library's reference, which may change.
"""

import torch


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: list[int],
    query_start_loc: list[int],
    scale: float,
) -> torch.Tensor:
    """q [N, num_heads, head_dim]; caches [num_blocks, block_size, num_kv_heads, head_dim]; returns as q."""
    out = torch.empty_like(q)
    block_size, num_kv_heads = k_cache.shape[1:3]
    repeats = q.shape[1] // num_kv_heads
    for i, seq_len in enumerate(seq_lens):
        rows = slice(query_start_loc[i], query_start_loc[i + 1])
        num_new = rows.stop - rows.start
        blocks = block_tables[i][: -(-seq_len // block_size)]
        k = k_cache[blocks].flatten(0, 1)[:seq_len].repeat_interleave(repeats, dim=1)
        v = v_cache[blocks].flatten(0, 1)[:seq_len].repeat_interleave(repeats, dim=1)
        scores = torch.einsum("thd,shd->hts", q[rows], k) * scale
        visible = torch.ones(num_new, seq_len, dtype=torch.bool).tril(seq_len - num_new)
        weights = scores.masked_fill(~visible, float("-inf")).float().softmax(-1).to(q.dtype)
        out[rows] = torch.einsum("hts,shd->thd", weights, v)
    return out
