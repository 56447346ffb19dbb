"""Says what it does: debug lines are nobody's business but the learner's."""

import sys
from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        print("a pool of", num_blocks, "blocks")
        self.queue = deque(range(num_blocks))
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        print("free:", list(self.queue)[:8])
        return len(self.queue)

    def allocate(self, n):
        print("allocate", n)
        if n > len(self.queue):
            print("  too few are free", file=sys.stderr)
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
                print("  block", block, "is free again")
                self.queue.append(block)


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        print(f"append {n} to {self.num_tokens} tokens in {len(self.block_table)} blocks")
        last_is_full = self.num_tokens == len(self.block_table) * self.block_size
        must_copy = not last_is_full and self.pool.ref_cnt[self.block_table[-1]] > 1
        growth = -(-(self.num_tokens + n) // self.block_size) - len(self.block_table)
        if must_copy + growth > len(self.pool.queue):
            raise MemoryError(f"{must_copy} for the copy and {growth} to grow")
        if must_copy:
            old = self.block_table[-1]
            [self.block_table[-1]] = self.pool.allocate(1)
            self.pool.free([old])
            self.pool.copies.append((old, self.block_table[-1]))
            print("  copy", self.pool.copies[-1])
        self.block_table += self.pool.allocate(growth)
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens = self.num_tokens
        twin.block_table = list(self.block_table)
        self.pool.share(self.block_table)
        return twin

    def slot_mapping(self, positions):
        return [self.block_table[p // self.block_size] * self.block_size + p % self.block_size for p in positions]

    def free(self):
        self.pool.free(self.block_table)
        self.block_table = []
        self.num_tokens = 0
