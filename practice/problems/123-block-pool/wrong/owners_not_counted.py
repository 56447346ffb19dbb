# Only sharing counts owners: a block that was just handed out still has 0

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
        return [self.queue.popleft() for _ in range(n)]

    def free(self, blocks):
        self.queue.extend(blocks)
