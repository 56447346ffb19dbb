class BlockPool:
    def __init__(self, num_blocks):
        self.waiting = list(range(num_blocks))
        self.ref_cnt = [0] * num_blocks

    def num_free(self):
        return len(self.waiting)

    def allocate(self, n):
        if n > len(self.waiting):
            return None
        blocks, self.waiting = self.waiting[:n], self.waiting[n:]
        for block in blocks:
            self.ref_cnt[block] += 1
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
        self.waiting += [block for block in blocks if self.ref_cnt[block] == 0]
