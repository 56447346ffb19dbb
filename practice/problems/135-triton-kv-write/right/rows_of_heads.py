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
    HEADS: tl.constexpr,
    DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
):
    """One program per token, with a matrix of heads by dims."""
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slots_ptr + token)
    if slot == -1:
        return
    heads, dims = tl.arange(0, HEADS)[:, None], tl.arange(0, DIM)[None, :]
    real = (heads < NUM_KV_HEADS) & (dims < HEAD_DIM)
    value = tl.load(values_ptr + token * values_token + heads * values_head + dims, mask=real, other=0.0)
    block = slot // BLOCK_SIZE
    row = cache_ptr + block * cache_block + (slot - block * BLOCK_SIZE) * cache_slot
    tl.store(row + heads.to(tl.int64) * cache_head + dims, value, mask=real)


def write(cache, slot_mapping, values):
    num_tokens, num_kv_heads, head_dim = values.shape
    write_kernel[(num_tokens,)](
        *(cache, slot_mapping, values, *cache.stride()[:3], *values.stride()[:2]),
        NUM_KV_HEADS=num_kv_heads,
        HEAD_DIM=head_dim,
        HEADS=triton.next_power_of_2(num_kv_heads),
        DIM=triton.next_power_of_2(head_dim),
        BLOCK_SIZE=cache.shape[1],
    )
