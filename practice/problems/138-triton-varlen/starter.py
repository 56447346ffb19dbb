import torch
import triton
import triton.language as tl


@triton.jit
def varlen_kernel(
    q_ptr,  # [N, num_heads, head_dim], contiguous
    k_ptr,  # [num_blocks, block_size, num_kv_heads, head_dim], strides below, that of the last axis is 1
    v_ptr,
    out_ptr,  # like q
    tables_ptr,  # [B, max_blocks] int32, contiguous
    lens_ptr,  # [B] int32
    starts_ptr,  # [B + 1] int32, query_start_loc
    num_requests,
    scale,
    max_blocks,
    k_block,  # strides of K in elements: from block to block, slot to slot, head to head
    k_slot,
    k_head,
    v_block,
    v_slot,
    v_head,
    GROUP: tl.constexpr,  # query heads per KV head
    TOKENS: tl.constexpr,  # new tokens per tile of queries
    ROWS: tl.constexpr,  # at least TOKENS * GROUP, a power of two
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,  # HEAD_DIM, padded to a power of two
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # positions per step of the walk
):
    """One program per tile of queries (tl.program_id(0), some too many) and KV head (tl.program_id(1))."""
    raise NotImplementedError("138: find the request, then walk as far as the tile's last token sees")


def paged_attention(q, k_cache, v_cache, block_tables, seq_lens, query_start_loc, scale):
    """Causal attention of the new tokens of all requests, each over its own context: a new tensor like q."""
    num_tokens, num_heads, head_dim = q.shape
    num_requests, (block_size, num_kv_heads) = len(seq_lens), k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    rows = max(64, triton.next_power_of_2(group))
    tokens = rows // group
    out = torch.empty_like(q)
    varlen_kernel[(num_tokens // tokens + num_requests, num_kv_heads)](
        *(q, k_cache, v_cache, out, block_tables, seq_lens, query_start_loc, num_requests, scale),
        *(block_tables.shape[1], *k_cache.stride()[:3], *v_cache.stride()[:3]),
        GROUP=group,
        TOKENS=tokens,
        ROWS=rows,
        HEAD_DIM=head_dim,
        DIM=max(16, triton.next_power_of_2(head_dim)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return out
