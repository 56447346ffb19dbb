import torch
import triton
import triton.language as tl


@triton.jit
def one_token(slots_ptr, tables_ptr, starts_ptr, positions_ptr, num_requests, table_row, BLOCK_SIZE: tl.constexpr):
    """One program per entry of the result. Its request is the last that starts no later: found by halving."""
    token = tl.program_id(0)
    slot = tl.full([], -1, tl.int64)
    if token < tl.load(starts_ptr + num_requests):
        low, high = 0, num_requests
        while high - low > 1:
            middle = (low + high) // 2
            later = tl.load(starts_ptr + middle) > token
            high = tl.where(later, middle, high)
            low = tl.where(later, low, middle)
        position = tl.load(positions_ptr + token)
        slot = tl.load(tables_ptr + low * table_row + position // BLOCK_SIZE).to(tl.int64) * BLOCK_SIZE
        slot += position % BLOCK_SIZE
    tl.store(slots_ptr + token, slot)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    one_token[(padded_to,)](
        *(slots, block_tables, query_start_loc, positions, len(block_tables), block_tables.stride(0)),
        BLOCK_SIZE=block_size,
    )
    return slots
