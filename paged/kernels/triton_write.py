"""The write into a paged cache in Triton: each token's values go to its slot, and slot -1 is skipped.

One program per token and run of TILE values. The cache is reached through its strides, so that it may be a slice of a
larger allocation, and in 64 bits. vLLM 0.33 writes the same way (v1/attention/ops/triton_reshape_and_cache_flash.py).
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _write(
    cache,
    slot_mapping,
    values,
    cache_stride_block,
    cache_stride_slot,
    cache_stride_head,
    values_stride_token,
    values_stride_head,
    NUM_KV_HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # values per program
):
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slot_mapping + token).to(tl.int64)
    if slot < 0:
        return
    element = tl.program_id(1) * TILE + tl.arange(0, TILE)  # of the token's [num_kv_heads, head_dim]
    inside = element < NUM_KV_HEADS * HEAD_DIM
    head, dim = (element // HEAD_DIM).to(tl.int64), element % HEAD_DIM

    value = tl.load(values + token * values_stride_token + head * values_stride_head + dim, mask=inside, other=0.0)
    row = slot // BLOCK_SIZE * cache_stride_block + slot % BLOCK_SIZE * cache_stride_slot
    tl.store(cache + row + head * cache_stride_head + dim, value, mask=inside)


def write(cache: torch.Tensor, slot_mapping: torch.Tensor, values: torch.Tensor) -> None:
    """Write values[i] to slot slot_mapping[i] of the cache, in place; slot -1 is padding and skipped.

    cache: [num_blocks, block_size, num_kv_heads, head_dim], any strides but the last, which is 1.
    slot_mapping: [N] int64, no slot twice.
    values: [N, num_kv_heads, head_dim] in the cache's dtype, any strides but the last, which is 1.
    """
    num_tokens, num_kv_heads, head_dim = values.shape
    tile = min(1024, triton.next_power_of_2(num_kv_heads * head_dim))
    _write[(num_tokens, triton.cdiv(num_kv_heads * head_dim, tile))](
        cache,
        slot_mapping,
        values,
        *cache.stride()[:3],
        *values.stride()[:2],
        NUM_KV_HEADS=num_kv_heads,
        HEAD_DIM=head_dim,
        BLOCK_SIZE=cache.shape[1],
        TILE=tile,
    )
