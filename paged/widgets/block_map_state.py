"""What the block map shows after a call: counts, owners, the free queue, and what is written in each block.

Contents are a model of the memory, one token per slot: (the sequence that wrote it, its position). Pairs that a call
adds to `pool.copies` are carried out first, then each sequence's further tokens go to where its table points. A token
that a sequence should find there and does not is lost: overwritten, or in a block that nobody copied.
"""

from __future__ import annotations

import copy
import io
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from paged.widgets.block_map_desk import Desk
from paged.widgets.block_map_objects import whole_numbers

Token = tuple[str, int]  # who wrote it, and its position there
Block = tuple[Token | None, ...]  # by offset, as far as anything is written


@dataclass(frozen=True)
class Owner:
    """A sequence, or what an allocation still holds: then tokens is None, and listed is what its name stands for."""

    number: int  # of its colour, from 0
    table: tuple[int, ...]
    tokens: int | None
    lost: int = 0
    meant: tuple[Token | None, ...] = ()  # by position
    listed: tuple[int, ...] = ()


@dataclass(frozen=True)
class State:
    """queue and num_free are None where the pool does not say; copied are the pairs that the last call asked for."""

    counts: tuple[int, ...]
    contents: tuple[Block, ...]
    owners: dict[str, Owner]
    queue: tuple[int, ...] | None
    num_free: int | None
    copies: tuple[tuple[int, int], ...]
    copied: tuple[tuple[int, int], ...]

    def same(self, other: State) -> bool:
        """Whether a call that led from one to the other has left no trace."""
        return replace(self, copied=()) == replace(other, copied=())


def observe(desk: Desk, before: State | None = None, born: Iterable[str] = ()) -> State:
    """The state now; `before` is the one before the last call, `born` names the sequences that this call made.

    What the learner's code prints while it is looked at is not shown.
    """
    with redirect_stdout(io.StringIO()):
        return _observe(desk, before, born)


def _observe(desk: Desk, before: State | None, born: Iterable[str]) -> State:
    counts = _padded(whole_numbers(desk.pool.ref_cnt), desk.num_blocks)
    num_free = whole_numbers([_said(desk.pool.num_free)])
    copies = _pairs(getattr(desk.pool, "copies", ()))
    owners = {name: _sequence(desk.numbers[name], each) for name, each in desk.sequences.items()}
    for name, blocks in desk.held.items():
        owners[name] = Owner(desk.numbers[name], tuple(blocks), None, listed=tuple(desk.lists[name]))
    queue = free_order(desk.pool)
    copied = ()
    if before is not None:
        copied = copies[len(before.copies) :] if copies[: len(before.copies)] == before.copies else copies
    contents, owners = _written(before, owners, counts, copied, born, desk.block_size)
    return State(counts, contents, owners, queue, *(num_free or [None]), copies, copied)


def free_order(pool: Any) -> tuple[int, ...] | None:
    """The free queue from head to tail: a copy of the pool is drained. None where that does not tell."""
    try:
        twin = copy.deepcopy(pool)
        count = twin.num_free()
        order = whole_numbers(twin.allocate(count))
    except Exception:  # it cannot be copied, or the learner's allocate is not finished
        return None
    return order if len(order) == count == len(set(order)) else None


def _written(
    before: State | None,
    owners: dict[str, Owner],
    counts: tuple[int, ...],
    copied: Iterable[tuple[int, int]],
    born: Iterable[str],
    block_size: int,
) -> tuple[tuple[Block, ...], dict[str, Owner]]:
    """Contents and owners after the copies and the writes of a call.

    A sequence that is born has the tokens that are there already. At first nobody knows who wrote what: of the
    sequences that share a block, the first one counts as the one that did.
    """
    pages = [list(page) for page in before.contents] if before else [[] for _ in counts]
    for block, page in enumerate(pages):
        if before and counts[block] > 0 and before.counts[block] == 0:
            page.clear()
    for old, new in copied:
        if 0 <= old < len(pages) and 0 <= new < len(pages):
            pages[new] = list(pages[old])

    def at(owner: Owner, position: int) -> tuple[list[Token | None], int]:
        logical, offset = divmod(position, block_size)
        block = owner.table[logical] if logical < len(owner.table) else -1
        return (pages[block] if 0 <= block < len(pages) else []), offset

    def there(owner: Owner, position: int) -> Token | None:
        page, offset = at(owner, position)
        return page[offset] if offset < len(page) else None

    def write(name: str, owner: Owner, position: int) -> Token:
        page, offset = at(owner, position)
        page += [None] * (offset + 1 - len(page))
        page[offset] = (name, position)
        return name, position

    for name, owner in owners.items():
        known = before.owners[name].meant if before and name in before.owners and name not in born else ()
        meant = list(known[: owner.tokens or 0])
        for position in range(len(meant), owner.tokens or 0):
            token = there(owner, position) if before is None or name in born else None
            meant.append(token if token or name in born else write(name, owner, position))
        owners[name] = replace(owner, meant=tuple(meant))
    for name, owner in owners.items():
        lost = sum(there(owner, position) != token for position, token in enumerate(owner.meant))
        owners[name] = replace(owner, lost=lost)
    return tuple(map(tuple, pages)), owners


def _sequence(number: int, sequence: Any) -> Owner:
    tokens = whole_numbers([getattr(sequence, "num_tokens", None)])
    return Owner(number, whole_numbers(getattr(sequence, "block_table", ())), max(0, *tokens, 0))


def _padded(counts: tuple[int, ...], count: int) -> tuple[int, ...]:
    """As many counts as there were at first; -1 where there is none any more."""
    return (*counts[:count], *(-1,) * (count - len(counts)))


def _pairs(copies: Any) -> tuple[tuple[int, int], ...]:
    pairs = [whole_numbers(pair) for pair in copies] if isinstance(copies, list | tuple) else []
    return tuple(pair for pair in pairs if len(pair) == 2)


def _said(method: Any) -> Any:
    """What num_free says, or None where it raises."""
    try:
        return method()
    except Exception:  # the learner's own
        return None
