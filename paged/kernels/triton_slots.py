"""Slot mapping in Triton: where the K/V of each new token goes, for a whole batch in one launch.

One program per request writes the slots of that request's tokens; one more fills the rest with -1, which the write
skips. vLLM 0.33 divides the work the same way (v1/worker/gpu/block_table.py). Slots are 64-bit: block number times
block size passes 2^31 sooner than it seems, and offsets into the cache are larger still.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _slot_mapping(
    slots,
    block_tables,
    query_start_loc,
    positions,
    padded_to,
    table_stride_request,
    table_stride_column,
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # tokens per step
):
    request = tl.program_id(0).to(tl.int64)
    is_padding = request == tl.num_programs(0) - 1
    start = tl.load(query_start_loc + request).to(tl.int32)
    end = padded_to if is_padding else tl.load(query_start_loc + request + 1).to(tl.int32)
    table = block_tables + request * table_stride_request

    for first in range(start, end, TILE):
        tokens = first + tl.arange(0, TILE)
        inside = tokens < end
        located = inside & (not is_padding)  # padding has neither a table nor positions
        position = tl.load(positions + tokens, mask=located, other=0)
        block = tl.load(table + position // BLOCK_SIZE * table_stride_column, mask=located, other=0).to(tl.int64)
        slot = tl.where(located, block * BLOCK_SIZE + position % BLOCK_SIZE, -1)
        tl.store(slots + tokens, slot, mask=inside)


def slot_mapping(
    block_tables: torch.Tensor,
    query_start_loc: torch.Tensor,
    positions: torch.Tensor,
    block_size: int,
    padded_to: int,
) -> torch.Tensor:
    """Slots of all new tokens of a batch, filled up with -1 to `padded_to` entries.

    block_tables: [B, max_blocks] int32; what no position falls on is not looked at.
    query_start_loc: [B + 1] int32. The tokens of request i are those from query_start_loc[i] up to, but without,
        query_start_loc[i + 1]; a request may have none.
    positions: [N] int64, the position of each token within its own request. N is at most padded_to.

    Returns a new [padded_to] int64.
    """
    slots = torch.empty(padded_to, dtype=torch.int64, device=positions.device)
    _slot_mapping[(len(block_tables) + 1,)](
        slots,
        block_tables,
        query_start_loc,
        positions,
        padded_to,
        *block_tables.stride(),
        BLOCK_SIZE=block_size,
        TILE=1024,
    )
    return slots
