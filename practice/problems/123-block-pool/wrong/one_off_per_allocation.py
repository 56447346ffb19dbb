# the number of free blocks changes by one per call, not by one per block
# 空闲块数每次调用只增减 1，与取还了几块无关

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.queue = deque(range(num_blocks))
        self.free_blocks = num_blocks

    def num_free(self):
        return self.free_blocks

    def allocate(self, n):
        if n > len(self.queue):
            return None
        blocks = [self.queue.popleft() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = 1
        self.free_blocks -= 1
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)
        self.free_blocks += 1
