"""What 123 asks for without any queue: each block remembers when it became free, and the earliest goes first."""


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.free_since = list(range(num_blocks))
        self.now = num_blocks

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        free = [block for block, owners in enumerate(self.ref_cnt) if owners == 0]
        if n > len(free):
            return None
        taken = sorted(free, key=lambda block: self.free_since[block])[:n]
        for block in taken:
            self.ref_cnt[block] = 1
        return taken

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            self.free_since[block] = self.now
            self.now += 1
