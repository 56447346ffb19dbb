"""Hidden tests of 127: legal calls only, many of them where mistakes live."""

from practice.judging import Group, Op, Plan, peek, plans

from . import oracle

WATCH = {"BlockPool": ("num_free()", "ref_cnt", "copies"), "Sequence": ("num_tokens", "block_table")}
NAMES = {"BlockPool": ["pool", "pool2"], "Sequence": list("abcdefghijkl")}
BLOCK_SIZES = [4, 2, 3, 1, 5, 8, 16, 7]
MOST_SEQUENCES = 8


class Run:
    """One run in progress: the pool, the live sequences and the blocks taken from the pool by hand."""

    def __init__(self, answer, num_blocks, block_size):
        self.answer, self.block_size = answer, block_size
        self.pool = answer.BlockPool(num_blocks)
        self.sequences = [answer.Sequence(self.pool, block_size)]
        self.taken = []
        answer.count("pools_of_1_to_64" if num_blocks <= 64 else "pools_of_1000_or_more")

    def choose(self, op):
        return self.sequences[op.pick % len(self.sequences)]

    def append(self, sequence, n):
        """Append, and count what was going on."""
        table = sequence.block_table
        shared = bool(table) and self.pool.ref_cnt[table[-1]] > 1
        full = sequence.num_tokens % self.block_size == 0
        copies = len(self.pool.copies)
        self.answer.count("appends")
        try:
            sequence.append(n)
        except MemoryError:
            self.answer.count("refused_appends")
            return
        self.answer.count("copies_on_write", len(self.pool.copies) - copies)
        if shared and full:
            self.answer.count("appends_onto_shared_full_block")

    def room(self, sequence):
        """How many tokens this sequence can still take."""
        spare = -sequence.num_tokens % self.block_size
        free = peek(self.pool).num_free()
        if spare and self.pool.ref_cnt[sequence.block_table[-1]] > 1:
            free -= 1
            if free < 0:
                return 0
        return spare + free * self.block_size

    def fork(self, sequence):
        twin = sequence.fork()
        self.sequences.append(twin)
        return twin

    # --- the steps of a plan ---

    def step_append(self, op):
        self.append(self.choose(op), 1 + op.amount % (2 * self.block_size + 1))

    def step_write(self, op):
        self.append(self.choose(op), 1)

    def step_fill(self, op):
        """Up to the end of the last block, fork, and write on: nothing may be copied."""
        sequence = self.choose(op)
        self.append(sequence, -sequence.num_tokens % self.block_size or self.block_size)
        if len(self.sequences) < MOST_SEQUENCES:
            self.append(self.fork(sequence), 1)

    def step_brim(self, op):
        """Exactly as much as fits."""
        sequence = self.choose(op)
        if 0 < self.room(sequence) <= 400:
            self.append(sequence, self.room(sequence))

    def step_overflow(self, op):
        """One token too many, then what fits after all."""
        sequence = self.choose(op)
        if self.room(sequence) <= 400:
            self.append(sequence, self.room(sequence) + 1)
            if op.amount % 2 and self.room(sequence):
                self.append(sequence, 1)

    def step_fork(self, op):
        if len(self.sequences) < MOST_SEQUENCES:
            self.fork(self.choose(op))

    def step_branch(self, op):
        """Fork in the middle of a block, write on both sides, give one up."""
        parent = self.choose(op)
        if len(self.sequences) >= MOST_SEQUENCES or not self.room(parent):
            self.step_retire(op)
            return
        if parent.num_tokens % self.block_size == 0:
            self.append(parent, 1)
        twin = self.fork(parent)
        for sequence in (twin, parent) if op.amount % 2 else (parent, twin):
            self.append(sequence, 1 + op.amount // 2 % 3)
        if op.amount % 5:
            self.sequences.remove(twin)
            twin.free()

    def step_retire(self, op):
        if len(self.sequences) > 1:
            self.sequences.pop(op.pick % len(self.sequences)).free()

    def step_restart(self, op):
        """Free, free again, and start afresh with the same object."""
        sequence = self.choose(op)
        sequence.free()
        if op.amount % 3 == 0:
            sequence.free()
        if op.amount % 2:
            self.append(sequence, 1 + op.amount % 5)

    def step_slots(self, op):
        sequence = self.choose(op)
        positions = list(range(sequence.num_tokens))
        if op.amount % 3 == 1:
            positions = positions[::-1] + positions[-1:]
        elif op.amount % 3 == 2:
            positions = positions[:: 1 + op.amount % 4][: op.amount % 7]
        sequence.slot_mapping(positions)

    def step_take(self, op):
        blocks = self.pool.allocate(op.amount % 5)
        if blocks:
            self.taken.append(blocks)

    def step_take_more_than_there_is(self, op):
        self.pool.allocate(peek(self.pool).num_free() + 1 + op.amount % 3)

    def step_give(self, op):
        if self.taken:
            blocks = self.taken.pop(op.pick % len(self.taken))
            self.pool.free(blocks[::-1] if op.amount % 2 else blocks)

    def step_share(self, op):
        if self.taken:
            blocks = self.taken[op.pick % len(self.taken)]
            self.pool.share(blocks)
            self.taken.append(list(blocks))

    def step_second_pool(self, op):
        """A pool beside the first: what one does must not show in the other."""
        if isinstance(self, SecondPool):
            return
        second = SecondPool(self.answer, 1 + op.pick % 6, self.block_size)
        self.answer.count("runs_with_two_pools")
        for kind in ("append", "branch", "retire", "take")[: 1 + op.amount % 4]:
            getattr(second, f"step_{kind}")(op)
        self.step_write(op)


class SecondPool(Run):
    """The same steps on another pool of the same run."""


def play(answer, plan):
    run = Run(answer, plan.num_blocks, plan.block_size)
    for op in plan.ops:
        getattr(run, f"step_{op.kind}")(op)


def explain(state):
    """Which rule of the pool a state breaks, in words."""
    counts, free = state.get("pool.ref_cnt"), state.get("pool.num_free()")
    tables = [value for name, value in state.items() if name.endswith(".block_table") and type(value) is list]
    if type(counts) is not list or any(type(count) is not int for count in counts):
        return None
    negative = [block for block, count in enumerate(counts) if count < 0]
    if negative:
        return f"ref_cnt[{negative[0]}] is {counts[negative[0]]}: more owners left than there were"
    if type(free) is int and free != counts.count(0):
        return f"{free} blocks are called free, but {counts.count(0)} have no owner"
    for block in range(len(counts)):
        owners = sum(table.count(block) for table in tables)
        if "pool2.ref_cnt" not in state and owners > counts[block]:
            return f"block {block} stands in {owners} tables, but ref_cnt[{block}] is {counts[block]}"
    return None


def _always():
    """Every pool size from 1 to 64 and two large ones, each with a short script."""
    script = [("append", 0, 2), ("fork", 0, 0), ("write", 0, 0), ("write", 1, 0), ("branch", 1, 1), ("overflow", 0, 0)]
    for num_blocks in [*range(1, 65), 1000, 4096]:
        block_size = 2 + num_blocks % 7
        yield Plan({"num_blocks": num_blocks, "block_size": block_size}, [Op(*step) for step in script])


COMMON = {"play": play, "oracle": oracle, "watch": WATCH, "names": NAMES, "explain": explain}
POOL = {"take": 5, "give": 4, "share": 3, "take_more_than_there_is": 2}
GROWTH = {"append": 5, "write": 3, "slots": 2, "restart": 2, "brim": 2, "overflow": 3, "take": 2, "give": 2}
SHARING = {"append": 4, "branch": 20, "write": 4, "fork": 4, "fill": 3, "retire": 7, "overflow": 2, "brim": 1}
SHARING |= {"slots": 2, "restart": 2, "take": 1, "give": 1, "share": 1, "second_pool": 2}
SIZES = [8, 16, 4, 24, 3, 32, 2, 12, 64, 6, 5, 1]

GROUPS = [
    Group(
        name="pool",
        title={"en": "the pool: allocate, free, share", "zh": "块池：allocate、free、share"},
        points=20,
        plans=plans(POOL, (6, 24), num_blocks=[8, 4, 16, 3, 5, 2, 1], block_size=[4]),
        programs=20,
        hint={
            "en": "the pool: who waits in the queue, and in which order.",
            "zh": "“块池”一节：谁在队列里、按什么次序。",
        },
        **COMMON,
    ),
    Group(
        name="growth",
        title={"en": "one sequence grows, is refused, starts again", "zh": "单个序列：增长、被拒绝、重新开始"},
        points=25,
        plans=plans(GROWTH, (6, 20), num_blocks=SIZES, block_size=BLOCK_SIZES),
        programs=25,
        hint={
            "en": "the sequence: how many blocks a table has, and what a refused append leaves behind.",
            "zh": "“序列”一节：块表有几项，以及被拒绝的 append 留下什么。",
        },
        **COMMON,
    ),
    Group(
        name="sharing",
        title={"en": "fork and copy-on-write", "zh": "fork 与写时复制"},
        points=45,
        plans=plans(SHARING, (12, 30), num_blocks=[8, 16, 24, 32, 12, 48, 6, 64, 40, 4, 3, 2], block_size=BLOCK_SIZES),
        programs=70,
        always=list(_always()),
        hint={
            "en": "fork and copy-on-write: when a block is copied, and when not.",
            "zh": "“fork 与写时复制”一节：什么时候复制块，什么时候不复制。",
        },
        **COMMON,
    ),
]
