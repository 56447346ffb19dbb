"""What 139 asks for, tried out: do it block by block, and go back to a snapshot where blocks run out."""


class BlockPool:
    def __init__(self, num_blocks):
        self.waiting = list(range(num_blocks))
        self.ref_cnt = [0] * num_blocks
        self.copies = []

    def num_free(self):
        return len(self.waiting)

    def allocate(self, n):
        return [self.take() for _ in range(n)] if n <= len(self.waiting) else None

    def free(self, blocks):
        for block in blocks:
            self.leave(block)

    def take(self):
        if not self.waiting:
            raise MemoryError
        block = self.waiting.pop(0)
        self.ref_cnt[block] = 1
        return block

    def leave(self, block):
        self.ref_cnt[block] -= 1
        if self.ref_cnt[block] == 0:
            self.waiting.append(block)


class Sequence:
    def __init__(self, pool, block_size):
        self.pool, self.block_size = pool, block_size
        self.num_tokens, self.block_table = 0, []

    def append(self, n):
        for _ in range(n):
            if self.num_tokens % self.block_size == 0:
                self.block_table.append(self.pool.take())
            elif self.pool.ref_cnt[self.block_table[-1]] > 1:
                old, new = self.block_table[-1], self.pool.take()
                self.pool.leave(old)
                self.pool.copies.append((old, new))
                self.block_table[-1] = new
            self.num_tokens += 1

    def fork(self):
        twin = Sequence(self.pool, self.block_size)
        twin.num_tokens, twin.block_table = self.num_tokens, list(self.block_table)
        for block in self.block_table:
            self.pool.ref_cnt[block] += 1
        return twin

    def free(self):
        for block in self.block_table:
            self.pool.leave(block)
        self.num_tokens, self.block_table = 0, []


def parallel_sample(pool, block_size, prompt_len, n, steps):
    def carried_out():
        prompt = Sequence(pool, block_size)
        prompt.append(prompt_len)
        texts = [prompt.fork() for _ in range(n)]
        prompt.free()
        for _ in range(steps):
            for text in texts:
                text.append(1)
        return texts

    return _all_or_nothing(pool, [], carried_out)


def beam_step(beams, parents):
    def carried_out():
        children = [beams[parent].fork() for parent in parents]
        for beam in beams:
            beam.free()
        for child in children:
            child.append(1)
        return children

    return _all_or_nothing(beams[0].pool, beams, carried_out)


def _all_or_nothing(pool, sequences, carried_out):
    before = list(pool.waiting), list(pool.ref_cnt), list(pool.copies)
    held = [(sequence, sequence.num_tokens, list(sequence.block_table)) for sequence in sequences]
    try:
        return carried_out()
    except MemoryError:
        pool.waiting, pool.ref_cnt, pool.copies = before
        for sequence, num_tokens, block_table in held:
            sequence.num_tokens, sequence.block_table = num_tokens, block_table
        raise
