class BlockPool:
    """The queue as a list of links, in the way of vLLM's FreeKVCacheBlockQueue: after[b] is the block behind b."""

    def __init__(self, num_blocks: int) -> None:
        self.ref_cnt = [0] * num_blocks
        self.after = [*range(1, num_blocks), -1]
        self.head, self.tail = 0, num_blocks - 1
        self.count = num_blocks

    def num_free(self) -> int:
        return self.count

    def allocate(self, n: int) -> list[int] | None:
        if self.count < n:
            return None
        return [self._take() for _ in range(n)]

    def free(self, blocks: list[int]) -> None:
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self._put(block)

    def _take(self) -> int:
        block = self.head
        self.head = self.after[block]
        if self.head == -1:
            self.tail = -1
        self.ref_cnt[block] = 1
        self.count -= 1
        return block

    def _put(self, block: int) -> None:
        self.after[block] = -1
        if self.tail == -1:
            self.head = block
        else:
            self.after[self.tail] = block
        self.tail = block
        self.count += 1
