"""The free queue is a linked list threaded through the block numbers; pairs of copies are lists."""

NOBODY = -1


class BlockPool:
    def __init__(self, num_blocks):
        self.after = [*range(1, num_blocks), NOBODY]
        self.head, self.tail = 0, num_blocks - 1
        self.free_count = num_blocks
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return self.free_count

    def allocate(self, n):
        if n > self.free_count:
            return None
        return [self.pop_head() for _ in range(n)]

    def pop_head(self):
        block = self.head
        self.head, self.after[block] = self.after[block], NOBODY
        if self.head == NOBODY:
            self.tail = NOBODY
        self.free_count -= 1
        self.ref_cnt[block] = 1
        return block

    def push_tail(self, block):
        if self.tail == NOBODY:
            self.head = block
        else:
            self.after[self.tail] = block
        self.tail = block
        self.free_count += 1

    def share(self, blocks):
        for block in blocks:
            self.ref_cnt[block] += 1

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.push_tail(block)


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.block_table = []

    def append(self, n):
        spare = -self.num_tokens % self.block_size
        copies = 1 if spare and self.pool.ref_cnt[self.block_table[-1]] > 1 else 0
        beyond = n - spare
        growth = 1 + (beyond - 1) // self.block_size if beyond > 0 else 0
        if copies + growth > self.pool.num_free():
            raise MemoryError("more blocks needed than are free")
        for _ in range(copies):
            old = self.block_table[-1]
            self.block_table[-1] = self.pool.pop_head()
            self.pool.copies.append([old, self.block_table[-1]])
            self.pool.ref_cnt[old] -= 1
        self.block_table += [self.pool.pop_head() for _ in range(growth)]
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        for block in self.block_table:
            twin.block_table.append(block)
            self.pool.share([block])
        twin.num_tokens = self.num_tokens
        return twin

    def slot_mapping(self, positions):
        slots = [block * self.block_size + i for block in self.block_table for i in range(self.block_size)]
        return [slots[position] for position in positions]

    def free(self):
        while self.block_table:
            self.pool.free([self.block_table.pop(0)])
        self.num_tokens = 0
