# no two requests begin at the same token, so the first that begins there has it
# 不会有两个请求从同一个 token 开始，找到第一个就是

import torch
import triton
import triton.language as tl


@triton.jit
def slots_kernel(
    slots_ptr,
    tables_ptr,
    starts_ptr,
    positions_ptr,
    num_requests,
    padded_to,
    table_row,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,
):
    """One program per tile of the result; each token looks for its request among the starts."""
    tokens = tl.program_id(0) * TILE + tl.arange(0, TILE)
    request = tl.zeros([TILE], tl.int32)
    for number in range(1, num_requests):
        later = tl.load(starts_ptr + number) > tl.load(starts_ptr + number - 1)
        request = tl.where((tl.load(starts_ptr + number) <= tokens) & later, number, request)
    real = tokens < tl.load(starts_ptr + num_requests)
    positions = tl.load(positions_ptr + tokens, mask=real, other=0)
    blocks = tl.load(tables_ptr + request * table_row + positions // BLOCK_SIZE, mask=real, other=0)
    slots = tl.where(real, blocks.to(tl.int64) * BLOCK_SIZE + positions % BLOCK_SIZE, -1)
    tl.store(slots_ptr + tokens, slots, mask=tokens < padded_to)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    slots_kernel[(triton.cdiv(padded_to, 64),)](
        *(slots, block_tables, query_start_loc, positions, len(block_tables), padded_to, block_tables.stride(0)),
        BLOCK_SIZE=block_size,
        TILE=64,
    )
    return slots
