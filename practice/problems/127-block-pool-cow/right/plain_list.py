"""The queue is a plain list; a slice takes its head."""


class BlockPool:
    def __init__(self, num_blocks):
        self.queue = list(range(num_blocks))
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return len(self.queue)

    def allocate(self, n):
        if len(self.queue) < n:
            return None
        blocks, self.queue = self.queue[:n], self.queue[n:]
        for block in blocks:
            self.ref_cnt[block] += 1
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if not self.ref_cnt[block]:
                self.queue.append(block)


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        size = self.block_size
        room = len(self.block_table) * size - self.num_tokens
        growth = max(0, n - room + size - 1) // size
        copy = 1 if room and self.pool.ref_cnt[self.block_table[-1]] > 1 else 0
        blocks = self.pool.allocate(copy + growth)
        if blocks is None:
            raise MemoryError
        if copy:
            old, self.block_table[-1] = self.block_table[-1], blocks[0]
            self.pool.copies.append((old, blocks[0]))
            self.pool.free([old])
        self.block_table.extend(blocks[copy:])
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens = self.num_tokens
        twin.block_table = self.block_table.copy()
        self.pool.share(twin.block_table)
        return twin

    def slot_mapping(self, positions):
        return [self.block_table[p // self.block_size] * self.block_size + p % self.block_size for p in positions]

    def free(self):
        table, self.block_table, self.num_tokens = self.block_table, [], 0
        self.pool.free(table)
