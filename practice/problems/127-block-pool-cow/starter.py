class BlockPool:
    """Hands out numbered blocks and counts who owns them."""

    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks  # owners of each block
        self.copies = []  # (old, new) pairs, in order
        raise NotImplementedError("127: the queue of free blocks")

    def num_free(self):
        raise NotImplementedError("127: num_free")

    def allocate(self, n):
        raise NotImplementedError("127: allocate")

    def free(self, blocks):
        raise NotImplementedError("127: free")

    def share(self, blocks):
        raise NotImplementedError("127: share")


class Sequence:
    """A growing sequence of tokens and its block table."""

    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        raise NotImplementedError("127: append")

    def fork(self):
        raise NotImplementedError("127: fork")

    def slot_mapping(self, positions):
        raise NotImplementedError("127: slot_mapping")

    def free(self):
        raise NotImplementedError("127: free")
