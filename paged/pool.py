"""The block pool: which physical blocks are free, and how many owners each of the others has.

KV memory is cut once into `num_blocks` blocks of equal size. The pool hands out block numbers and takes them back; it
never sees a token or a tensor. Free blocks wait in a queue: they leave at the head and return at the tail, so the block
that has been free longest is reused first.

What it leaves out:
- vLLM's null block: block 0 is an ordinary block here, and padding in a block table is -1;
- prefix caching. vLLM (0.33, v1/core/block_pool.py) finds a block by its hash even while it is free, so it needs a
  linked list that can give up a block from the middle; without that, a deque is enough.
"""

from collections import Counter, deque
from collections.abc import Iterable

from paged.sizes import check_size, is_int


class BlockPool:
    """`num_blocks` blocks, numbered from 0, all of them free at first.

    ref_cnt: ref_cnt[b] is the number of owners of block b; 0 means that b is in the free queue.
    copies: (old, new) pairs that copy-on-write asks for, in the order in which they arose. The contents of block `old`
        have to be copied to block `new` before the step's writes; whoever has done that clears the list.

    Raises ValueError for a num_blocks that is no int of at least 1. Every refused call leaves the pool as it was, the
    order of its queue included.
    """

    def __init__(self, num_blocks: int) -> None:
        check_size("num_blocks", num_blocks)
        self.num_blocks = num_blocks
        self.ref_cnt = [0] * num_blocks
        self.free_queue = deque(range(num_blocks))
        self.copies: list[tuple[int, int]] = []

    def num_free(self) -> int:
        """Number of blocks that nobody owns."""
        return len(self.free_queue)

    def allocate(self, n: int) -> list[int] | None:
        """Take n blocks from the head of the queue, one owner each; None, and nothing taken, if fewer are free.

        None is an answer and no error: the scheduler decides whether to wait or to preempt somebody.
        Raises ValueError for an n that is negative or no int.
        """
        if not is_int(n) or n < 0:
            raise ValueError(f"cannot allocate {n!r} blocks")
        if n > self.num_free():
            return None
        blocks = [self.free_queue.popleft() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = 1
        return blocks

    def share(self, blocks: Iterable[int]) -> None:
        """Give each block one more owner. Raises ValueError for a free or unknown block."""
        blocks = list(blocks)
        self._check_known(blocks, "share")
        self._check_owned("share", owners_needed=dict.fromkeys(blocks, 1))
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks: Iterable[int]) -> None:
        """Take one owner from each block; a block without owners joins the tail of the queue, in the order given.

        Raises ValueError for an unknown block, and for one that is listed more often than it has owners (double free).
        """
        blocks = list(blocks)
        self._check_known(blocks, "free")
        self._check_owned("free", owners_needed=Counter(blocks))
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.free_queue.append(block)

    def _check_known(self, blocks: list[int], verb: str) -> None:
        for block in blocks:
            if not is_int(block) or not 0 <= block < self.num_blocks:  # -1 would pass for the last block
                raise ValueError(f"cannot {verb} {block!r}: the pool's blocks are 0..{self.num_blocks - 1}")

    def _check_owned(self, verb: str, owners_needed: dict[int, int]) -> None:
        for block, owners in owners_needed.items():
            if self.ref_cnt[block] < owners:
                raise ValueError(f"cannot {verb} block {block}: owners needed {owners}, owners {self.ref_cnt[block]}")
