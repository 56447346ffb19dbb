"""What is written in a block, run by run: it costs by the block, however many tokens are in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

Run = tuple[str, int, int]  # writer, position of its first token, slots; writer "" stands for empty slots
Token = tuple[str, int]  # who wrote it, and its position there


@dataclass(frozen=True)
class Page:
    """The slots of a block from its first on, as far as anything is known of them. Iterating goes slot by slot."""

    runs: tuple[Run, ...] = ()

    def __len__(self) -> int:
        return sum(count for _, _, count in self.runs)

    def __iter__(self) -> Iterator[Token | None]:
        for writer, first, count in self.runs:
            for position in range(first, first + count):
                yield (writer, position) if writer else None

    def used(self) -> int:
        """Slots with a token in them."""
        return sum(count for writer, _, count in self.runs if writer)

    def cut(self, start: int, stop: int) -> tuple[Run, ...]:
        """The slots from `start` up to, but without, `stop`; beyond the end they are empty."""
        found: list[Run] = []
        at = 0
        for writer, first, count in (*self.runs, ("", 0, max(0, stop - len(self)))):
            low, high = max(start, at), min(stop, at + count)
            if low < high:
                found.append((writer, first + low - at if writer else 0, high - low))
            at += count
        return tuple(found)

    def head(self, count: int) -> Page:
        return joined(self.cut(0, min(count, len(self))))

    def with_runs(self, offset: int, runs: Iterable[Run]) -> Page:
        """This page with other runs from `offset` on, as long as they go."""
        runs = tuple(runs)
        end = offset + sum(count for _, _, count in runs)
        return joined((*self.cut(0, offset), *runs, *self.cut(end, max(end, len(self)))))

    def missing_from(self, other: Page) -> int:
        """Slots of this page that hold something else in the other one."""
        if self.runs == other.runs or self.runs == other.head(len(self)).runs:
            return 0
        return sum(mine != theirs for mine, theirs in zip_longest(self, joined(other.cut(0, len(self)))))


def joined(runs: Iterable[Run]) -> Page:
    """A page of these runs, neighbours that go on from one another made one."""
    found: list[Run] = []
    for writer, first, count in runs:
        if found:
            before, start, length = found[-1]
            if before == writer and (not writer or start + length == first):
                found[-1] = (writer, start, length + count)
                continue
        found.append((writer, first, count))
    return Page(tuple(found))
