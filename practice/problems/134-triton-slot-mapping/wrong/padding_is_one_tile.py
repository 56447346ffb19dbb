# there is never more padding than a tile
# 填充不会超过一块

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
    if request == tl.num_programs(0) - 1:
        tokens = tl.load(starts_ptr + request) + tl.arange(0, TILE)
        tl.store(slots_ptr + tokens, -1, mask=tokens < padded_to)
    else:
        end = tl.load(starts_ptr + request + 1)
        for first in range(tl.load(starts_ptr + request), end, TILE):
            tokens = first + tl.arange(0, TILE)
            inside = tokens < end
            positions = tl.load(positions_ptr + tokens, mask=inside, other=0)
            entries = tables_ptr + request * table_row + positions // BLOCK_SIZE
            blocks = tl.load(entries, mask=inside, other=0).to(tl.int64)
            tl.store(slots_ptr + tokens, blocks * BLOCK_SIZE + positions % BLOCK_SIZE, mask=inside)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    slots_kernel[(len(block_tables) + 1,)](
        slots,
        block_tables,
        query_start_loc,
        positions,
        padded_to,
        block_tables.stride(0),
        BLOCK_SIZE=block_size,
        TILE=256,
    )
    return slots
