"""The K/V storage: one pair of tensors per layer, cut into blocks, written by slot and read by block table.

K and V of a layer are [num_blocks, block_size, num_kv_heads, head_dim] each, the simplest layout that pages. vLLM 0.30
keeps both together as [num_blocks, num_kv_heads, block_size, 2 * head_size] (v1/attention/backends/flash_attn.py), and
0.6.4 used [2, num_blocks, block_size, num_kv_heads, head_size].

The tensors in `.k` and `.v` may be replaced by others of the same shape, contiguous or not (a slice of one big
allocation, say): block and offset are indexed as two dimensions, so strides don't matter.
"""

from collections.abc import Iterable

import torch

from paged.slots import PAD_SLOT_ID, as_ints


class PagedKVCache:
    """K and V of all layers: k[l] and v[l] are [num_blocks, block_size, num_kv_heads, head_dim], zeros at first.

    Raises ValueError if one of the sizes is below 1. Refused calls write nothing.
    """

    def __init__(
        self,
        num_layers: int,
        num_blocks: int,
        block_size: int,
        num_kv_heads: int,
        head_dim: int,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ) -> None:
        shape = (num_blocks, block_size, num_kv_heads, head_dim)
        if num_layers < 1 or min(shape) < 1:
            raise ValueError(f"every size must be at least 1, got {num_layers} layers of {list(shape)}")
        self.num_blocks, self.block_size, self.num_kv_heads, self.head_dim = shape
        self.k = [torch.zeros(shape, dtype=dtype, device=device) for _ in range(num_layers)]
        self.v = [torch.zeros(shape, dtype=dtype, device=device) for _ in range(num_layers)]

    def write(self, layer: int, slot_mapping: torch.Tensor | list[int], k: torch.Tensor, v: torch.Tensor) -> None:
        """Write token i of k and v to slot slot_mapping[i]; slot -1 is padding and skipped.

        slot_mapping: [N] integers, no slot twice. k, v: [N, num_kv_heads, head_dim], dtype and device of the cache.
        Raises ValueError for a slot below -1 or past the end and for wrong shapes, dtypes or devices.
        """
        slots = self._checked_slots(slot_mapping)
        expected = (len(slots), self.num_kv_heads, self.head_dim)
        for name, new, stored in (("k", k, self.k[layer]), ("v", v, self.v[layer])):
            if new.shape != expected:
                raise ValueError(f"{name} must be {list(expected)}, got {list(new.shape)}")
            if (new.dtype, new.device) != (stored.dtype, stored.device):
                raise ValueError(f"{name} must be {stored.dtype} on {stored.device}, got {new.dtype} on {new.device}")
        real = slots != PAD_SLOT_ID
        if not real.all():
            slots, k, v = slots[real], k[real.to(k.device)], v[real.to(v.device)]
        slots = slots.to(self.k[layer].device)
        block, offset = slots // self.block_size, slots % self.block_size
        self.k[layer][block, offset] = k
        self.v[layer][block, offset] = v

    def used_blocks(self, block_table: torch.Tensor | list[int], seq_len: int) -> list[int]:
        """The blocks that hold positions 0..seq_len - 1; what comes after them in the table is not looked at.

        Raises ValueError for a negative seq_len, a table that is too short, and entries that are no block of the cache.
        """
        if seq_len < 0:
            raise ValueError(f"seq_len must not be negative, got {seq_len}")
        needed = -(-seq_len // self.block_size)  # rounded up
        if len(block_table) < needed:
            raise ValueError(f"{seq_len} tokens need {needed} blocks, the block table has {len(block_table)}")
        blocks = as_ints(block_table[:needed])
        if blocks and not 0 <= min(blocks) <= max(blocks) < self.num_blocks:
            raise ValueError(f"blocks are 0..{self.num_blocks - 1}, the table has {min(blocks)}..{max(blocks)}")
        return blocks

    def gather(
        self, layer: int, block_table: torch.Tensor | list[int], seq_len: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies of K and V of one sequence's first seq_len tokens, each [seq_len, num_kv_heads, head_dim].

        Raises ValueError where used_blocks does.
        """
        blocks = self._as_index(self.used_blocks(block_table, seq_len))
        k, v = (stored[layer][blocks].flatten(0, 1)[:seq_len] for stored in (self.k, self.v))
        return k, v

    def copy_blocks(self, copies: Iterable[tuple[int, int]]) -> None:
        """Carry out (old, new) copies in all layers, as if one after the other; BlockPool.copies is meant to come here.

        The step's K/V are written after this, and the caller clears the list.
        Raises ValueError for a number that is no block of the cache.
        """
        source: dict[int, int] = {}  # new -> the block whose present contents it ends up with, chains followed
        for old, new in map(as_ints, copies):
            if not (0 <= old < self.num_blocks and 0 <= new < self.num_blocks):
                raise ValueError(f"cannot copy block {old} to block {new}: blocks are 0..{self.num_blocks - 1}")
            source[new] = source.get(old, old)
        targets, sources = self._as_index(source.keys()), self._as_index(source.values())
        for stored in (*self.k, *self.v):
            stored[targets] = stored[sources]

    def _as_index(self, blocks: Iterable[int]) -> torch.Tensor:
        return torch.tensor(list(blocks), dtype=torch.int64, device=self.k[0].device)

    def _checked_slots(self, slot_mapping: torch.Tensor | list[int]) -> torch.Tensor:
        slots = torch.as_tensor(slot_mapping)
        if slots.dim() != 1:
            raise ValueError(f"slot_mapping must be [N], got {list(slots.shape)}")
        if len(slots) == 0:
            return slots.to(torch.int64)  # an empty list makes a float tensor
        if slots.is_floating_point() or slots.dtype == torch.bool:
            raise ValueError(f"slot_mapping must hold integers, got {slots.dtype}")
        lowest, highest = (int(bound) for bound in torch.aminmax(slots))
        num_slots = self.num_blocks * self.block_size
        if lowest < PAD_SLOT_ID or highest >= num_slots:
            raise ValueError(f"slots must be -1 or 0..{num_slots - 1}, got {lowest}..{highest}")
        return slots.to(torch.int64)
