"""Paged decode attention in Triton: one query per request, K and V read where they lie.

One program per request and KV head. It takes all query heads that share the KV head as the rows of one small matrix, so
that every key and value is read once and serves the whole group (GQA head packing), and walks the context in tiles of
positions. A position's block comes from the block table, its address from the block's number and the cache's strides;
nothing is gathered first. The softmax is kept online (Milakov and Gimelshein 2018; FlashAttention): a running maximum
and a running sum, and what was summed so far is scaled down whenever the maximum grows.

Read beside it: vLLM 0.33, v1/attention/ops/triton_unified_attention.py, whose tiles also cross block borders.
One program walks a whole context, so a small batch leaves a GPU idle: triton_split_kv.py divides the walk.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _decode(
    q,
    k_cache,
    v_cache,
    out,
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
    # 64-bit: number times stride passes 2^31 elements in caches of a few GiB.
    request, kv_head = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    rows, dims, steps = tl.arange(0, ROWS), tl.arange(0, DIM), tl.arange(0, TILE)
    real_row, real_dim = rows < GROUP, dims < HEAD_DIM
    real_q = real_row[:, None] & real_dim[None, :]

    heads = kv_head * GROUP + rows
    q_at = request * q_stride_request + heads[:, None] * q_stride_head + dims[None, :]
    queries = tl.load(q + q_at, mask=real_q, other=0.0)  # [ROWS, DIM]
    seq_len = tl.load(seq_lens + request)
    table = block_tables + request * table_stride_request

    highest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    summed = tl.zeros([ROWS, DIM], tl.float32)
    for first in range(0, seq_len, TILE):
        positions = first + steps
        inside = positions < seq_len  # at least one, so `highest` is finite after the first tile
        block = tl.load(table + positions // BLOCK_SIZE * table_stride_column, mask=inside, other=0).to(tl.int64)
        slot = (positions % BLOCK_SIZE).to(tl.int64)
        owned = inside[:, None] & real_dim[None, :]  # what lies past the context may be anything, NaN too

        k_at = block * k_stride_block + slot * k_stride_slot + kv_head * k_stride_head
        k = tl.load(k_cache + k_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        scores = tl.dot(queries, tl.trans(k), input_precision="ieee") * scale  # float32, [ROWS, TILE]
        scores = tl.where(inside[None, :], scores, float("-inf"))

        new_highest = tl.maximum(highest, tl.max(scores, 1))
        shrink = tl.exp(highest - new_highest)
        weights = tl.exp(scores - new_highest[:, None])

        v_at = block * v_stride_block + slot * v_stride_slot + kv_head * v_stride_head
        v = tl.load(v_cache + v_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        summed = summed * shrink[:, None] + tl.dot(weights.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(weights, 1)
        highest = new_highest

    out_at = (request * NUM_HEADS + heads[:, None]) * HEAD_DIM + dims[None, :]
    tl.store(out + out_at, (summed / total[:, None]).to(out.dtype.element_ty), mask=real_q)


def paged_decode(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Attention of one new token per request over its context, its own K and V included.

    q: [B, num_heads, head_dim], float16, bfloat16 or float32. num_heads is a multiple of num_kv_heads.
    k_cache, v_cache: [num_blocks, block_size, num_kv_heads, head_dim] in q's dtype, any strides but the last, which
        is 1 (as q's is).
    block_tables: [B, max_blocks] int32; entries past a request's context are not looked at.
    seq_lens: [B] int32 context lengths, each at least 1.
    scale: factor on the scores, usually head_dim ** -0.5.

    Returns a new [B, num_heads, head_dim] in q's dtype. Scores and sums are float32.
    """
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    _decode[(num_requests, num_kv_heads)](
        q,
        k_cache,
        v_cache,
        out,
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
    return out
