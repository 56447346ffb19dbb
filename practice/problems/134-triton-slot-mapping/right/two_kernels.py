import torch
import triton
import triton.language as tl


@triton.jit
def pad(slots_ptr, starts_ptr, num_requests, padded_to, TILE: tl.constexpr):
    tokens = tl.program_id(0) * TILE + tl.arange(0, TILE)
    behind = tokens >= tl.load(starts_ptr + num_requests)
    tl.store(slots_ptr + tokens, tl.full([TILE], -1, tl.int64), mask=behind & (tokens < padded_to))


@triton.jit
def fill(slots_ptr, tables_ptr, starts_ptr, positions_ptr, table_row, BLOCK_SIZE: tl.constexpr, TILE: tl.constexpr):
    """Program (i, j) does every fourth tile of request i, from the j-th on."""
    request = tl.program_id(0).to(tl.int64)
    end = tl.load(starts_ptr + request + 1)
    first = tl.load(starts_ptr + request) + tl.program_id(1) * TILE
    while first < end:
        tokens = first + tl.arange(0, TILE)
        positions = tl.load(positions_ptr + tokens, mask=tokens < end, other=0)
        entry = positions // BLOCK_SIZE
        blocks = tl.load(tables_ptr + request * table_row + entry, mask=tokens < end, other=0)
        slots = positions + (blocks.to(tl.int64) - entry) * BLOCK_SIZE
        tl.store(slots_ptr + tokens, slots, mask=tokens < end)
        first += tl.num_programs(1) * TILE


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    num_requests = len(block_tables)
    pad[(triton.cdiv(padded_to, 1024),)](slots, query_start_loc, num_requests, padded_to, TILE=1024)
    fill[(num_requests, 4)](
        *(slots, block_tables, query_start_loc, positions, block_tables.stride(0)), BLOCK_SIZE=block_size, TILE=64
    )
    return slots
