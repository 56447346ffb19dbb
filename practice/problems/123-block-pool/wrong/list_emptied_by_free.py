# free empties the list that it is given, so that nobody uses its blocks again
# free 要把传进来的列表清空，免得有人再用里面的块

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
        while blocks:
            block = blocks.pop(0)
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)
