"""The same list objects live on: tables are extended and cleared in place, and counts are never replaced."""

import collections
import math


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = num_blocks * [0]
        self.copies = []
        self._free = collections.deque()
        self._free.extend(range(num_blocks))

    def num_free(self):
        return len(self._free)

    def allocate(self, n):
        blocks = []
        if n > len(self._free):
            return None
        while len(blocks) < n:
            block = self._free.popleft()
            self.ref_cnt[block] = 1
            blocks.append(block)
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] < 1:
                self._free.append(block)


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.block_table = []
        self.num_tokens = 0

    def append(self, n):
        wanted = math.ceil((self.num_tokens + n) / self.block_size) - len(self.block_table)
        offset = self.num_tokens % self.block_size
        copy_last = offset > 0 and self.pool.ref_cnt[self.block_table[-1]] > 1
        blocks = self.pool.allocate(wanted + copy_last)
        if blocks is None:
            raise MemoryError(f"{wanted + copy_last} blocks wanted")
        if copy_last:
            old = self.block_table[-1]
            self.block_table[-1:] = blocks[:1]
            del blocks[0]
            self.pool.copies.append((old, self.block_table[-1]))
            self.pool.free([old])
        self.block_table.extend(blocks)
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.block_table.extend(self.block_table)
        twin.num_tokens += self.num_tokens
        self.pool.share(self.block_table)
        return twin

    def slot_mapping(self, positions):
        return [p % self.block_size + self.block_size * self.block_table[p // self.block_size] for p in positions]

    def free(self):
        self.pool.free(self.block_table)
        self.block_table.clear()
        self.num_tokens = 0
