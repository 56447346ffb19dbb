"""Dataclasses, type hints, properties and small helper methods."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from collections.abc import Sequence as Numbers
from dataclasses import dataclass, field


@dataclass
class BlockPool:
    num_blocks: int
    ref_cnt: list[int] = field(init=False)
    copies: list[tuple[int, int]] = field(default_factory=list, init=False)
    _free: deque[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.ref_cnt = [0] * self.num_blocks
        self._free = deque(range(self.num_blocks))

    def num_free(self) -> int:
        return len(self._free)

    def allocate(self, n: int) -> list[int] | None:
        return [self._take() for _ in range(n)] if n <= self.num_free() else None

    def share(self, blocks: Iterable[int]) -> None:
        for block in blocks:
            self._own(block, +1)

    def free(self, blocks: Iterable[int]) -> None:
        for block in blocks:
            if self._own(block, -1) == 0:
                self._free.append(block)

    def is_shared(self, block: int) -> bool:
        return self.ref_cnt[block] > 1

    def _take(self) -> int:
        block = self._free.popleft()
        self._own(block, +1)
        return block

    def _own(self, block: int, change: int) -> int:
        self.ref_cnt[block] += change
        return self.ref_cnt[block]


@dataclass
class Sequence:
    pool: BlockPool
    block_size: int
    num_tokens: int = 0
    block_table: list[int] = field(default_factory=list)

    @property
    def room(self) -> int:
        """Free slots in the last block."""
        return len(self.block_table) * self.block_size - self.num_tokens

    @property
    def must_copy(self) -> bool:
        return self.room > 0 and self.pool.is_shared(self.block_table[-1])

    def append(self, n: int) -> None:
        growth = max(0, -((self.room - n) // self.block_size))
        needed = growth + self.must_copy
        if needed > self.pool.num_free():
            raise MemoryError(f"{needed} blocks needed, {self.pool.num_free()} free")
        if self.must_copy:
            self._copy_last()
        self.block_table += self.pool.allocate(growth) or []
        self.num_tokens += n

    def _copy_last(self) -> None:
        old = self.block_table.pop()
        self.block_table += self.pool.allocate(1) or []
        self.pool.free([old])
        self.pool.copies.append((old, self.block_table[-1]))

    def fork(self) -> Sequence:
        self.pool.share(self.block_table)
        return Sequence(self.pool, self.block_size, self.num_tokens, [*self.block_table])

    def slot_mapping(self, positions: Numbers[int]) -> list[int]:
        return [self._slot(position) for position in positions]

    def _slot(self, position: int) -> int:
        block, offset = divmod(position, self.block_size)
        return self.block_table[block] * self.block_size + offset

    def free(self) -> None:
        self.pool.free(self.block_table)
        self.num_tokens, self.block_table = 0, []
