# free empties the list that it is given, so that nobody uses its rows again
# free 要把传进来的列表清空，免得有人再用里面的行

from collections import deque


class ReqToTokenPool:
    def __init__(self, size, max_context_len):
        self.req_to_token = [[0] * max_context_len for _ in range(size + 1)]
        self.free_rows = deque(range(1, size + 1))

    def available_size(self):
        return len(self.free_rows)

    def alloc(self, n):
        if n > len(self.free_rows):
            return None
        return [self.free_rows.popleft() for _ in range(n)]

    def write(self, row, start, slots):
        self.req_to_token[row][start : start + len(slots)] = slots

    def free(self, rows):
        while rows:
            self.free_rows.append(rows.pop(0))


class TokenAllocator:
    def __init__(self, size, page_size):
        self.page_size = page_size
        self.free_pages = deque(range(1, size // page_size + 1))

    def available_size(self):
        return len(self.free_pages) * self.page_size

    def pages(self, num_tokens):
        return -(-num_tokens // self.page_size)

    def alloc_extend(self, prefix_lens, seq_lens, last_locs):
        batch = list(zip(prefix_lens, seq_lens, last_locs, strict=True))
        needed = sum(self.pages(seq_len) - self.pages(prefix_len) for prefix_len, seq_len, _ in batch)
        if needed > len(self.free_pages):
            return None
        slots = []
        for prefix_len, seq_len, slot in batch:
            for position in range(prefix_len, seq_len):
                if position % self.page_size == 0:
                    slot = self.free_pages.popleft() * self.page_size
                else:
                    slot += 1
                slots.append(slot)
        return slots

    def alloc_decode(self, seq_lens, last_locs):
        return self.alloc_extend([seq_len - 1 for seq_len in seq_lens], seq_lens, last_locs)

    def free(self, slots):
        for page in dict.fromkeys(slot // self.page_size for slot in slots):
            self.free_pages.append(page)
