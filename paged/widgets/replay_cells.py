"""The blocks of a pool as cells: ref count, and the sequences whose tables hold the block."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise, zip_longest

from paged.widgets.replay_values import beside, choose, counted, marks, with_gaps

MOST_CELLS = 64
FEW = 8  # blocks from 0 on that are drawn of a large pool in any case

Values = tuple[Mapping, Mapping]  # by the name of the field: what was expected, and what came
Cell = tuple[type, object, tuple[tuple[str, int], ...]]  # of the ref count its type and itself; (owner, times) each


class Pool:
    """One pool through a run. The same blocks are drawn in every frame and on both sides, so that none jumps about."""

    def __init__(self, name: str, homes: dict[str, str | None], history: list[Values]):
        """homes: the pool of every sequence of the run, in the order of their colours."""
        self.name, self.colours = name, list(homes)
        self.sequences = [sequence for sequence, home in homes.items() if home == name]
        self.answered = [bool(got) for _, got in history]
        self.frames = [tuple(map(self._cells, now)) for now in history]
        self.count = max(len(cells) for frame in self.frames for cells in frame)
        self.kept = self._choose()

    def side(self, which: int, number: int) -> dict:
        """The cells of side 0 or 1 after a call, and {gap, owned, absent} for those that are left out between them.

        A cell is {block, text, owners, free} with marks, owners: [name, colour, times in the table] each. It differs
        where its count or its owners do; the side as a whole does where there is nothing to compare it with.
        """
        cells, others = self.frames[number][which], self.frames[number][1 - which]
        old = self.frames[max(0, number - 1)][which]

        def differs(block: int) -> bool:
            return bool(others) and _at(cells, block) != _at(others, block)

        def item(block: int) -> dict:
            if block >= len(cells):
                return {"block": block, "absent": True, "differs": True}
            kind, count, owners = cells[block]
            return {
                "block": block,
                "text": repr(count)[:8],
                "owners": [[name, self.colours.index(name), times] for name, times in owners],
                "free": kind is int and count == 0,
                **marks(differs(block), bool(old) and cells[block] != _at(old, block)),
            }

        def gap(first: int, last: int) -> dict:
            hidden = cells[first : last + 1]
            left_out = {"gap": [first, last], "owned": sum(count != 0 for _, count, _ in hidden), "absent": not hidden}
            return left_out | counted(differs(block) for block in range(first, last + 1))

        alone = self.answered[number] and not others
        return {"kind": "cells", **marks(alone, False), "items": with_gaps(self.kept, self.count, item, gap)}

    def _cells(self, values: Mapping) -> list[Cell]:
        counts = values.get(f"{self.name}.ref_cnt")
        owners: dict[int, list[tuple[str, int]]] = {}
        for name in self.sequences:
            table = values.get(f"{name}.block_table")
            entries = Counter(block for block in table if type(block) is int) if type(table) is list else {}
            for block, times in entries.items():
                owners.setdefault(block, []).append((name, times))
        known = enumerate(counts) if type(counts) is list else ()
        return [(type(count), count, tuple(owners.get(block, ()))) for block, count in known]

    def _choose(self) -> list[int]:
        """All blocks of a small pool. Of a large one those that differ first, then what the last calls have changed."""
        if self.count <= MOST_CELLS:
            return list(range(self.count))
        last_first = [frame for frame, answered in zip(self.frames, self.answered, strict=True) if answered][::-1]
        differing = [block for want, have in last_first for block in _unlike(want, have)][: MOST_CELLS // 2]
        changed = [
            block for (later, _), (earlier, _) in pairwise(self.frames[::-1]) for block in _unlike(later, earlier)
        ]
        return choose([*differing, *beside(differing), *changed, *range(FEW)], self.count, MOST_CELLS)


def _at(cells: list[Cell], block: int) -> Cell | None:
    return cells[block] if block < len(cells) else None


def _unlike(one: list[Cell], other: list[Cell]) -> list[int]:
    return [block for block, (a, b) in enumerate(zip_longest(one, other)) if a != b]
