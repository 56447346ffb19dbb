"""Like SGLang's kernel: fill the old page, then whole pages, then begin the last one."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice


@dataclass
class ReqToTokenPool:
    size: int
    max_context_len: int
    req_to_token: list[list[int]] = field(init=False)
    free_slots: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.req_to_token = [[0] * self.max_context_len for _ in range(1 + self.size)]
        self.free_slots = [*range(1, 1 + self.size)]

    def available_size(self) -> int:
        return len(self.free_slots)

    def alloc(self, n: int) -> list[int] | None:
        if len(self.free_slots) < n:
            return None
        rows = self.free_slots[:n]
        del self.free_slots[:n]
        return rows

    def write(self, row: int, start: int, slots: list[int]) -> None:
        line = self.req_to_token[row]
        self.req_to_token[row] = line[:start] + list(slots) + line[start + len(slots) :]

    def free(self, rows: list[int]) -> None:
        for row in rows:
            self.free_slots.append(row)


@dataclass
class TokenAllocator:
    size: int
    page_size: int

    def __post_init__(self) -> None:
        self.free_pages: dict[int, None] = dict.fromkeys(range(1, self.size // self.page_size + 1))

    def available_size(self) -> int:
        return self.page_size * len(self.free_pages)

    def _take(self, n: int) -> list[int]:
        pages = list(islice(self.free_pages, n))
        for page in pages:
            del self.free_pages[page]
        return pages

    def _parts(self, prefix_len: int, seq_len: int) -> tuple[int, int, int]:
        """Tokens for the old page, whole pages, tokens for a last page."""
        old = min(seq_len - prefix_len, -prefix_len % self.page_size)
        whole, tail = divmod(seq_len - prefix_len - old, self.page_size)
        return old, whole, tail

    def alloc_extend(self, prefix_lens: list[int], seq_lens: list[int], last_locs: list[int]) -> list[int] | None:
        parts = [self._parts(*lens) for lens in zip(prefix_lens, seq_lens, strict=True)]
        if sum(whole + bool(tail) for _, whole, tail in parts) > len(self.free_pages):
            return None
        slots: list[int] = []
        for last_loc, (old, whole, tail) in zip(last_locs, parts, strict=True):
            slots.extend(last_loc + 1 + i for i in range(old))
            for page in self._take(whole):
                slots.extend(page * self.page_size + i for i in range(self.page_size))
            for page in self._take(1 if tail else 0):
                slots.extend(page * self.page_size + i for i in range(tail))
        return slots

    def alloc_decode(self, seq_lens: list[int], last_locs: list[int]) -> list[int] | None:
        at_start = [(seq_len - 1) % self.page_size == 0 for seq_len in seq_lens]
        if sum(at_start) > len(self.free_pages):
            return None
        pages = iter(self._take(sum(at_start)))
        return [
            next(pages) * self.page_size if new else last_loc + 1
            for new, last_loc in zip(at_start, last_locs, strict=True)
        ]

    def free(self, slots: list[int]) -> None:
        for slot in slots:
            self.free_pages.setdefault(slot // self.page_size)
