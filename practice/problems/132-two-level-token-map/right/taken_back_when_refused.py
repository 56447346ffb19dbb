"""Takes page by page and puts them back when one is missing: by then the queue is empty, so its order is kept."""

from collections import deque


class ReqToTokenPool:
    def __init__(self, size, max_context_len):
        self.req_to_token = [[0] * max_context_len for _ in range(size + 1)]
        self.rows = list(range(1, size + 1))

    def available_size(self):
        return len(self.rows)

    def alloc(self, n):
        if n > len(self.rows):
            return None
        taken, self.rows = self.rows[:n], self.rows[n:]
        return taken

    def write(self, row, start, slots):
        for position, slot in enumerate(slots, start):
            self.req_to_token[row][position] = slot

    def free(self, rows):
        self.rows += rows


class TokenAllocator:
    def __init__(self, size, page_size):
        self.page_size = page_size
        self.queue = deque(range(page_size, size + page_size, page_size))  # the first slot of each page

    def available_size(self):
        return len(self.queue) * self.page_size

    def alloc_extend(self, prefix_lens, seq_lens, last_locs):
        slots, taken = [], []
        for prefix_len, seq_len, last_loc in zip(prefix_lens, seq_lens, last_locs, strict=True):
            for _ in range(prefix_len, seq_len):
                last_loc += 1
                if last_loc % self.page_size == 0:
                    if not self.queue:
                        self.queue.extend(taken)
                        return None
                    last_loc = self.queue.popleft()
                    taken.append(last_loc)
                slots.append(last_loc)
        return slots

    def alloc_decode(self, seq_lens, last_locs):
        return self.alloc_extend([0] * len(seq_lens), [1] * len(seq_lens), last_locs)

    def free(self, slots):
        while slots:
            first = slots[0] - slots[0] % self.page_size
            self.queue.append(first)
            slots = [slot for slot in slots if not first <= slot < first + self.page_size]
