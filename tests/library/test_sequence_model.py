"""Random programs of sequences against a model that keeps no counts: only who owns which blocks.

The model works on names and lists. Compared are every call's result and the whole state after it; and two invariants
hold: ref_cnt[b] is the number of b's owners, and free and owned blocks together are all blocks.
"""

from math import ceil

from hypothesis import given, settings
from hypothesis import strategies as st

from paged import BlockPool, Sequence

# A branch forks and appends to both sides: that is where copies come from.
KINDS = ("branch", "append", "branch", "fork", "slots", "free", "take", "give", "bad free", "bad share")
Step = tuple[str, int, int]
programs = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 7), st.integers(1, 6)), min_size=8, max_size=40)


class Model:
    """Owners are names: ("sequence", i) or ("loan", i). `owned` maps each to its blocks, in table order."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.all_blocks = set(range(num_blocks))
        self.block_size = block_size
        self.waiting = list(range(num_blocks))
        self.owned: dict[tuple[str, int], list[int]] = {}
        self.tokens: dict[int, int] = {}
        self.copies: list[tuple[int, int]] = []

    def owners(self, block: int) -> int:
        return sum(blocks.count(block) for blocks in self.owned.values())

    def drop(self, owner: tuple[str, int]) -> None:
        blocks = self.owned.pop(owner)
        self.waiting += [block for block in blocks if self.owners(block) == 0]

    def slots(self, i: int) -> list[int]:
        size = self.block_size
        room = [block * size + offset for block in self.owned["sequence", i] for offset in range(size)]
        return room[: self.tokens[i]]

    def append(self, i: int, n: int) -> bool:
        table = self.owned["sequence", i]
        private = table[: self.tokens[i] // self.block_size]
        tail = table[len(private) :]
        moves = bool(tail) and self.owners(tail[0]) > 1
        table_size = ceil((self.tokens[i] + n) / self.block_size)
        kept = private if moves else table
        taken = self.waiting[: table_size - len(kept)]
        if len(kept) + len(taken) < table_size:
            return False
        del self.waiting[: len(taken)]
        if moves:
            self.copies.append((tail[0], taken[0]))
        self.owned["sequence", i] = kept + taken
        self.tokens[i] += n
        return True


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except (MemoryError, ValueError) as error:
        return type(error)


class Run:
    """One program on the library and on the model, side by side."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.pool = BlockPool(num_blocks)
        self.model = Model(num_blocks, block_size)
        self.sequences = {0: Sequence(self.pool, block_size)}
        self.model.owned["sequence", 0], self.model.tokens[0] = [], 0
        self.names = 1

    def step(self, kind: str, choice: int, n: int) -> None:
        model, pool = self.model, self.pool
        i = list(self.sequences)[choice % len(self.sequences)]
        sequence = self.sequences[i]
        loans = [owner for owner in model.owned if owner[0] == "loan"]
        if kind == "append":
            assert outcome(sequence.append, n) == (None if model.append(i, n) else MemoryError)
        elif kind == "branch":
            self.step("fork", choice, n)
            self.step("append", len(self.sequences) - 1, n)
            self.step("append", choice % (len(self.sequences) - 1), 1)
        elif kind == "fork":
            self.sequences[self.names] = sequence.fork()
            model.owned["sequence", self.names] = list(model.owned["sequence", i])
            model.tokens[self.names] = model.tokens[i]
            self.names += 1
        elif kind == "free":
            sequence.free()
            model.drop(("sequence", i))
            model.owned["sequence", i], model.tokens[i] = [], 0
        elif kind == "slots":
            positions = [(choice + n * k) % (model.tokens[i] + 2) for k in range(4)]
            slots = model.slots(i)
            expected = ValueError if max(positions) >= len(slots) else [slots[position] for position in positions]
            assert outcome(sequence.slot_mapping, positions) == expected
        elif kind == "take":
            expected = model.waiting[:n] if n <= len(model.waiting) else None
            assert pool.allocate(n) == expected
            if expected:
                del model.waiting[:n]
                model.owned["loan", self.names] = expected
                self.names += 1
        elif kind == "give" and loans:
            loan = loans[choice % len(loans)]
            pool.free(model.owned[loan])
            model.drop(loan)
        elif kind == "bad free" and model.waiting:
            assert outcome(pool.free, [*sequence.block_table, model.waiting[-1]]) is ValueError
        elif kind == "bad share" and model.waiting:
            assert outcome(pool.share, [*sequence.block_table, model.waiting[0]]) is ValueError

    def check(self) -> None:
        model, pool = self.model, self.pool
        assert list(pool.free_queue) == model.waiting
        assert pool.num_free() == len(model.waiting)
        assert pool.ref_cnt == [model.owners(block) for block in sorted(model.all_blocks)]
        assert set(pool.free_queue).union(*model.owned.values()) == model.all_blocks
        assert pool.copies == model.copies
        for i, sequence in self.sequences.items():
            assert sequence.block_table == model.owned["sequence", i]
            assert sequence.num_tokens == model.tokens[i]


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.sampled_from([24, 8, 60, 3, 1]), st.sampled_from([4, 2, 3, 1]), programs)
def test_any_program_agrees_with_the_model(num_blocks, block_size, program: list[Step]):
    run = Run(num_blocks, block_size)
    for step in program:
        run.step(*step)
        run.check()
