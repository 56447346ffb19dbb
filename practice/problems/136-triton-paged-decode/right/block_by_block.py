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
    SLOTS: tl.constexpr,
):
    """One block of the table per step."""
    request, kv_head = tl.program_id(0), tl.program_id(1)
    rows, dims, slots = tl.arange(0, ROWS), tl.arange(0, DIM), tl.arange(0, SLOTS)
    heads = kv_head * GROUP + rows
    at = (request * tl.num_programs(1) * GROUP + heads)[:, None] * HEAD_DIM + dims[None, :]
    real = (rows < GROUP)[:, None] & (dims < HEAD_DIM)[None, :]
    q = tl.load(q_ptr + at, mask=real, other=0.0)
    seq_len = tl.load(lens_ptr + request)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, DIM], tl.float32)
    for number in range(0, tl.cdiv(seq_len, BLOCK_SIZE)):
        block = tl.load(tables_ptr + request * max_blocks + number).to(tl.int64)
        inside = (slots < BLOCK_SIZE) & (number * BLOCK_SIZE + slots < seq_len)
        owned = inside[:, None] & (dims < HEAD_DIM)[None, :]
        k_at = block * k_block + kv_head * k_head + slots[:, None] * k_slot + dims[None, :]
        v_at = block * v_block + kv_head * v_head + slots[:, None] * v_slot + dims[None, :]
        k = tl.load(k_ptr + k_at, mask=owned, other=0.0)
        v = tl.load(v_ptr + v_at, mask=owned, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where(inside[None, :], scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, 1))
        shrink = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])
        acc = acc * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        total = total * shrink + tl.sum(p, 1)
        m = m_new
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
        SLOTS=max(16, triton.next_power_of_2(block_size)),
    )
    return out
