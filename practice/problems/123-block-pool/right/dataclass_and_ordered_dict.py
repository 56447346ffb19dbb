from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass
class BlockPool:
    num_blocks: int
    ref_cnt: list[int] = field(init=False)
    waiting: OrderedDict[int, None] = field(init=False)

    def __post_init__(self):
        self.ref_cnt = [0 for _ in range(self.num_blocks)]
        self.waiting = OrderedDict.fromkeys(range(self.num_blocks))

    def num_free(self):
        return len(self.waiting)

    def allocate(self, n):
        if len(self.waiting) < n:
            return None
        taken = []
        while len(taken) < n:
            block, _ = self.waiting.popitem(last=False)
            self.ref_cnt[block] = 1
            taken.append(block)
        return taken

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] < 1:
                self.waiting[block] = None
