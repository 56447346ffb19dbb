# programs run in the order of their numbers, so the last part's program finds what the others have stored
# program 按编号依次运行，所以最后一段的 program 能看到其他段存好的结果

import torch
import triton
import triton.language as tl


@triton.jit
def part_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    m_ptr,
    total_ptr,
    acc_ptr,
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
    request, kv_head, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    num_splits = tl.num_programs(2)
    rows, dims = tl.arange(0, ROWS), tl.arange(0, DIM)
    row = request * tl.num_programs(1) * GROUP + kv_head * GROUP + rows
    real = (rows < GROUP)[:, None] & (dims < HEAD_DIM)[None, :]
    q = tl.load(q_ptr + row[:, None] * HEAD_DIM + dims[None, :], mask=real, other=0.0)
    seq_len = tl.load(lens_ptr + request)
    share = tl.cdiv(seq_len, num_splits)
    begin = split * share
    end = tl.minimum(begin + share, seq_len)

    m = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, DIM], tl.float32)
    for start in range(begin, end, TILE):
        pos = start + tl.arange(0, TILE)
        inside = pos < end
        block = tl.load(tables_ptr + request * max_blocks + pos // BLOCK_SIZE, mask=inside, other=0).to(tl.int64)
        slot = pos % BLOCK_SIZE
        owned = inside[:, None] & (dims < HEAD_DIM)[None, :]

        k_at = block * k_block + slot * k_slot + kv_head * k_head
        k = tl.load(k_ptr + k_at[:, None] + dims[None, :], mask=owned, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where(inside[None, :], scores, float("-inf"))

        m_new = tl.maximum(m, tl.max(scores, 1))
        shrink = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])

        v_at = block * v_block + slot * v_slot + kv_head * v_head
        v = tl.load(v_ptr + v_at[:, None] + dims[None, :], mask=owned, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(p, 1)
        m = m_new

    part = row * num_splits + split
    tl.store(m_ptr + part, m, mask=rows < GROUP)
    tl.store(total_ptr + part, total, mask=rows < GROUP)
    tl.store(acc_ptr + part[:, None] * HEAD_DIM + dims[None, :], acc, mask=real)
    if split == num_splits - 1:
        highest = tl.full([ROWS], float("-inf"), tl.float32)
        total = tl.zeros([ROWS], tl.float32)
        acc = tl.zeros([ROWS, DIM], tl.float32)
        for s in range(0, num_splits):
            other = row * num_splits + s
            m = tl.load(m_ptr + other, mask=rows < GROUP, other=0.0)
            new = tl.maximum(highest, m)
            shift = tl.where(new == float("-inf"), 0.0, new)
            a, b = tl.exp(highest - shift), tl.exp(m - shift)
            total = total * a + b * tl.load(total_ptr + other, mask=rows < GROUP, other=0.0)
            values = tl.load(acc_ptr + other[:, None] * HEAD_DIM + dims[None, :], mask=real, other=0.0)
            acc = acc * a[:, None] + values * b[:, None]
            highest = new
        result = acc / tl.where(total == 0.0, 1.0, total)[:, None]
        tl.store(out_ptr + row[:, None] * HEAD_DIM + dims[None, :], result.to(out_ptr.dtype.element_ty), mask=real)


@triton.jit
def merge_kernel(
    m_ptr,
    total_ptr,
    acc_ptr,
    out_ptr,
    NUM_SPLITS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
):
    row = tl.program_id(0)
    SPLITS: tl.constexpr = triton.next_power_of_2(NUM_SPLITS)
    splits, dims = tl.arange(0, SPLITS), tl.arange(0, DIM)
    real = splits < NUM_SPLITS
    part = row * NUM_SPLITS + splits
    m = tl.load(m_ptr + part, mask=real, other=float("-inf"))
    total = tl.load(total_ptr + part, mask=real, other=0.0)
    acc_at = acc_ptr + part[:, None] * HEAD_DIM + dims[None, :]
    acc = tl.load(acc_at, mask=real[:, None] & (dims < HEAD_DIM)[None, :], other=0.0)

    highest = tl.max(m, 0)
    highest = tl.where(highest == float("-inf"), 0.0, highest)
    shrink = tl.exp(m - highest)
    total = tl.sum(total * shrink, 0)
    result = tl.sum(acc * shrink[:, None], 0) / tl.where(total == 0.0, 1.0, total)
    tl.store(out_ptr + row * HEAD_DIM + dims, result.to(out_ptr.dtype.element_ty), mask=dims < HEAD_DIM)


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale, num_splits):
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    dim = max(16, triton.next_power_of_2(head_dim))
    m = torch.empty(num_requests, num_heads, num_splits, device=q.device)
    total = torch.empty_like(m)
    acc = torch.empty(num_requests, num_heads, num_splits, head_dim, device=q.device)
    out = torch.empty_like(q)
    part_kernel[(num_requests, num_kv_heads, num_splits)](
        q,
        k_cache,
        v_cache,
        m,
        total,
        acc,
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
        DIM=dim,
        BLOCK_SIZE=block_size,
        TILE=32,
    )
    return out
