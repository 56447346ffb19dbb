# append adds each block of a list to the queue
# 对队列调用 append，会把列表里的块一个个排进去

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.queue = deque(range(num_blocks))

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
        for block in blocks:
            self.ref_cnt[block] -= 1
        self.queue.append(blocks)
