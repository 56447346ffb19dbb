# a head takes a power of two of elements, in memory too
# 每个头在内存里也占 2 的幂个元素

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
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
):
    """One program per token and head."""
    token, head = tl.program_id(0), tl.program_id(1)
    dims = tl.arange(0, DIM)
    slot = tl.load(slots_ptr + token)
    real = (slot >= 0) & (dims < DIM)
    value = tl.load(values_ptr + token * values_token + head * values_head + dims, mask=real, other=0.0)
    place = slot // BLOCK_SIZE * cache_block + slot % BLOCK_SIZE * cache_slot + head * cache_head + dims
    tl.store(cache_ptr + place, value, mask=real)


def write(cache, slot_mapping, values):
    num_tokens, num_kv_heads, head_dim = values.shape
    write_kernel[(num_tokens, num_kv_heads)](
        *(cache, slot_mapping, values, *cache.stride()[:3], *values.stride()[:2]),
        HEAD_DIM=head_dim,
        DIM=triton.next_power_of_2(head_dim),
        BLOCK_SIZE=cache.shape[1],
    )
