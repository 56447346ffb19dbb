"""Slot mapping: where in the cache the K/V of a token is written.

A slot numbers one token's place in the whole cache: slot = physical block * block_size + offset in the block. The block
table turns a position into a block: position p lies in logical block p // block_size, at offset p % block_size.

Before each forward pass an engine computes the slots of all new tokens of a batch in one go. Batches are padded to
fixed sizes, and padding gets slot -1, which the write skips (PAD_SLOT_ID in vLLM 0.33, v1/worker/block_table.py).

Tables, positions and offsets may be lists, ranges or one-dimensional tensors; slots come back as a list of int.
"""

from collections.abc import Iterable
from operator import index

PAD_SLOT_ID = -1


def slot_mapping_for(block_table: list[int], positions: Iterable[int], block_size: int) -> list[int]:
    """Slots of the tokens at `positions` of one request, in the order given; repeats are allowed.

    Raises ValueError if block_size < 1, if a position lies outside the table's len(block_table) * block_size
    positions, or if its table entry is padding (negative).
    """
    if block_size < 1:
        raise ValueError(f"block_size must be at least 1, got {block_size}")
    capacity = len(block_table) * block_size
    slots = []
    for position in as_ints(positions):
        if not 0 <= position < capacity:
            raise ValueError(f"position {position} is outside the {capacity} positions of the block table")
        block = index(block_table[position // block_size])
        if block < 0:
            raise ValueError(f"position {position} falls on table entry {position // block_size}, which is {block}")
        slots.append(block * block_size + position % block_size)
    return slots


def batch_slot_mapping(
    block_tables: list[list[int]], query_start_loc: list[int], positions: list[int], block_size: int, padded_to: int
) -> list[int]:
    """Slots of all new tokens of a batch, filled up with -1 to `padded_to` entries.

    block_tables: one table per request; rows may be padded with -1 where no position falls.
    query_start_loc: one number more than there are requests. The tokens of request i are those from query_start_loc[i]
        up to, but without, query_start_loc[i + 1]; a request may have none.
    positions: the position of each token within its own request.

    Raises ValueError where slot_mapping_for and check_query_start_loc do, and for more tokens than `padded_to`.
    """
    starts, positions = as_ints(query_start_loc), as_ints(positions)
    check_query_start_loc(starts, len(block_tables), len(positions))
    if padded_to < len(positions):
        raise ValueError(f"{len(positions)} tokens do not fit into {padded_to} entries")
    slots = []
    for i, table in enumerate(block_tables):
        slots += slot_mapping_for(table, positions[starts[i] : starts[i + 1]], block_size)
    return slots + [PAD_SLOT_ID] * (padded_to - len(slots))


def check_query_start_loc(starts: list[int], num_requests: int, num_tokens: int) -> None:
    """Raise ValueError unless starts has num_requests + 1 entries that rise from 0 to num_tokens with no step back."""
    if len(starts) != num_requests + 1:
        raise ValueError(f"{num_requests} requests need {num_requests + 1} entries of query_start_loc: {starts}")
    if starts[0] != 0 or starts[-1] != num_tokens or starts != sorted(starts):
        raise ValueError(f"query_start_loc must rise from 0 to the number of tokens, {num_tokens}: {starts}")


def as_ints(values: Iterable[int]) -> list[int]:
    """A tensor, array or any other iterable of integers as a list of int. Raises TypeError for other numbers."""
    return list(map(index, values.tolist() if hasattr(values, "tolist") else values))
