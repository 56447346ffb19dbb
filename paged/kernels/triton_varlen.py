"""Paged attention in Triton for any batch: decode, whole prompts and chunks of prompts in one launch.

The new tokens are cut into tiles that never cross a request. A tile's rows are its tokens times the query heads that
share a KV head, so a decode request fills a tile with its heads and a prompt with tokens and heads. How many tiles
request i needs is not known before the launch: the grid has query_start_loc[i] // TOKENS + i of them before its first,
never too few, and a program finds its request by binary search; the few programs too many return at once. This way
nothing has to come back from the GPU (vLLM 0.33, find_seq_idx in v1/attention/ops/triton_unified_attention.py).

The walk over K and V is that of triton_decode.py. It ends with the tile's last token, and each row sees the positions
up to its own.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _find_request(query_start_loc, tile, num_requests, TOKENS: tl.constexpr):
    """The request whose tiles `tile` is one of: the last one that begins at it or before."""
    low, high = 0, num_requests
    while high - low > 1:
        middle = (low + high) // 2
        if tl.load(query_start_loc + middle) // TOKENS + middle <= tile:
            low = middle
        else:
            high = middle
    return low


@triton.jit
def _attend(
    q,
    k_cache,
    v_cache,
    out,
    block_tables,
    seq_lens,
    query_start_loc,
    num_requests,
    scale,
    q_stride_token,
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
    TOKENS: tl.constexpr,  # new tokens per tile
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    ROWS: tl.constexpr,  # TOKENS * GROUP, rounded up to a power of two that tl.dot takes
    DIM: tl.constexpr,  # HEAD_DIM, rounded up to a power of two
    TILE: tl.constexpr,  # positions per step of the walk
):
    tile, kv_head = tl.program_id(0), tl.program_id(1).to(tl.int64)
    request = _find_request(query_start_loc, tile, num_requests, TOKENS)
    start, end = tl.load(query_start_loc + request), tl.load(query_start_loc + request + 1)
    first_token = (tile - start // TOKENS - request) * TOKENS  # within the request's new tokens
    num_new = end - start
    if first_token >= num_new:
        return

    rows, dims, steps = tl.arange(0, ROWS), tl.arange(0, DIM), tl.arange(0, TILE)
    tokens, heads = first_token + rows // GROUP, kv_head * GROUP + rows % GROUP
    real_row, real_dim = (rows < TOKENS * GROUP) & (tokens < num_new), dims < HEAD_DIM
    real_q = real_row[:, None] & real_dim[None, :]

    token_at = (start + tokens).to(tl.int64)
    q_at = token_at[:, None] * q_stride_token + heads[:, None] * q_stride_head + dims[None, :]
    queries = tl.load(q + q_at, mask=real_q, other=0.0)  # [ROWS, DIM]
    seq_len = tl.load(seq_lens + request)
    stands_at = seq_len - num_new + tokens  # each row's own position, the last that it sees
    walk_end = tl.minimum(seq_len - num_new + first_token + TOKENS, seq_len)
    table = block_tables + request.to(tl.int64) * table_stride_request

    highest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    summed = tl.zeros([ROWS, DIM], tl.float32)
    for first in range(0, walk_end, TILE):
        positions = first + steps
        inside = positions < walk_end
        block = tl.load(table + positions // BLOCK_SIZE * table_stride_column, mask=inside, other=0).to(tl.int64)
        slot = (positions % BLOCK_SIZE).to(tl.int64)
        owned = inside[:, None] & real_dim[None, :]

        k_at = block * k_stride_block + slot * k_stride_slot + kv_head * k_stride_head
        k = tl.load(k_cache + k_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        scores = tl.dot(queries, tl.trans(k), input_precision="ieee") * scale
        # Every row sees position 0, surplus rows too: `highest` is finite after the first tile.
        visible = inside[None, :] & (positions[None, :] <= stands_at[:, None])
        scores = tl.where(visible, scores, float("-inf"))

        new_highest = tl.maximum(highest, tl.max(scores, 1))
        shrink = tl.exp(highest - new_highest)
        weights = tl.exp(scores - new_highest[:, None])

        v_at = block * v_stride_block + slot * v_stride_slot + kv_head * v_stride_head
        v = tl.load(v_cache + v_at[:, None] + dims[None, :], mask=owned, other=0.0)  # [TILE, DIM]
        summed = summed * shrink[:, None] + tl.dot(weights.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(weights, 1)
        highest = new_highest

    out_at = (token_at[:, None] * NUM_HEADS + heads[:, None]) * HEAD_DIM + dims[None, :]
    tl.store(out + out_at, (summed / total[:, None]).to(out.dtype.element_ty), mask=real_q)


def paged_attention(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    query_start_loc: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    """Causal attention of N new tokens of B requests; their own K/V must already be in the cache.

    q: [N, num_heads, head_dim], float16, bfloat16 or float32. num_heads is a multiple of num_kv_heads.
    k_cache, v_cache: [num_blocks, block_size, num_kv_heads, head_dim] in q's dtype, any strides but the last, which
        is 1 (as q's is).
    block_tables: [B, max_blocks] int32; entries past a request's context are not looked at.
    seq_lens: [B] int32 context lengths, the new tokens included.
    query_start_loc: [B + 1] int32, from 0 to N. Request i's queries are q[query_start_loc[i]:query_start_loc[i + 1]],
        the last tokens of its context; a request may have none.
    scale: factor on the scores, usually head_dim ** -0.5.

    Returns a new [N, num_heads, head_dim] in q's dtype. Scores and sums are float32.
    """
    num_tokens, num_heads, head_dim = q.shape
    num_requests, (block_size, num_kv_heads) = len(seq_lens), k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    # Prompts reuse a tile of K for many rows. One token per request has only its group to fill a tile with.
    rows = max(64 if num_tokens > num_requests else 16, triton.next_power_of_2(group))
    tokens = rows // group
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    _attend[(num_tokens // tokens + num_requests, num_kv_heads)](
        q,
        k_cache,
        v_cache,
        out,
        block_tables,
        seq_lens,
        query_start_loc,
        num_requests,
        scale,
        *q.stride()[:2],
        *k_cache.stride()[:3],
        *v_cache.stride()[:3],
        *block_tables.stride(),
        NUM_HEADS=num_heads,
        GROUP=group,
        TOKENS=tokens,
        HEAD_DIM=head_dim,
        BLOCK_SIZE=block_size,
        ROWS=rows,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        TILE=64 if rows > 16 and head_dim <= 128 else 32,
        num_warps=8,
        num_stages=2,
    )
    return out
