# no request has more tiles than the longest, and one more for each of the others is enough
# 没有哪个请求的分片比最长的请求还多，其余的请求每个再多算一个分片就够了

import torch
import triton
import triton.language as tl


@triton.jit
def varlen_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    tables_ptr,
    lens_ptr,
    starts_ptr,
    num_requests,
    scale,
    max_blocks,
    k_block,
    k_slot,
    k_head,
    v_block,
    v_slot,
    v_head,
    GROUP: tl.constexpr,
    TOKENS: tl.constexpr,
    ROWS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,
):
    tile, kv_head = tl.program_id(0), tl.program_id(1)
    num_heads = tl.num_programs(1) * GROUP
    request, after = 0, num_requests
    while after - request > 1:
        middle = (request + after) // 2
        if tl.load(starts_ptr + middle) // TOKENS + middle <= tile:
            request = middle
        else:
            after = middle
    start = tl.load(starts_ptr + request)
    num_new = tl.load(starts_ptr + request + 1) - start
    first_token = (tile - start // TOKENS - request) * TOKENS
    if first_token >= num_new:
        return

    rows, dims = tl.arange(0, ROWS), tl.arange(0, DIM)
    tokens = first_token + rows // GROUP
    heads = kv_head * GROUP + rows % GROUP
    real = ((rows < TOKENS * GROUP) & (tokens < num_new))[:, None] & (dims < HEAD_DIM)[None, :]
    at = ((start + tokens) * num_heads + heads)[:, None] * HEAD_DIM + dims[None, :]
    q = tl.load(q_ptr + at, mask=real, other=0.0)
    seq_len = tl.load(lens_ptr + request)
    own = seq_len - num_new + tokens
    end = tl.minimum(seq_len - num_new + first_token + TOKENS, seq_len)

    m = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, DIM], tl.float32)
    for first in range(0, end, TILE):
        pos = first + tl.arange(0, TILE)
        inside = pos < end
        block = tl.load(tables_ptr + request * max_blocks + pos // BLOCK_SIZE, mask=inside, other=0).to(tl.int64)
        slot = pos % BLOCK_SIZE
        owned = inside[:, None] & (dims < HEAD_DIM)[None, :]

        k_at = block * k_block + slot * k_slot + kv_head * k_head
        k = tl.load(k_ptr + k_at[:, None] + dims[None, :], mask=owned, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        seen = inside[None, :] & (pos[None, :] <= own[:, None])
        scores = tl.where(seen, scores, float("-inf"))

        m_new = tl.maximum(m, tl.max(scores, 1))
        shrink = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])

        v_at = block * v_block + slot * v_slot + kv_head * v_head
        v = tl.load(v_ptr + v_at[:, None] + dims[None, :], mask=owned, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(p, 1)
        m = m_new

    tl.store(out_ptr + at, (acc / total[:, None]).to(out_ptr.dtype.element_ty), mask=real)


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    num_heads, head_dim = q.shape[1:]
    num_requests = len(seq_lens)
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    rows = max(64, triton.next_power_of_2(group))
    tokens = rows // group
    out = torch.empty_like(q)
    longest = int(query_start_loc.diff().max()) if num_requests else 0
    varlen_kernel[(longest // tokens + num_requests, num_kv_heads)](
        q,
        k_cache,
        v_cache,
        out,
        block_tables,
        seq_lens,
        query_start_loc,
        num_requests,
        scale,
        block_tables.shape[1],
        *k_cache.stride()[:3],
        *v_cache.stride()[:3],
        GROUP=group,
        TOKENS=tokens,
        ROWS=rows,
        HEAD_DIM=head_dim,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return out
