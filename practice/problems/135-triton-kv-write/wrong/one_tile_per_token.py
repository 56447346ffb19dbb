# one tile of 1024 is enough for a token
# 一个 token 用一个 1024 的 tile 就够了

import triton
import triton.language as tl


@triton.jit
def write_kernel(
    cache_ptr,
    slots_ptr,
    values_ptr,
    cache_block,
    cache_slot,
    cache_head,
    values_token,
    values_head,
    NUM_KV_HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,
):
    token = tl.program_id(0)
    slot = tl.load(slots_ptr + token)
    if slot >= 0:
        element = tl.program_id(1) * TILE + tl.arange(0, TILE)
        inside = element < NUM_KV_HEADS * HEAD_DIM
        head, dim = element // HEAD_DIM, element % HEAD_DIM
        value = tl.load(values_ptr + token * values_token + head * values_head + dim, mask=inside, other=0.0)
        place = slot // BLOCK_SIZE * cache_block + slot % BLOCK_SIZE * cache_slot + head * cache_head + dim
        tl.store(cache_ptr + place, value, mask=inside)


def write(cache, slot_mapping, values):
    num_tokens, num_kv_heads, head_dim = values.shape
    tile = min(1024, triton.next_power_of_2(num_kv_heads * head_dim))
    write_kernel[(num_tokens,)](
        *(cache, slot_mapping, values, *cache.stride()[:3], *values.stride()[:2]),
        NUM_KV_HEADS=num_kv_heads,
        HEAD_DIM=head_dim,
        BLOCK_SIZE=cache.shape[1],
        TILE=tile,
    )
