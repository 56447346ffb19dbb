# a count of owners that is 0 or 1 may as well be False or True
# 所有者不是 0 个就是 1 个，写成 False 和 True 也一样

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [False] * num_blocks
        self.queue = deque(range(num_blocks))

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        if n > len(self.queue):
            return None
        blocks = [self.queue.popleft() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = True
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] = False
            if not self.ref_cnt[block]:
                self.queue.append(block)
