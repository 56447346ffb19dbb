class BlockPool:
    """The queue as a ring: block number i of all ever queued lies at i % num_blocks."""

    def __init__(self, num_blocks):
        self.ring = list(range(num_blocks))
        self.out, self.back = 0, num_blocks
        self.owned = set()
        self.num_blocks = num_blocks

    @property
    def ref_cnt(self):
        return [int(block in self.owned) for block in range(self.num_blocks)]

    def num_free(self):
        return self.back - self.out

    def allocate(self, n):
        if n > self.num_free():
            return None
        blocks = [self.ring[i % self.num_blocks] for i in range(self.out, self.out + n)]
        self.out += n
        self.owned.update(blocks)
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ring[self.back % self.num_blocks] = block
            self.back += 1
            self.owned.remove(block)
