"""Works on a copy of the queue, and keeps it only if all went well."""


class ReqToTokenPool:
    def __init__(self, size, max_context_len):
        self.size = size
        self.req_to_token = []
        for _ in range(size + 1):
            self.req_to_token.append([0] * max_context_len)
        self.order = {row: row for row in range(1, size + 1)}  # free row: when it came
        self.now = size

    def available_size(self):
        return len(self.order)

    def alloc(self, n):
        if n > len(self.order):
            return None
        rows = sorted(self.order, key=self.order.get)[:n]
        for row in rows:
            del self.order[row]
        return rows

    def write(self, row, start, slots):
        line = self.req_to_token[row]
        for slot in slots:
            line[start] = slot
            start += 1

    def free(self, rows):
        for row in rows:
            self.now += 1
            self.order[row] = self.now


class TokenAllocator:
    def __init__(self, size, page_size):
        self.page_size = page_size
        self.free_pages = [1 + i for i in range(size // page_size)]

    def available_size(self):
        return sum(self.page_size for _ in self.free_pages)

    def alloc_extend(self, prefix_lens, seq_lens, last_locs):
        queue = self.free_pages[:]
        slots = []
        try:
            for i in range(len(seq_lens)):
                slots += self.one(queue, prefix_lens[i], seq_lens[i], last_locs[i])
        except IndexError:
            return None
        self.free_pages = queue
        return slots

    def one(self, queue, prefix_len, seq_len, last_loc):
        page = last_loc // self.page_size
        for position in range(prefix_len, seq_len):
            offset = position % self.page_size
            if offset == 0:
                page = queue.pop(0)
            yield page * self.page_size + offset

    def alloc_decode(self, seq_lens, last_locs):
        return self.alloc_extend([n - 1 for n in seq_lens], seq_lens, last_locs)

    def free(self, slots):
        pages = []
        for slot in slots:
            page = slot // self.page_size
            if page not in pages:
                pages.append(page)
        self.free_pages = self.free_pages + pages
