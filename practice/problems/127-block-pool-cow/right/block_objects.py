"""Every block is an object that knows its number and its owners; the lists of int are properties made from them."""

from collections import deque


class Block:
    def __init__(self, number):
        self.number = number
        self.owners = 0


class BlockPool:
    def __init__(self, num_blocks):
        self.blocks = [Block(number) for number in range(num_blocks)]
        self.idle = deque(self.blocks)
        self.moved = []

    @property
    def ref_cnt(self):
        return [block.owners for block in self.blocks]

    @property
    def copies(self):
        return [(old.number, new.number) for old, new in self.moved]

    def num_free(self):
        return len(self.idle)

    def take(self, n):
        if n > len(self.idle):
            return None
        taken = [self.idle.popleft() for _ in range(n)]
        for block in taken:
            block.owners = 1
        return taken

    def release(self, block):
        block.owners -= 1
        if block.owners == 0:
            self.idle.append(block)

    def allocate(self, n):
        taken = self.take(n)
        return None if taken is None else [block.number for block in taken]

    def share(self, blocks):
        for number in blocks:
            self.blocks[number].owners += 1

    def free(self, blocks):
        for number in blocks:
            self.release(self.blocks[number])


class Sequence:
    def __init__(self, pool, block_size):
        self.pool = pool
        self.block_size = block_size
        self.num_tokens = 0
        self.blocks = []

    @property
    def block_table(self):
        return [block.number for block in self.blocks]

    def append(self, n):
        last = self.blocks[-1] if self.num_tokens % self.block_size else None
        copy = last is not None and last.owners > 1
        taken = self.pool.take(copy - len(self.blocks) + -(-(self.num_tokens + n) // self.block_size))
        if taken is None:
            raise MemoryError("not enough free blocks")
        if copy:
            self.pool.moved.append((last, taken[0]))
            self.pool.release(self.blocks.pop())
        self.blocks += taken
        self.num_tokens += n

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens = self.num_tokens
        for block in self.blocks:
            block.owners += 1
            twin.blocks.append(block)
        return twin

    def slot_mapping(self, positions):
        return [self.blocks[p // self.block_size].number * self.block_size + p % self.block_size for p in positions]

    def free(self):
        for block in self.blocks:
            self.pool.release(block)
        self.blocks.clear()
        self.num_tokens = 0
