import torch
import triton
import triton.language as tl


@triton.jit
def slots_kernel(
    slots_ptr,
    tables_ptr,
    starts_ptr,
    positions_ptr,
    padded_to,
    table_row,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,
):
    request = tl.program_id(0)
    end = tl.load(starts_ptr + request + 1)
    for first in range(tl.load(starts_ptr + request), end, TILE):
        tokens = first + tl.arange(0, TILE)
        inside = tokens < end
        positions = tl.load(positions_ptr + tokens, mask=inside, other=0)
        entries = tables_ptr + request * table_row + positions // BLOCK_SIZE
        blocks = tl.load(entries, mask=inside, other=0).to(tl.int64)
        tl.store(slots_ptr + tokens, blocks * BLOCK_SIZE + positions % BLOCK_SIZE, mask=inside)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.full((padded_to,), -1, dtype=torch.int64, device=positions.device)
    if len(block_tables):
        slots_kernel[(len(block_tables),)](
            *(slots, block_tables, query_start_loc, positions, padded_to, block_tables.stride(0)),
            BLOCK_SIZE=block_size,
            TILE=128,
        )
    return slots
