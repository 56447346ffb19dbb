import torch
import triton
import triton.language as tl


@triton.jit
def one_token(slots_ptr, tables_ptr, starts_ptr, positions_ptr, num_requests, table_row, BLOCK_SIZE: tl.constexpr):
    """One program per entry of the result; each number it loads has a mask, and 0 where that is off."""
    token = tl.program_id(0)
    request = -1
    for number in range(num_requests):
        begin = tl.load(starts_ptr + number, mask=number > 0, other=0)  # the first begins at 0
        request += (begin <= token).to(tl.int32)
    end = tl.load(starts_ptr + num_requests, mask=num_requests > 0, other=0)
    position = tl.load(positions_ptr + token, mask=token < end, other=0)
    block = tl.load(tables_ptr + request * table_row + position // BLOCK_SIZE, mask=token < end, other=0)
    slot = block.to(tl.int64) * BLOCK_SIZE + position % BLOCK_SIZE
    tl.store(slots_ptr + token, tl.where(token < end, slot, -1))


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    one_token[(padded_to,)](
        *(slots, block_tables, query_start_loc, positions, len(block_tables), block_tables.stride(0)),
        BLOCK_SIZE=block_size,
    )
    return slots
