# blocks can be taken one by one: if the queue runs dry, returning None is all it takes
# 可以一块一块地取，中途不够了返回 None 就行，已经取出的不用管

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.queue = deque(range(num_blocks))

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        blocks = []
        while len(blocks) < n:
            if not self.queue:
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
