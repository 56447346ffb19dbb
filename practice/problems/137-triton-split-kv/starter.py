import torch
import triton
import triton.language as tl


@triton.jit
def part_kernel(
    q_ptr,  # [B, num_heads, head_dim], contiguous
    k_ptr,  # [num_blocks, block_size, num_kv_heads, head_dim], strides below, that of the last axis is 1
    v_ptr,
    highest_ptr,  # [B, num_heads, num_splits] float32
    total_ptr,  # the same
    summed_ptr,  # [B, num_heads, num_splits, head_dim] float32
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
    """One program per request, KV head and part (tl.program_id(2) of tl.num_programs(2))."""
    raise NotImplementedError("137: walk one part of the context, and leave what the merge needs")


@triton.jit
def merge_kernel(
    highest, total, summed, out, num_splits, SPLITS: tl.constexpr, HEAD_DIM: tl.constexpr, DIM: tl.constexpr
):
    """One program per request and query head; SPLITS and DIM are num_splits and HEAD_DIM, padded to powers of two."""
    raise NotImplementedError("137: make one result of the parts")


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale, num_splits):
    """Attention of one new token per request, each context walked in num_splits parts: a new tensor like q."""
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    rows, dim, splits = (max(16, triton.next_power_of_2(size)) for size in (group, head_dim, num_splits))
    highest = torch.empty(num_requests, num_heads, num_splits, dtype=torch.float32, device=q.device)
    total = torch.empty_like(highest)
    summed = torch.empty(*highest.shape, head_dim, dtype=torch.float32, device=q.device)
    out = torch.empty_like(q)
    part_kernel[(num_requests, num_kv_heads, num_splits)](
        *(q, k_cache, v_cache, highest, total, summed, block_tables, seq_lens, scale, block_tables.shape[1]),
        *(*k_cache.stride()[:3], *v_cache.stride()[:3]),
        *(group, rows, head_dim, dim, block_size, 64),
    )
    merge_kernel[(num_requests, num_heads)](highest, total, summed, out, num_splits, splits, head_dim, dim)
    return out
