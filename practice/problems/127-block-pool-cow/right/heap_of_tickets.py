"""Whoever becomes free draws a ticket; a heap finds the lowest one. A fork is made with copy.copy."""

import copy
import heapq
import itertools


class BlockPool:
    def __init__(self, num_blocks):
        self.tickets = itertools.count()
        self.heap = [(next(self.tickets), block) for block in range(num_blocks)]
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return len(self.heap)

    def allocate(self, n):
        if n > len(self.heap):
            return None
        blocks = [heapq.heappop(self.heap)[1] for _ in range(n)]
        self.share(blocks)
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                heapq.heappush(self.heap, (next(self.tickets), block))


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.reset()

    def reset(self):
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        keep = self.block_table
        if self.num_tokens % self.block_size and self.pool.ref_cnt[keep[-1]] > 1:
            keep = keep[:-1]
        total = (self.num_tokens + n - 1) // self.block_size + 1
        blocks = self.pool.allocate(total - len(keep))
        if blocks is None:
            raise MemoryError(f"{total - len(keep)} blocks needed, {self.pool.num_free()} free")
        for old in self.block_table[len(keep) :]:
            self.pool.copies.append((old, blocks[0]))
            self.pool.free([old])
        self.block_table = keep + blocks
        self.num_tokens += n

    def fork(self):
        twin = copy.copy(self)
        twin.block_table = copy.copy(self.block_table)
        self.pool.share(twin.block_table)
        return twin

    def slot_mapping(self, positions):
        first_slots = [block * self.block_size for block in self.block_table]
        return [first_slots[p // self.block_size] + p % self.block_size for p in positions]

    def free(self):
        self.pool.free(self.block_table)
        self.reset()
