from collections import deque


class BlockPool:
    """Takes block by block; when they run out, all of them go back, and the whole queue is as it was."""

    def __init__(self, num_blocks):
        self.queue = deque()
        self.ref_cnt = [1] * num_blocks
        self.free(range(num_blocks))

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        blocks = []
        for _ in range(n):
            if not self.queue:
                self.free(blocks)
                return None
            block = self.queue.popleft()
            self.ref_cnt[block] += 1
            blocks.append(block)
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if not self.ref_cnt[block]:
                self.queue.append(block)
