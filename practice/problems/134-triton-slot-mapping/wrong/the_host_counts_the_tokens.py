# the host may look up how many tokens there are, and launch as many tiles as that takes
# 主机可以先查出有多少 token，再决定启动几块

import torch
import triton
import triton.language as tl


@triton.jit
def slots_kernel(slots_ptr, table_ptr, positions_ptr, start, end, BLOCK_SIZE: tl.constexpr, TILE: tl.constexpr):
    tokens = start + tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = tokens < end
    positions = tl.load(positions_ptr + tokens, mask=inside, other=0)
    blocks = tl.load(table_ptr + positions // BLOCK_SIZE, mask=inside, other=0).to(tl.int64)
    tl.store(slots_ptr + tokens, blocks * BLOCK_SIZE + positions % BLOCK_SIZE, mask=inside)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = torch.full((padded_to,), -1, dtype=torch.int64, device=positions.device)
    starts = query_start_loc.tolist()
    for table, start, end in zip(block_tables, starts[:-1], starts[1:], strict=True):
        grid = (triton.cdiv(end - start, 256),)
        slots_kernel[grid](slots, table, positions, start, end, BLOCK_SIZE=block_size, TILE=256)
    return slots
