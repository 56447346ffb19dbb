# the blocks of one allocation must lie side by side, so a pool in pieces has to refuse
# 一次取的块必须编号相连，空闲块太零散就只能拒绝


class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.queue = list(range(num_blocks))

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        for first in self.queue or [0]:
            blocks = list(range(first, first + n))
            if all(block in self.queue for block in blocks):
                self.queue = [block for block in self.queue if block not in blocks]
                for block in blocks:
                    self.ref_cnt[block] = 1
                return blocks
        return None

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.queue.append(block)
