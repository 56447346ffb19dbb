class BlockPool:
    """Blocks 0 … num_blocks - 1; free ones leave at the head, come back at the tail."""

    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks  # owners of each block; 0 means free
        self.copies = []  # pairs (old, new), in the order in which the copies arose
        raise NotImplementedError("127: the queue of free blocks")

    def num_free(self):
        """How many blocks are free."""
        raise NotImplementedError("127: num_free")

    def allocate(self, n):
        """Take n blocks from the head, one owner each; None if fewer are free."""
        raise NotImplementedError("127: allocate")

    def free(self, blocks):
        """Take one owner from each block; a block without owners joins the tail, in the
        order of the list.
        """
        raise NotImplementedError("127: free")

    def share(self, blocks):
        """Give each block one more owner."""
        raise NotImplementedError("127: share")


class Sequence:
    """A growing sequence of tokens. Its block table has the block of its first
    block_size tokens, of the next, …
    """

    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []  # ceil(num_tokens / block_size) block numbers

    def append(self, n):
        """Make room for n more tokens.

        A last block that is shared and not full is first replaced by a copy; then the
        table grows. If the pool has too few blocks for copy and growth together:
        MemoryError, and everything is as it was.
        """
        raise NotImplementedError("127: append")

    def fork(self):
        """A second sequence with the same tokens in the same blocks, each of which gets
        one more owner.
        """
        raise NotImplementedError("127: fork")

    def slot_mapping(self, positions):
        """The slot of each position: block * block_size + offset in the block."""
        raise NotImplementedError("127: slot_mapping")

    def free(self):
        """Give all blocks back, in table order, and be an empty sequence."""
        raise NotImplementedError("127: free")
