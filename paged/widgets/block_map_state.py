"""What the block map shows after a call: counts, owners, the free queue, and what is written in each block.

Contents are a model of the memory, one token per slot: (the sequence that wrote it, its position). Pairs that a call
adds to `pool.copies` are carried out first, then each sequence's further tokens go to where its table points. A token
that a sequence should find there and does not is lost: overwritten, or in a block that nobody copied.

All of it is kept in runs, block by block. A sequence that claims more tokens than the pool's blocks hold is not drawn,
and neither is a table longer than the pool: that is said instead, before anything is kept of them.
"""

from __future__ import annotations

import copy
import io
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from paged.widgets.block_map_desk import Desk
from paged.widgets.block_map_objects import MOST_COPIES
from paged.widgets.block_map_pages import Page, Run, joined
from paged.widgets.block_map_reading import Reader, Trouble, whole_numbers


@dataclass(frozen=True)
class Owner:
    """A sequence, or what an allocation still holds: then tokens is None, and listed is what its name stands for."""

    number: int  # of its colour, from 0
    table: tuple[int, ...]
    tokens: int | None
    drawn: int = 0  # tokens that are followed: all, or none where the pool's blocks hold fewer
    lost: int = 0
    meant: tuple[Page, ...] = ()  # by logical block
    listed: tuple[int, ...] = ()


@dataclass(frozen=True)
class State:
    """queue and num_free are None where the pool does not say; copied are the pairs that the last call asked for."""

    counts: tuple[int, ...]
    contents: tuple[Page, ...]
    owners: dict[str, Owner]
    queue: tuple[int, ...] | None
    num_free: int | None
    copies: tuple[tuple[int, int], ...]
    copied: tuple[tuple[int, int], ...]
    troubles: tuple[Trouble, ...] = ()

    def same(self, other: State) -> bool:
        """Whether a call that led from one to the other has left no trace."""
        return replace(self, copied=(), troubles=()) == replace(other, copied=(), troubles=())

    def news(self, before: State | None) -> list[Trouble]:
        """The troubles that were not there before."""
        known = before.troubles if before else ()
        return [each for each in self.troubles if not any(each.alike(other) for other in known)]


def observe(desk: Desk, before: State | None = None, born: Iterable[str] = ()) -> State:
    """The state now; `before` is the one before the last call, `born` names the sequences that this call made.

    What the learner's code prints while it is looked at is not shown, and what it raises is among the troubles.
    """
    with redirect_stdout(io.StringIO()):
        return _observe(desk, before, born)


def _observe(desk: Desk, before: State | None, born: Iterable[str]) -> State:
    reader, pool, num_blocks = Reader(), desk.pool, desk.num_blocks
    counts = _padded(reader.several("pool.ref_cnt", lambda: pool.ref_cnt, num_blocks), num_blocks)
    num_free = reader.one("pool.num_free()", lambda: pool.num_free())
    copies = _pairs(reader, pool)
    owners = {name: _sequence(reader, name, each, desk) for name, each in desk.sequences.items()}
    for name, blocks in desk.held.items():
        owners[name] = Owner(desk.numbers[name], tuple(blocks), None, listed=tuple(desk.lists[name]))
    queue = _free_order(reader, pool, num_blocks)
    copied = ()
    if before is not None:
        copied = copies[len(before.copies) :] if copies[: len(before.copies)] == before.copies else copies
    contents, owners = _written(before, owners, counts, copied, born, desk.block_size)
    return State(counts, contents, owners, queue, num_free, copies, copied, tuple(reader.troubles))


def _free_order(reader: Reader, pool: Any, num_blocks: int) -> tuple[int, ...] | None:
    """The free queue from head to tail: a copy of the pool is drained. None where that does not tell.

    A pool with troubles of its own is not even copied, since its lists may be of any length.
    """
    if any(each.values["what"].startswith("pool.") for each in reader.troubles):
        return None
    twin = reader.get("copy.deepcopy(pool)", lambda: _copied(pool))
    try:
        count = twin.num_free()
        if not 0 <= count <= num_blocks:
            return None
        order = whole_numbers(twin.allocate(count), num_blocks + 1)
    except BaseException:  # there is no copy, or the learner's allocate is not finished
        return None
    return order if len(order) == count == len(set(order)) else None


def _copied(pool: Any) -> Any:
    try:
        return copy.deepcopy(pool)
    except Exception:  # not every object can be copied, and that is no trouble
        return None


def _written(
    before: State | None,
    owners: dict[str, Owner],
    counts: tuple[int, ...],
    copied: Iterable[tuple[int, int]],
    born: Iterable[str],
    block_size: int,
) -> tuple[tuple[Page, ...], dict[str, Owner]]:
    """Contents and owners after the copies and the writes of a call.

    A sequence that is born has the tokens that are there already. At first nobody knows who wrote what: of the
    sequences that share a block, the first one counts as the one that did.
    """
    pages = list(before.contents) if before else [Page()] * len(counts)
    for block, count in enumerate(counts):
        if before and count > 0 and before.counts[block] == 0:
            pages[block] = Page()
    for old, new in copied:
        if 0 <= old < len(pages) and 0 <= new < len(pages):
            pages[new] = pages[old]

    def block_of(owner: Owner, logical: int) -> int | None:
        block = owner.table[logical] if logical < len(owner.table) else -1
        return block if 0 <= block < len(pages) else None

    def there(owner: Owner, logical: int) -> Page:
        block = block_of(owner, logical)
        return Page() if block is None else pages[block]

    def further(name: str, owner: Owner, logical: int, start: int, stop: int) -> tuple[Run, ...]:
        """What lies at these offsets once the sequence's tokens are written; found ones stay as they are."""
        found = there(owner, logical).cut(start, stop) if before is None or name in born else (("", 0, stop - start),)
        if name in born:
            return found
        runs, offset = [], start
        for writer, first, count in found:
            runs.append((writer, first, count) if writer else (name, logical * block_size + offset, count))
            offset += count
        block = block_of(owner, logical)
        if block is not None:
            pages[block] = pages[block].with_runs(start, runs)
        return tuple(runs)

    for name, owner in owners.items():
        known = before.owners[name].meant if before and name in before.owners and name not in born else ()
        full = min(before.owners[name].drawn, owner.drawn) // block_size if known else 0
        meant = list(known[:full])
        for logical in range(full, -(-owner.drawn // block_size)):
            stop = min(block_size, owner.drawn - logical * block_size)
            page = known[logical].head(stop) if logical < len(known) else Page()
            if len(page) < stop:
                page = joined((*page.runs, *further(name, owner, logical, len(page), stop)))
            meant.append(page)
        owners[name] = replace(owner, meant=tuple(meant))
    for name, owner in owners.items():
        lost = sum(page.missing_from(there(owner, logical)) for logical, page in enumerate(owner.meant))
        owners[name] = replace(owner, lost=lost)
    return tuple(pages), owners


def _sequence(reader: Reader, name: str, sequence: Any, desk: Desk) -> Owner:
    table = reader.several(f"{name}.block_table", lambda: sequence.block_table, desk.num_blocks)
    tokens = max(0, reader.one(f"{name}.num_tokens", lambda: sequence.num_tokens) or 0)
    room = desk.num_blocks * desk.block_size
    if tokens > room:
        size = {"blocks": desk.num_blocks, "size": desk.block_size, "room": room}
        reader.troubles.append(Trouble("claims", {"what": name, "count": tokens} | size))
    return Owner(desk.numbers[name], table, tokens, drawn=tokens if tokens <= room else 0)


def _padded(counts: tuple[int, ...], count: int) -> tuple[int, ...]:
    """As many counts as there were at first; -1 where there is none any more."""
    return (*counts[:count], *(-1,) * (count - len(counts)))


def _pairs(reader: Reader, pool: Any) -> tuple[tuple[int, int], ...]:
    def read() -> list[tuple[int, ...]]:
        copies = getattr(pool, "copies", ())
        several = isinstance(copies, list | tuple)
        return [whole_numbers(pair, 3) for pair in islice(copies, MOST_COPIES + 1)] if several else []

    pairs = reader.get("pool.copies", read) or []
    if len(pairs) > MOST_COPIES:
        reader.troubles.append(Trouble("many", {"what": "pool.copies", "limit": MOST_COPIES}))
        return ()
    return tuple(pair for pair in pairs if len(pair) == 2)
