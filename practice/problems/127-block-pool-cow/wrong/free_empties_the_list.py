# free of a pool empties the list that it is given, so that nobody uses its blocks again
# 块池的 free 要把传进来的列表清空，免得有人再用里面的块
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

    def free(self, blocks):
        while blocks:
            block = blocks.pop(0)
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        last_is_full = self.num_tokens % self.block_size == 0
        must_copy = not last_is_full and self.pool.ref_cnt[self.block_table[-1]] > 1
        growth = -(-(self.num_tokens + n) // self.block_size) - len(self.block_table)
        needed = growth + must_copy
        if needed > self.pool.num_free():
            raise MemoryError(f"need {needed} blocks, {self.pool.num_free()} are free")
        if must_copy:
            old = self.block_table[-1]
            [new] = self.pool.allocate(1)
            self.pool.free([old])
            self.pool.copies.append((old, new))
            self.block_table[-1] = new
        self.block_table += self.pool.allocate(growth)
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens = self.num_tokens
        twin.block_table = list(self.block_table)
        self.pool.share(self.block_table)
        return twin

    def slot_mapping(self, positions):
        slots = []
        for position in positions:
            block = self.block_table[position // self.block_size]
            slots.append(block * self.block_size + position % self.block_size)
        return slots

    def free(self):
        self.pool.free(self.block_table)
        self.num_tokens, self.block_table = 0, []
