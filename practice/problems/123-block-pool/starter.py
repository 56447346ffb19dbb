class BlockPool:
    """Hands out the blocks 0 … num_blocks - 1 and takes them back, the longest free
    first.
    """

    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks  # owners of each block; 0 means free
        raise NotImplementedError("123: the queue of free blocks")

    def num_free(self):
        """How many blocks are free."""
        raise NotImplementedError("123: num_free")

    def allocate(self, n):
        """Take n blocks from the head of the queue; None, and nothing taken, if fewer
        are free.
        """
        raise NotImplementedError("123: allocate")

    def free(self, blocks):
        """Take one owner from each block; a block without owners joins the tail of the
        queue.
        """
        raise NotImplementedError("123: free")
