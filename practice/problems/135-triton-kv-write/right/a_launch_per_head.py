import triton
import triton.language as tl


@triton.jit
def write_head(cache_ptr, slots_ptr, values_ptr, block, slot, token, HEAD_DIM: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    """One program per token; it copies the head in steps of 32 dims."""
    number = tl.load(slots_ptr + tl.program_id(0))
    place = cache_ptr + number // BLOCK_SIZE * block + number % BLOCK_SIZE * slot
    for first in range(0, HEAD_DIM, 32):
        dims = first + tl.arange(0, 32)
        mask = (dims < HEAD_DIM) & (number >= 0)
        value = tl.load(values_ptr + tl.program_id(0) * token + dims, mask=mask, other=0)
        tl.store(place + dims, value, mask=mask)


def write(cache, slot_mapping, values):
    for head in range(values.shape[1]):
        write_head[(len(values),)](
            *(cache[:, :, head], slot_mapping, values[:, head], *cache.stride()[:2], values.stride(0)),
            HEAD_DIM=values.shape[2],
            BLOCK_SIZE=cache.shape[1],
        )
