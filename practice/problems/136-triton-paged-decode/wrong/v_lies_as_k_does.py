# V lies in memory as K does, so the strides of K are those of V
# V 和 K 在内存里排得一样，用 K 的步长就行

import torch
import triton
import triton.language as tl


@triton.jit
def slots_of(positions, inside, table, BLOCK_SIZE: tl.constexpr):
    """Block and offset of each position."""
    return tl.load(table + positions // BLOCK_SIZE, mask=inside, other=0).to(tl.int64), positions % BLOCK_SIZE


@triton.jit
def merged(m, total, acc, scores, v):
    """The running maximum, sum of weights and weighted sum, with one tile more."""
    m_new = tl.maximum(m, tl.max(scores, 1))
    shrink = tl.exp(m - m_new)
    p = tl.exp(scores - m_new[:, None])
    acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return m_new, total * shrink + tl.sum(p, 1), acc


@triton.heuristics({"ROWS": lambda a: max(16, triton.next_power_of_2(a["GROUP"]))})
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
    for start in range(0, seq_len, TILE):
        pos = start + tl.arange(0, TILE)
        inside = pos < seq_len
        block, slot = slots_of(pos, inside, tables_ptr + request * max_blocks, BLOCK_SIZE)
        owned = inside[:, None] & (dims < HEAD_DIM)[None, :]

        k_at = block * k_block + slot * k_slot + kv_head * k_head
        k = tl.load(k_ptr + k_at[:, None] + dims[None, :], mask=owned, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where(inside[None, :], scores, float("-inf"))

        v_at = block * v_block + slot * k_slot + kv_head * v_head
        v = tl.load(v_ptr + v_at[:, None] + dims[None, :], mask=owned, other=0.0)
        m, total, acc = merged(m, total, acc, scores, v)

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
        HEAD_DIM=head_dim,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return out
