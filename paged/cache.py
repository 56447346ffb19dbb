"""The K/V storage: one pair of tensors per layer, cut into blocks, written by slot and read by block table.

K and V of a layer are [num_blocks, block_size, num_kv_heads, head_dim] each, the simplest layout that pages. vLLM 0.30
keeps both together as [num_blocks, num_kv_heads, block_size, 2 * head_size] (v1/attention/backends/flash_attn.py), and
0.6.4 used [2, num_blocks, block_size, num_kv_heads, head_size].

The tensors in `.k` and `.v` may be replaced by others of the same shape, contiguous or not (a slice of one big
allocation, say). How one of them is written and read stands in paged/storage.py.
"""

from collections.abc import Iterable

import torch

from paged.slots import as_ints
from paged.storage import as_index, gather, write_together


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

    def layer(self, number: int) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V of one layer, themselves. Raises ValueError for no layer of the cache."""
        if not 0 <= number < len(self.k):
            raise ValueError(f"layers are 0..{len(self.k) - 1}, got {number}")
        return self.k[number], self.v[number]

    def write(self, layer: int, slot_mapping: torch.Tensor | list[int], k: torch.Tensor, v: torch.Tensor) -> None:
        """Write token i of k and v to slot slot_mapping[i]; slot -1 is padding and skipped.

        slot_mapping: [N] integers, no slot twice. k, v: [N, num_kv_heads, head_dim], dtype and device of the cache.
        Raises ValueError for no layer of the cache, a slot below -1 or past the end, and for wrong shapes, dtypes or
        devices.
        """
        k_cache, v_cache = self.layer(layer)
        write_together(slot_mapping, k=(k_cache, k), v=(v_cache, v))

    def gather(
        self, layer: int, block_table: torch.Tensor | list[int], seq_len: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies of K and V of one sequence's first seq_len tokens, each [seq_len, num_kv_heads, head_dim].

        Raises ValueError for no layer of the cache, a negative seq_len, and for a table that is too short or names no
        block of the cache.
        """
        k_cache, v_cache = self.layer(layer)
        return gather(k_cache, block_table, seq_len), gather(v_cache, block_table, seq_len)

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
        targets, sources = (as_index(blocks, self.k[0].device) for blocks in (source.keys(), source.values()))
        for stored in (*self.k, *self.v):
            stored[targets] = stored[sources]
