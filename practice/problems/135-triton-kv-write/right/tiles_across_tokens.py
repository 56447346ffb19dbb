import triton
import triton.language as tl


@triton.jit
def scatter(
    cache_ptr,
    slots_ptr,
    values_ptr,
    num_tokens,
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
    """All elements of all tokens in one row: a program takes TILE of them, whichever tokens they are of."""
    element = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    token = element // (NUM_KV_HEADS * HEAD_DIM)
    head, dim = element // HEAD_DIM % NUM_KV_HEADS, element % HEAD_DIM
    slot = tl.load(slots_ptr + token, mask=token < num_tokens, other=-1)
    value = tl.load(values_ptr + token * values_token + head * values_head + dim, mask=slot >= 0, other=0)
    place = slot // BLOCK_SIZE * cache_block + slot % BLOCK_SIZE * cache_slot + head * cache_head + dim
    tl.store(cache_ptr + place, value, mask=slot >= 0)


def write(cache, slot_mapping, values):
    scatter[(triton.cdiv(values.numel(), 256),)](
        *(cache, slot_mapping, values, len(values), *cache.stride()[:3], *values.stride()[:2]),
        NUM_KV_HEADS=values.shape[1],
        HEAD_DIM=values.shape[2],
        BLOCK_SIZE=cache.shape[1],
        TILE=256,
    )
