"""What 127 asks for, the slowest and plainest way: one token at a time, back to a snapshot when blocks run out."""


class BlockPool:
    def __init__(self, num_blocks):
        self.waiting = list(range(num_blocks))
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return len(self.waiting)

    def allocate(self, n):
        if n > len(self.waiting):
            return None
        taken = []
        for _ in range(n):
            block = self.waiting.pop(0)
            self.ref_cnt[block] = 1
            taken.append(block)
        return taken

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.waiting.append(block)

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1


class Sequence:
    def __init__(self, pool, block_size):
        self.pool, self.block_size = pool, block_size
        self.num_tokens, self.block_table = 0, []

    def append(self, n):
        pool = self.pool
        before = (list(pool.waiting), list(pool.ref_cnt), list(pool.copies), self.num_tokens, list(self.block_table))
        for _ in range(n):
            if not self._append_one():
                pool.waiting, pool.ref_cnt, pool.copies, self.num_tokens, self.block_table = before
                raise MemoryError

    def _append_one(self):
        offset = self.num_tokens % self.block_size
        shared = bool(self.block_table) and self.pool.ref_cnt[self.block_table[-1]] > 1
        if offset == 0 or shared:
            block = self.pool.allocate(1)
            if block is None:
                return False
            if offset == 0:
                self.block_table += block
            else:
                self.pool.copies.append((self.block_table[-1], block[0]))
                self.pool.ref_cnt[self.block_table[-1]] -= 1
                self.block_table[-1] = block[0]
        self.num_tokens += 1
        return True

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens, twin.block_table = self.num_tokens, list(self.block_table)
        self.pool.share(self.block_table)
        return twin

    def slot_mapping(self, positions):
        return [self.block_table[p // self.block_size] * self.block_size + p % self.block_size for p in positions]

    def free(self):
        self.pool.free(self.block_table)
        self.num_tokens, self.block_table = 0, []
