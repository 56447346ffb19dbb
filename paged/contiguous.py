"""What paging replaces: memory that is handed out in one piece per request, first fit.

Each piece goes into the first hole that is large enough. Pieces come back in any order and leave holes of any size, so
a request can be refused although more slots are free in total than it asks for: external fragmentation.

What it leaves out: reserving more than is asked for (workload.utilisation counts that), and compaction, which would
have to move the keys and values of running requests.
"""

from paged.sizes import check_size, is_int


class ContiguousMemory:
    """`num_slots` slots of one token each, all of them free at first.

    pieces: the size of each piece that is handed out, by the slot it starts in.

    Raises ValueError for a num_slots that is no int of at least 1. Every refused call leaves the memory as it was.
    """

    def __init__(self, num_slots: int) -> None:
        check_size("num_slots", num_slots)
        self.num_slots = num_slots
        self.pieces: dict[int, int] = {}

    def holes(self) -> list[tuple[int, int]]:
        """(start, size) of each run of free slots, from slot 0 on; neighbouring ones are one hole."""
        holes, free_from = [], 0
        for start, size in [*sorted(self.pieces.items()), (self.num_slots, 0)]:
            if start > free_from:
                holes.append((free_from, start - free_from))
            free_from = start + size
        return holes

    def num_free(self) -> int:
        """Number of slots that nobody owns."""
        return self.num_slots - sum(self.pieces.values())

    def allocate(self, n: int) -> int | None:
        """Take n slots in a row from the first hole that has them; the first of them, or None if no hole does.

        Raises ValueError for an n that is no int of at least 1.
        """
        if not is_int(n) or n < 1:
            raise ValueError(f"cannot allocate {n!r} slots")
        for start, size in self.holes():
            if size >= n:
                self.pieces[start] = n
                return start
        return None

    def free(self, start: int) -> None:
        """Take back the piece that starts in slot `start`. Raises ValueError if none does."""
        if not is_int(start) or start not in self.pieces:
            raise ValueError(f"no piece starts in slot {start!r}; pieces start in {sorted(self.pieces)}")
        del self.pieces[start]
