"""append adds one token at a time and goes back to where it began when the blocks run out."""

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.queue = deque(range(num_blocks))
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        if n > len(self.queue):
            return None
        blocks = [self.queue.popleft() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = 1
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)

    def snapshot(self):
        return deque(self.queue), self.ref_cnt[:], self.copies[:]

    def restore(self, snapshot):
        self.queue, self.ref_cnt, self.copies = snapshot


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        pool, num_tokens, block_table = self.pool.snapshot(), self.num_tokens, self.block_table[:]
        try:
            for _ in range(n):
                self.append_one()
        except MemoryError:
            self.pool.restore(pool)
            self.num_tokens, self.block_table = num_tokens, block_table
            raise

    def append_one(self):
        if self.num_tokens % self.block_size == 0:
            self.block_table.append(self.one_block())
        elif self.pool.ref_cnt[self.block_table[-1]] > 1:
            old, new = self.block_table[-1], self.one_block()
            self.block_table[-1] = new
            self.pool.free([old])
            self.pool.copies.append((old, new))
        self.num_tokens += 1

    def one_block(self):
        blocks = self.pool.allocate(1)
        if not blocks:
            raise MemoryError("no block is free")
        return blocks[0]

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
