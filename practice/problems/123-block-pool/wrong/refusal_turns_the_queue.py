# putting the taken blocks back at the head, first one first, restores the queue's order
# 不够时把取出的块从第一个起逐个插回队头，队列就恢复原样了

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.queue = deque(range(num_blocks))

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        blocks = []
        for _ in range(n):
            if not self.queue:
                for block in blocks:
                    self.queue.appendleft(block)
                return None
            blocks.append(self.queue.popleft())
        for block in blocks:
            self.ref_cnt[block] = 1
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)
