"""Paged decode with the context divided among programs: split-KV (flash-decoding).

With one program per request and KV head, a batch of two requests occupies a handful of a GPU's hundred-odd processors
and walks its long contexts on those alone. Here num_splits programs share each walk. The first kernel leaves a partial
result per split: the highest score, the sum of the weights, the weighted sum of V. The second merges them: each part is
scaled to the highest score of all. A split that got no positions leaves -inf, 0 and 0, and adds nothing.

Highest score and sum are kept apart, as vLLM 0.33 does (segm_max, segm_expsum in triton_unified_attention.py): added
into one log-sum-exp, a score of -50000 would leave the sum two digits of float32.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _partial(
    q,
    k_cache,
    v_cache,
    part_highest,
    part_total,
    part_summed,
    block_tables,
    seq_lens,
    scale,
    q_stride_request,
    q_stride_head,
    k_stride_block,
    k_stride_slot,
    k_stride_head,
    v_stride_block,
    v_stride_slot,
    v_stride_head,
    table_stride_request,
    table_stride_column,
    NUM_HEADS: tl.constexpr,
    GROUP: tl.constexpr,  # query heads per KV head
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    ROWS: tl.constexpr,  # GROUP, rounded up to a power of two that tl.dot takes
    DIM: tl.constexpr,  # HEAD_DIM, rounded up to a power of two
    TILE: tl.constexpr,  # positions per step of the walk
):
    request, kv_head, split = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64), tl.program_id(2)
    num_splits = tl.num_programs(2)
    rows, dims, steps = tl.arange(0, ROWS), tl.arange(0, DIM), tl.arange(0, TILE)
    real_row, real_dim = rows < GROUP, dims < HEAD_DIM
    real_q = real_row[:, None] & real_dim[None, :]

    heads = kv_head * GROUP + rows
    q_at = request * q_stride_request + heads[:, None] * q_stride_head + dims[None, :]
    queries = tl.load(q + q_at, mask=real_q, other=0.0)  # [ROWS, DIM]
    seq_len = tl.load(seq_lens + request)
    table = block_tables + request * table_stride_request

    # Whole tiles per split; the last splits of a short context get none.
    share = tl.cdiv(tl.cdiv(seq_len, TILE), num_splits) * TILE
    begin = split * share
    end = tl.minimum(begin + share, seq_len)

    highest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    summed = tl.zeros([ROWS, DIM], tl.float32)
    for first in range(begin, end, TILE):
        positions = first + steps
        inside = positions < end
        block = tl.load(table + positions // BLOCK_SIZE * table_stride_column, mask=inside, other=0).to(tl.int64)
        slot = (positions % BLOCK_SIZE).to(tl.int64)
        owned = inside[:, None] & real_dim[None, :]

        k_at = block * k_stride_block + slot * k_stride_slot + kv_head * k_stride_head
        k = tl.load(k_cache + k_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        scores = tl.dot(queries, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where(inside[None, :], scores, float("-inf"))

        new_highest = tl.maximum(highest, tl.max(scores, 1))
        shrink = tl.exp(highest - new_highest)
        weights = tl.exp(scores - new_highest[:, None])

        v_at = block * v_stride_block + slot * v_stride_slot + kv_head * v_stride_head
        v = tl.load(v_cache + v_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        summed = summed * shrink[:, None] + tl.dot(weights.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(weights, 1)
        highest = new_highest

    part = (request * NUM_HEADS + heads) * num_splits + split
    tl.store(part_highest + part, highest, mask=real_row)
    tl.store(part_total + part, total, mask=real_row)
    tl.store(part_summed + part[:, None] * HEAD_DIM + dims[None, :], summed, mask=real_q)


@triton.jit
def _merge(
    out,
    part_highest,
    part_total,
    part_summed,
    NUM_SPLITS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    SPLITS: tl.constexpr,  # NUM_SPLITS, rounded up to a power of two
    DIM: tl.constexpr,
):
    head = tl.program_id(0).to(tl.int64)  # of all heads of all requests
    splits, dims = tl.arange(0, SPLITS), tl.arange(0, DIM)
    real_split, real_dim = splits < NUM_SPLITS, dims < HEAD_DIM

    part = head * NUM_SPLITS + splits
    highest = tl.load(part_highest + part, mask=real_split, other=float("-inf"))
    total = tl.load(part_total + part, mask=real_split, other=0.0)
    summed_at = part_summed + part[:, None] * HEAD_DIM + dims[None, :]
    summed = tl.load(summed_at, mask=real_split[:, None] & real_dim[None, :], other=0.0)

    overall = tl.max(highest, 0)
    overall = tl.where(overall == float("-inf"), 0.0, overall)  # all parts empty: -inf - -inf would be NaN
    scaled = tl.exp(highest - overall)
    total = tl.sum(total * scaled, 0)
    result = tl.sum(summed * scaled[:, None], 0) / tl.where(total == 0.0, 1.0, total)
    tl.store(out + head * HEAD_DIM + dims, result.to(out.dtype.element_ty), mask=real_dim)


def merge(highest: torch.Tensor, total: torch.Tensor, summed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Partial results of S splits become one: a new [B, num_heads, head_dim] of `dtype`, 0 where all parts are empty.

    highest, total: [B, num_heads, S] float32, the highest score and the sum of exp(score - highest); -inf and 0 if the
        split has no positions.
    summed: [B, num_heads, S, head_dim] float32, the sum of exp(score - highest) * v. All three are contiguous.
    """
    num_requests, num_heads, num_splits, head_dim = summed.shape
    out = torch.empty((num_requests, num_heads, head_dim), dtype=dtype, device=summed.device)
    _merge[(num_requests * num_heads,)](
        out,
        highest,
        total,
        summed,
        NUM_SPLITS=num_splits,
        HEAD_DIM=head_dim,
        SPLITS=triton.next_power_of_2(num_splits),
        DIM=triton.next_power_of_2(head_dim),
    )
    return out


def paged_decode(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
    num_splits: int,
) -> torch.Tensor:
    """Attention of one new token per request over its context, each context walked by num_splits programs.

    Shapes and dtypes are those of triton_decode.paged_decode: q [B, num_heads, head_dim], k_cache and v_cache
    [num_blocks, block_size, num_kv_heads, head_dim], block_tables [B, max_blocks] int32, seq_lens [B] int32.
    num_splits: at least 1; the partial results take B * num_heads * num_splits * (head_dim + 2) float32.

    Returns a new [B, num_heads, head_dim] in q's dtype.
    """
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    parts = (num_requests, num_heads, num_splits)
    highest, total = (torch.empty(parts, dtype=torch.float32, device=q.device) for _ in range(2))
    summed = torch.empty((*parts, head_dim), dtype=torch.float32, device=q.device)
    _partial[(num_requests, num_kv_heads, num_splits)](
        q,
        k_cache,
        v_cache,
        highest,
        total,
        summed,
        block_tables,
        seq_lens,
        scale,
        *q.stride()[:2],
        *k_cache.stride()[:3],
        *v_cache.stride()[:3],
        *block_tables.stride(),
        NUM_HEADS=num_heads,
        GROUP=group,
        HEAD_DIM=head_dim,
        BLOCK_SIZE=block_size,
        ROWS=max(16, triton.next_power_of_2(group)),
        DIM=max(16, triton.next_power_of_2(head_dim)),
        TILE=64 if head_dim <= 128 else 32,
        num_warps=8,
        num_stages=2,
    )
    return merge(highest, total, summed, q.dtype)
