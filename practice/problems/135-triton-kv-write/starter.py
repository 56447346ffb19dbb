import triton
import triton.language as tl


@triton.jit
def write_kernel(
    cache_ptr,  # [num_blocks, block_size, num_kv_heads, head_dim], strides below, that of the last axis is 1
    slots_ptr,  # [N] int64
    values_ptr,  # [N, num_kv_heads, head_dim], strides below, that of the last axis is 1
    cache_block,  # strides of the cache in elements: from block to block, slot to slot, head to head
    cache_slot,
    cache_head,
    values_token,  # strides of the values: from token to token, head to head
    values_head,
    NUM_KV_HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # elements per program
):
    """One program per token (tl.program_id(0)) and tile of its NUM_KV_HEADS * HEAD_DIM elements (tl.program_id(1))."""
    raise NotImplementedError("135: where does each element go?")


def write(cache, slot_mapping, values):
    """Write values[i] to slot slot_mapping[i] of the cache, in place; slot -1 is skipped."""
    num_tokens, num_kv_heads, head_dim = values.shape
    tile = min(1024, triton.next_power_of_2(num_kv_heads * head_dim))
    write_kernel[(num_tokens, triton.cdiv(num_kv_heads * head_dim, tile))](
        *(cache, slot_mapping, values, *cache.stride()[:3], *values.stride()[:2]),
        NUM_KV_HEADS=num_kv_heads,
        HEAD_DIM=head_dim,
        BLOCK_SIZE=cache.shape[1],
        TILE=tile,
    )
