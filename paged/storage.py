"""One tensor cut into blocks: written by slot, read by block table.

A cache is [num_blocks, block_size, num_kv_heads, head_dim], the keys or the values of one layer. Slot s is offset
s % block_size of block s // block_size. Block and offset are indexed as two dimensions, so the cache need not be
contiguous: a slice of one big allocation will do.

A layer has two such tensors, and paged/cache.py keeps those of all layers.
"""

from collections.abc import Iterable

import torch

from paged.slots import PAD_SLOT_ID, as_ints


def write(cache: torch.Tensor, slot_mapping: torch.Tensor | list[int], values: torch.Tensor) -> None:
    """Write values[i] to slot slot_mapping[i] of the cache, in place; slot -1 is padding and skipped.

    slot_mapping: [N] integers, no slot twice. values: [N, num_kv_heads, head_dim], dtype and device of the cache.
    Raises ValueError for a slot below -1 or past the end and for wrong shapes, dtypes or devices; nothing is written.
    """
    write_together(slot_mapping, values=(cache, values))


def write_together(slot_mapping: torch.Tensor | list[int], **pairs: tuple[torch.Tensor, torch.Tensor]) -> None:
    """`write` for several (cache, values) pairs with blocks of one number and size: all are written, or none is.

    The name of a pair is what its values are called in an error. Raises ValueError where `write` does, and for caches
    whose num_blocks or block_size differ.
    """
    first, *others = pairs
    num_blocks, block_size = pairs[first][0].shape[:2]
    for name in others:
        if pairs[name][0].shape[:2] != (num_blocks, block_size):
            other_blocks, other_size = pairs[name][0].shape[:2]
            raise ValueError(
                f"a slot must mean the same in all caches: that of {first} has {num_blocks} blocks of {block_size}, "
                f"that of {name} {other_blocks} of {other_size}"
            )
    slots = _checked_slots(slot_mapping, num_blocks * block_size)
    for name, (cache, values) in pairs.items():
        expected = (len(slots), *cache.shape[2:])
        if values.shape != expected:
            raise ValueError(f"{name} must be {list(expected)}, got {list(values.shape)}")
        if (values.dtype, values.device) != (cache.dtype, cache.device):
            raise ValueError(f"{name} must be {cache.dtype} on {cache.device}, got {values.dtype} on {values.device}")
    real = slots != PAD_SLOT_ID
    padded = not real.all()
    slots = slots[real] if padded else slots
    for cache, values in pairs.values():
        at = slots.to(cache.device)
        cache[at // block_size, at % block_size] = values[real.to(values.device)] if padded else values


def gather(cache: torch.Tensor, block_table: torch.Tensor | list[int], seq_len: int) -> torch.Tensor:
    """A copy of one sequence's first seq_len tokens, in order: [seq_len, num_kv_heads, head_dim].

    What comes after them in the table is not looked at. Raises ValueError where used_blocks does.
    """
    return cache[as_index(used_blocks(cache, block_table, seq_len), cache.device)].flatten(0, 1)[:seq_len]


def used_blocks(cache: torch.Tensor, block_table: torch.Tensor | list[int], seq_len: int) -> list[int]:
    """The blocks that hold positions 0..seq_len - 1; what comes after them in the table is not looked at.

    Raises ValueError for a negative seq_len, a table that is too short, and entries that are no block of the cache.
    """
    num_blocks, block_size = cache.shape[:2]
    if seq_len < 0:
        raise ValueError(f"seq_len must not be negative, got {seq_len}")
    needed = -(-seq_len // block_size)  # rounded up
    if len(block_table) < needed:
        raise ValueError(f"{seq_len} tokens need {needed} blocks, the block table has {len(block_table)}")
    blocks = as_ints(block_table[:needed])
    if blocks and not 0 <= min(blocks) <= max(blocks) < num_blocks:
        raise ValueError(f"blocks are 0..{num_blocks - 1}, the table has {min(blocks)}..{max(blocks)}")
    return blocks


def checked_tables(cache: torch.Tensor, block_tables: torch.Tensor, seq_lens: list[int]) -> torch.Tensor:
    """used_blocks of a whole batch: block_tables [B, W], int32 or int64 on the CPU, cut to the widest context, with 0
    past each context.

    Raises ValueError where used_blocks does.
    """
    num_blocks, block_size = cache.shape[:2]
    needed = [-(-seq_len // block_size) for seq_len in seq_lens]
    fewest, most = min(needed, default=0), max(needed, default=0)
    if 0 <= fewest <= most <= block_tables.shape[1]:
        used = block_tables[:, :most]
        if fewest < most:
            used = used.where(torch.arange(most) < torch.tensor(needed)[:, None], 0)
        if used.numel() == 0:
            return used
        lowest, highest = torch.aminmax(used)
        if lowest.item() >= 0 and highest.item() < num_blocks:
            return used
    for row, seq_len in zip(block_tables, seq_lens, strict=True):
        used_blocks(cache, row, seq_len)
    raise AssertionError("a batch is refused, but none of its tables")


def as_index(blocks: Iterable[int], device: torch.device) -> torch.Tensor:
    """Block numbers as an index tensor; an empty one must be told that it holds integers."""
    return torch.tensor(list(blocks), dtype=torch.int64, device=device)


def _checked_slots(slot_mapping: torch.Tensor | list[int], num_slots: int) -> torch.Tensor:
    slots = torch.as_tensor(slot_mapping)
    if slots.dim() != 1:
        raise ValueError(f"slot_mapping must be [N], got {list(slots.shape)}")
    if len(slots) == 0:
        return slots.to(torch.int64)  # an empty list makes a float tensor
    if slots.is_floating_point() or slots.dtype == torch.bool:
        raise ValueError(f"slot_mapping must hold integers, got {slots.dtype}")
    lowest, highest = (int(bound) for bound in torch.aminmax(slots))
    if lowest < PAD_SLOT_ID or highest >= num_slots:
        raise ValueError(f"slots must be -1 or 0..{num_slots - 1}, got {lowest}..{highest}")
    return slots.to(torch.int64)
