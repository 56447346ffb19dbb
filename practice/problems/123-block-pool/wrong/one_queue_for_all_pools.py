# there is only one pool at a time, so its queue may belong to the class
# 同一时间只会有一个池，队列放在类上就行

from collections import deque


class BlockPool:
    queue = None

    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        BlockPool.queue = deque(range(num_blocks))

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
            if self.ref_cnt[block] == 0:
                self.queue.append(block)
