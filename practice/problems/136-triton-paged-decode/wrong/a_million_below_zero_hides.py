# no score is as low as -1,000,000, so this hides a position as well as -inf does
# 分数不会低到 -1,000,000，所以用它遮住一个位置，和 -inf 一样

import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    tables_ptr,
    lens_ptr,
    scale,
    max_blocks,
    k_block,
    k_slot,
    k_head,
    v_block,
    v_slot,
    v_head,
    GROUP: tl.constexpr,
    ROWS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,
):
    request, kv_head = tl.program_id(0), tl.program_id(1)
    rows, dims = tl.arange(0, ROWS), tl.arange(0, DIM)
    heads = kv_head * GROUP + rows
    num_heads = tl.num_programs(1) * GROUP
    at = (request * num_heads + heads)[:, None] * HEAD_DIM + dims[None, :]
    real = (rows < GROUP)[:, None] & (dims < HEAD_DIM)[None, :]
    q = tl.load(q_ptr + at, mask=real, other=0.0)
    seq_len = tl.load(lens_ptr + request)

    m = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, DIM], tl.float32)
    start = 0
    while start < seq_len:
        pos = start + tl.arange(0, TILE)
        inside = pos < seq_len
        block = tl.load(tables_ptr + request * max_blocks + pos // BLOCK_SIZE, mask=inside, other=0).to(tl.int64)
        slot = pos % BLOCK_SIZE
        owned = inside[:, None] & (dims < HEAD_DIM)[None, :]

        k_at = block * k_block + slot * k_slot + kv_head * k_head
        k = tl.load(k_ptr + k_at[:, None] + dims[None, :], mask=owned, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where(inside[None, :], scores, -1.0e6)

        m_new = tl.maximum(m, tl.max(scores, 1))
        shrink = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])

        v_at = block * v_block + slot * v_slot + kv_head * v_head
        v = tl.load(v_ptr + v_at[:, None] + dims[None, :], mask=owned, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(p, 1)
        m = m_new
        start += TILE

    tl.store(out_ptr + at, (acc / total[:, None]).to(out_ptr.dtype.element_ty), mask=real)


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    out = torch.empty_like(q)
    decode_kernel[(num_requests, num_kv_heads)](
        q,
        k_cache,
        v_cache,
        out,
        block_tables,
        seq_lens,
        scale,
        block_tables.shape[1],
        *k_cache.stride()[:3],
        *v_cache.stride()[:3],
        GROUP=group,
        ROWS=max(16, triton.next_power_of_2(group)),
        HEAD_DIM=head_dim,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return out
