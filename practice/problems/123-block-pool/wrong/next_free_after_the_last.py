# free blocks are handed out round in a circle, on from the number given last
# 取块要按编号转着圈来，从上次取到的地方往后找空闲块


class BlockPool:
    def __init__(self, num_blocks):
        self.num_blocks = num_blocks
        self.ref_cnt = [0] * num_blocks
        self.next = 0

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        if n > self.num_free():
            return None
        blocks = []
        while len(blocks) < n:
            if self.ref_cnt[self.next] == 0:
                self.ref_cnt[self.next] = 1
                blocks.append(self.next)
            self.next = (self.next + 1) % self.num_blocks
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
