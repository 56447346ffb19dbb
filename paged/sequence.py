"""One request's view of the pool: a block table that grows with the tokens, fork, and copy-on-write.

A fork shares all blocks with its parent. Full blocks are never written again, so they stay shared for good. The last,
half-filled block is where both sides want to write next: whoever comes first, while others own it too, moves to a copy.

The policy is that of vLLM 0.6.4 (core/block/naive_block.py), with one difference: the blocks for the copy and for the
growth are taken in one piece, before anything else changes, so an append that does not fit leaves no trace.
"""

from collections.abc import Iterable

from paged.pool import BlockPool
from paged.sizes import check_size, is_int
from paged.slots import slot_mapping_for


class Sequence:
    """A request of `num_tokens` tokens in blocks of `block_size`, empty at first.

    block_table: the physical block of each logical block, ceil(num_tokens / block_size) entries.

    Raises ValueError for a block_size that is no int of at least 1. Refused calls change neither the sequence nor its
    pool.
    """

    def __init__(self, pool: BlockPool, block_size: int) -> None:
        check_size("block_size", block_size)
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table: list[int] = []

    def append(self, n: int) -> None:
        """Make room for n more tokens; 0 does nothing.

        If the last block is shared and not full, a block for its copy is taken first: it replaces the shared block in
        this table, and (old, new) joins pool.copies. The blocks for the growth come after it.

        Raises ValueError for an n that is negative or no int, MemoryError if fewer blocks are free than copy and growth
        need together.
        """
        if not is_int(n) or n < 0:
            raise ValueError(f"cannot append {n!r} tokens")
        last_is_full = self.num_tokens % self.block_size == 0
        num_copies = int(n > 0 and not last_is_full and self.pool.ref_cnt[self.block_table[-1]] > 1)
        num_blocks = -(-(self.num_tokens + n) // self.block_size)  # rounded up
        needed = num_copies + num_blocks - len(self.block_table)
        blocks = self.pool.allocate(needed)
        if blocks is None:
            raise MemoryError(f"need {needed} blocks, {self.pool.num_free()} are free")
        if num_copies:
            shared = self.block_table.pop()
            self.pool.free([shared])
            self.pool.copies.append((shared, blocks[0]))
        self.block_table += blocks
        self.num_tokens += n

    def fork(self) -> "Sequence":
        """A second sequence with the same tokens, in the same blocks.

        Fork between steps: a pair in pool.copies is carried out before the step's writes, so a token that was appended
        but not yet written would be missing from the copy.
        """
        self.pool.share(self.block_table)
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens = self.num_tokens
        twin.block_table = list(self.block_table)
        return twin

    def slot_mapping(self, positions: Iterable[int]) -> list[int]:
        """Slots of the tokens at `positions`, ints or a tensor of them.

        Raises ValueError for a position that is no int of 0..num_tokens - 1.
        """
        positions = list(positions.tolist() if hasattr(positions, "tolist") else positions)
        for position in positions:
            if not is_int(position) or not 0 <= position < self.num_tokens:
                raise ValueError(f"position {position!r} is outside this sequence of {self.num_tokens} tokens")
        return slot_mapping_for(self.block_table, positions, self.block_size)

    def free(self) -> None:
        """Give all blocks back, in table order, and be empty. A second time does nothing."""
        self.pool.free(self.block_table)
        self.block_table = []
        self.num_tokens = 0
