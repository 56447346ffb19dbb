"""What 132 asks for, one token at a time: a free slot list per page, and back to a copy of it when pages run out."""


class ReqToTokenPool:
    def __init__(self, size, max_context_len):
        self.req_to_token = [[0 for _ in range(max_context_len)] for _ in range(size + 1)]
        self.waiting = [row for row in range(size + 1) if row > 0]

    def available_size(self):
        return len(self.waiting)

    def alloc(self, n):
        if n > len(self.waiting):
            return None
        return [self.waiting.pop(0) for _ in range(n)]

    def write(self, row, start, slots):
        for i, slot in enumerate(slots):
            self.req_to_token[row][start + i] = slot

    def free(self, rows):
        for row in rows:
            self.waiting.append(row)


class TokenAllocator:
    def __init__(self, size, page_size):
        slots = list(range(page_size, size + page_size))
        self.pages = [slots[i : i + page_size] for i in range(0, size, page_size)]
        self.page_of = {slot: page for page in self.pages for slot in page}
        self.waiting = list(self.pages)

    def available_size(self):
        return sum(len(page) for page in self.waiting)

    def alloc_extend(self, prefix_lens, seq_lens, last_locs):
        before, slots = list(self.waiting), []
        for prefix_len, seq_len, slot in zip(prefix_lens, seq_lens, last_locs, strict=True):
            for _ in range(seq_len - prefix_len):
                page = self.page_of.get(slot)
                if page and slot != page[-1]:
                    slot = page[page.index(slot) + 1]
                elif self.waiting:
                    slot = self.waiting.pop(0)[0]
                else:
                    self.waiting = before
                    return None
                slots.append(slot)
        return slots

    def alloc_decode(self, seq_lens, last_locs):
        return self.alloc_extend([seq_len - 1 for seq_len in seq_lens], seq_lens, last_locs)

    def free(self, slots):
        for slot in slots:
            if self.page_of[slot] not in self.waiting:
                self.waiting.append(self.page_of[slot])
