import torch
import triton
import triton.language as tl


@triton.jit
def slots_kernel(
    slots_ptr,  # [padded_to] int64: what you write
    tables_ptr,  # [B, max_blocks] int32
    starts_ptr,  # [B + 1] int32: query_start_loc
    positions_ptr,  # [N] int64
    padded_to,
    table_row,  # stride of the tables in elements, from request to request; that of the columns is 1
    BLOCK_SIZE: tl.constexpr,
    TILE: tl.constexpr,  # tokens per step
):
    """One program per request (tl.program_id(0)), and a last one for the padding: tl.num_programs(0) is B + 1."""
    raise NotImplementedError("134: where does each token go?")


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    """The slot of every new token of a batch, filled up with -1 to padded_to entries: a new int64 tensor."""
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
