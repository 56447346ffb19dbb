import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(
    q_ptr,  # [B, num_heads, head_dim], contiguous
    k_ptr,  # [num_blocks, block_size, num_kv_heads, head_dim], strides below, that of the last axis is 1
    v_ptr,
    out_ptr,  # like q
    tables_ptr,  # [B, max_blocks] int32, contiguous
    lens_ptr,  # [B] int32
    scale,
    max_blocks,
    k_block,  # strides of K in elements: from block to block, slot to slot, head to head
    k_slot,
    k_head,
    v_block,
    v_slot,
    v_head,
    GROUP: tl.constexpr,  # query heads per KV head
    ROWS: tl.constexpr,  # GROUP, padded for tl.dot
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,  # HEAD_DIM, padded to a power of two
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # positions per step of the walk
):
    """One program per request (tl.program_id(0)) and KV head (tl.program_id(1))."""
    raise NotImplementedError("136: walk along the block table")


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """Attention of one new token per request over its context: a new tensor like q."""
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    out = torch.empty_like(q)
    decode_kernel[(num_requests, num_kv_heads)](
        *(q, k_cache, v_cache, out, block_tables, seq_lens, scale, block_tables.shape[1]),
        *(*k_cache.stride()[:3], *v_cache.stride()[:3]),
        GROUP=group,
        ROWS=max(16, triton.next_power_of_2(group)),
        HEAD_DIM=head_dim,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return out
