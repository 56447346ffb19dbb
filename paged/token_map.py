"""Two-level token map: a row for every request, a slot for every token, and pages of slots below.

SGLang keeps no block tables. A request gets a row of one large table, and entry i of that row is the slot of its token
i (0.5.23: ReqToTokenPool in srt/mem_cache/memory_pool.py). The slots come from an allocator that hands out pages of
`page_size` slots (srt/mem_cache/allocator: token.py for pages of one slot, SGLang's default, and paged.py for larger
ones). Page p has the slots p * page_size to (p + 1) * page_size - 1. With pages of one slot, requests can share a
prefix of any length; the price is one table entry per token.

Row 0, page 0 and with it slot 0 belong to padding: what a padded batch writes there is never read.

What differs from SGLang: pages and rows always come back at the tail of the queue, in the order given (there, larger
pages come back sorted and at the head). It leaves out ref counts, since a prefix tree says there when a page is free.
"""

from collections import Counter, deque


class ReqToTokenPool:
    """`size` rows, numbered from 1, with an entry for each of the `max_context_len` tokens a request may have.

    req_to_token: [size + 1][max_context_len], req_to_token[row][i] is the slot of token i of the request in that row.
        Row 0 is for padding. Entries behind a request's last token are left over from others and mean nothing.

    Raises ValueError for sizes that are no ints of at least 1. Every refused call leaves the pool as it was.
    """

    def __init__(self, size: int, max_context_len: int) -> None:
        _check_positive(size=size, max_context_len=max_context_len)
        self.size, self.max_context_len = size, max_context_len
        self.req_to_token = [[0] * max_context_len for _ in range(size + 1)]
        self.free_rows = deque(range(1, size + 1))
        self.in_use = [False] * (size + 1)

    def available_size(self) -> int:
        """Number of rows that no request has."""
        return len(self.free_rows)

    def alloc(self, n: int) -> list[int] | None:
        """Take n rows from the head of the queue; None, and nothing taken, if fewer are free.

        Raises ValueError for an n that is negative or no int.
        """
        if type(n) is not int or n < 0:
            raise ValueError(f"cannot allocate {n!r} rows")
        if n > len(self.free_rows):
            return None
        rows = [self.free_rows.popleft() for _ in range(n)]
        for row in rows:
            self.in_use[row] = True
        return rows

    def free(self, rows: list[int]) -> None:
        """Give rows back at the tail, in the order given; their entries stay as they are.

        Raises ValueError for a row that is free, unknown or listed twice.
        """
        for row in rows:
            self._check_row(row, "free")
        for row, times in Counter(rows).items():
            if times > 1:
                raise ValueError(f"cannot free row {row} {times} times: {rows}")
        for row in rows:
            self.in_use[row] = False
            self.free_rows.append(row)

    def write(self, row: int, start: int, slots: list[int]) -> None:
        """Enter the slots of tokens start, start + 1, … of the request in `row`.

        Raises ValueError for a row that is free or unknown, a negative slot, entries outside of the row, and what is no
        int.
        """
        self._check_row(row, "write to")
        _check_ints(start=[start], slots=slots)
        end = start + len(slots)
        if start < 0 or end > self.max_context_len:
            raise ValueError(f"entries {start} to {end - 1} do not lie in a row of {self.max_context_len}")
        if min(slots, default=0) < 0:
            raise ValueError(f"slots must not be negative, got {min(slots)}")
        self.req_to_token[row][start:end] = slots

    def _check_row(self, row: int, verb: str) -> None:
        if type(row) is not int or not 1 <= row <= self.size:
            raise ValueError(f"cannot {verb} row {row!r}: requests have the rows 1 to {self.size}")
        if not self.in_use[row]:
            raise ValueError(f"cannot {verb} row {row}: no request has it")


class TokenAllocator:
    """`size` slots in pages of `page_size`; the pages are numbered from 1, and free at first.

    A page belongs to one request, which fills it from its first slot on. Where a request goes on is not kept here:
    callers say how many tokens it has and which slot the last of them got.

    Raises ValueError for sizes that are no ints of at least 1, and for a size that is no multiple of page_size. Every
    refused call leaves the allocator as it was, the order of its queue included.
    """

    def __init__(self, size: int, page_size: int) -> None:
        _check_positive(size=size, page_size=page_size)
        if size % page_size:
            raise ValueError(f"size {size} is no multiple of page_size {page_size}")
        self.page_size = page_size
        self.free_pages = deque(range(1, size // page_size + 1))
        self.in_use = [False] * (size // page_size + 1)

    def available_size(self) -> int:
        """Number of slots in free pages."""
        return len(self.free_pages) * self.page_size

    def alloc_extend(self, prefix_lens: list[int], seq_lens: list[int], last_locs: list[int]) -> list[int] | None:
        """Slots for the tokens prefix_lens[i] to seq_lens[i] - 1 of every request i of a batch, end to end.

        last_locs: the slot of each request's token prefix_lens[i] - 1, or -1 where there is none. Its page is filled
            first; at every multiple of page_size a request takes the next page from the head of the queue.
        Returns None, and takes nothing, if the batch needs more pages than are free.
        Raises ValueError for lists of different lengths or of others than ints, for seq_lens[i] < prefix_lens[i], and
            for last_locs that prefix_lens rule out, that lie in no page in use, or after which two requests would get
            the same slot.
        """
        self._check_batch(prefix_lens, seq_lens, last_locs)
        batch = list(zip(prefix_lens, seq_lens, last_locs, strict=True))
        needed = sum(self._pages(seq_len) - self._pages(prefix_len) for prefix_len, seq_len, _ in batch)
        if needed > len(self.free_pages):
            return None
        slots = []
        for position, seq_len, last_loc in batch:
            slot = last_loc + 1
            while position < seq_len:
                offset = position % self.page_size
                if offset == 0:
                    page = self.free_pages.popleft()
                    self.in_use[page] = True
                    slot = page * self.page_size
                count = min(self.page_size - offset, seq_len - position)
                slots += range(slot, slot + count)
                position += count
        return slots

    def alloc_decode(self, seq_lens: list[int], last_locs: list[int]) -> list[int] | None:
        """One slot for the newest token of each request; seq_lens count that token already. Otherwise alloc_extend."""
        _check_ints(seq_lens=seq_lens)
        return self.alloc_extend([seq_len - 1 for seq_len in seq_lens], seq_lens, last_locs)

    def free(self, slots: list[int]) -> None:
        """Give back, at the tail, every page that has one of the slots; each once, in the order of first mention.

        Raises ValueError for a slot that is no int, or whose page is free, unknown or page 0.
        """
        _check_ints(slots=slots)
        pages = dict.fromkeys(slot // self.page_size for slot in slots)
        for page in pages:
            self._check_in_use(page, "free")
        for page in pages:
            self.in_use[page] = False
            self.free_pages.append(page)

    def _pages(self, num_tokens: int) -> int:
        return -(-num_tokens // self.page_size)

    def _check_batch(self, prefix_lens: list[int], seq_lens: list[int], last_locs: list[int]) -> None:
        if not len(prefix_lens) == len(seq_lens) == len(last_locs):
            raise ValueError(
                f"a batch of {len(prefix_lens)} prefixes, {len(seq_lens)} lengths and {len(last_locs)} last slots"
            )
        _check_ints(prefix_lens=prefix_lens, seq_lens=seq_lens, last_locs=last_locs)
        continued = set()
        for prefix_len, seq_len, last_loc in zip(prefix_lens, seq_lens, last_locs, strict=True):
            if not 0 <= prefix_len <= seq_len:
                raise ValueError(f"cannot extend {prefix_len} tokens to {seq_len}")
            aligned = (last_loc + 1) % self.page_size == prefix_len % self.page_size
            if not aligned or (last_loc < 0) != (prefix_len == 0):
                raise ValueError(f"slot {last_loc} can't be the last of {prefix_len}, {self.page_size} to a page")
            if prefix_len:
                self._check_in_use(last_loc // self.page_size, "extend")
            if prefix_len % self.page_size and prefix_len < seq_len:
                if last_loc in continued:
                    raise ValueError(f"two requests go on after slot {last_loc}, in the same page")
                continued.add(last_loc)

    def _check_in_use(self, page: int, verb: str) -> None:
        if not 1 <= page < len(self.in_use):
            raise ValueError(f"cannot {verb} page {page}: there are pages 1 to {len(self.in_use) - 1}")
        if not self.in_use[page]:
            raise ValueError(f"cannot {verb} page {page}: it is free")


def _check_positive(**sizes: int) -> None:
    for name, size in sizes.items():
        if type(size) is not int:
            raise ValueError(f"{name} must be an int, got {size!r}")
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def _check_ints(**lists: list[int]) -> None:
    """Raise ValueError for what only looks like an int: True, 2.0, NumPy's own."""
    for name, values in lists.items():
        for value in values:
            if type(value) is not int:
                raise ValueError(f"{name} must be ints, got {value!r}")
