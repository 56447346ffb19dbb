"""num_free counts the blocks without owners; a dictionary, which keeps the order of insertion, is the queue."""

from itertools import islice


class BlockPool:
    def __init__(self, num_blocks):
        self.waiting = dict.fromkeys(range(num_blocks))
        self.ref_cnt = [0 for _ in range(num_blocks)]
        self.copies = []

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        if n > self.num_free():
            return None
        blocks = list(islice(self.waiting, n))
        for block in blocks:
            del self.waiting[block]
            self.ref_cnt[block] = 1
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            if self.ref_cnt[block] == 1:
                self.waiting[block] = None
            self.ref_cnt[block] -= 1


class Sequence:
    def __init__(self, pool, block_size):
        self.pool, self.block_size = pool, block_size
        self.num_tokens, self.block_table = 0, []

    def append(self, n):
        blocks_before = len(self.block_table)
        blocks_after = (self.num_tokens + n + self.block_size - 1) // self.block_size
        writes_into_last = self.num_tokens < blocks_before * self.block_size
        copies = writes_into_last and self.pool.ref_cnt[self.block_table[blocks_before - 1]] >= 2
        if self.pool.num_free() < blocks_after - blocks_before + copies:
            raise MemoryError("the pool is exhausted")
        if copies:
            (new,) = self.pool.allocate(1)
            old = self.block_table.pop()
            self.block_table.append(new)
            self.pool.ref_cnt[old] -= 1
            self.pool.copies += [(old, new)]
        self.block_table = self.block_table + self.pool.allocate(blocks_after - blocks_before)
        self.num_tokens = self.num_tokens + n

    def fork(self):
        self.pool.share(self.block_table)
        twin = type(self)(self.pool, self.block_size)
        twin.num_tokens, twin.block_table = self.num_tokens, self.block_table[:]
        return twin

    def slot_mapping(self, positions):
        slots = []
        for position in positions:
            logical, offset = divmod(position, self.block_size)
            slots.append(self.block_table[logical] * self.block_size + offset)
        return slots

    def free(self):
        self.pool.free(self.block_table)
        self.num_tokens, self.block_table = 0, []
