"""Hidden tests of 125. What is there before is negative or NaN, what is written counts up from 1: a wrong element tells
where it came from."""

from random import Random

import numpy as np

from practice.judging import Group, Op, Plan, plans

from . import oracle


class Run:
    """A cache, and calls on it. Plans name its sizes, and in `spare` what is behind a table's last block: nothing,
    padding, or blocks of other requests. first: the number in slot 0; the others count up from there. None: NaN."""

    def __init__(self, answer, plan, first):
        self.answer, self.plan = answer, plan
        self.shape = (plan.num_blocks, plan.block_size, plan.kv_heads, plan.head_dim)
        self.num_slots = plan.num_blocks * plan.block_size
        size = int(np.prod(self.shape))
        content = np.full(size, np.nan) if first is None else np.arange(first, first + size)
        self.cache = answer.given("cache", content.reshape(self.shape).astype(plan.dtype))
        self.next_value = 1

    def write(self, slots, nan=0):
        """nan: where it isn't 0, one of the rows holds nothing but NaN."""
        shape = (len(slots), *self.shape[2:])
        size = int(np.prod(shape))
        values = np.arange(self.next_value, self.next_value + size).reshape(shape).astype(self.plan.dtype)
        if nan and slots:
            values[nan % len(slots)] = np.nan
        self.next_value = (self.next_value + size) % 1900 + 1  # float16 has every whole number up to 2048
        self.answer.count("writes")
        self.answer.count("tokens_written", sum(slot >= 0 for slot in slots))
        self.answer.count("padding_skipped", slots.count(-1))
        self.answer.write(self.cache, np.array(slots, dtype="int64"), values)

    def gather(self, table, seq_len):
        used = -(-seq_len // self.plan.block_size)
        others = [block for block in range(self.plan.num_blocks) if block not in table[:used]]
        behind = {"nothing": [], "padding": [-1, -1], "others": others}[self.plan.spare]
        self.answer.count("gathers")
        self.answer.count("gathers_that_end_with_a_block", int(seq_len % self.plan.block_size == 0))
        return self.answer.gather(self.cache, table[:used] + behind, seq_len)

    def table(self, seed):
        """All blocks, the last one first; with a seed in any order, and -1 in the order of the cache."""
        blocks = list(range(self.plan.num_blocks))[:: -1 if seed >= 0 else 1]
        if seed < 0:
            return blocks
        return Random(seed).sample(blocks, len(blocks)) if seed else blocks


def written(answer, plan):
    """A run whose cache holds what earlier requests left behind, or NaN."""
    size = plan.num_blocks * plan.block_size * plan.kv_heads * plan.head_dim
    return Run(answer, plan, None if plan.stale == "nan" else -size)


def slots_of(run, op):
    """Different slots, as many as the kind of step wants: some anywhere, those around the end of a block, …"""
    size, last = run.plan.block_size, run.num_slots - 1
    if op.kind == "anywhere":
        return Random(op.pick).sample(range(last + 1), min(last + 1, 1 + op.amount % 7))
    if op.kind == "ends":
        return [last, 0][: 1 + op.amount % 2]
    if op.kind == "boundary":
        middle = (1 + op.pick % run.plan.num_blocks) * size
        return [slot for slot in (middle - 1, middle, middle + 1) if slot <= last]
    if op.kind == "block":
        block = op.pick % run.plan.num_blocks
        return list(range(block * size, (block + 1) * size))
    return []


def play_writes(answer, plan):
    run = written(answer, plan)
    for op in plan.ops:
        run.write(slots_of(run, op), op.amount % 4 if plan.fresh == "nan" else 0)


def play_padding(answer, plan):
    """-1 before, between and behind the slots; a call may have nothing else."""
    run = written(answer, plan)
    for op in plan.ops:
        slots = slots_of(run, op)
        for n in range(1 + op.amount % 3):
            slots.insert((op.pick + n * n) % (len(slots) + 1), -1)
        run.write(slots)


def play_gathers(answer, plan):
    """Lengths on both sides of every end of a block."""
    run = Run(answer, plan, 1)
    for op in plan.ops:
        block_ends = [n * plan.block_size for n in range(plan.num_blocks + 1)]
        length = block_ends[op.pick % len(block_ends)] + (0, 1, -1)[op.amount % 3]
        run.gather(run.table(op.amount // 3), min(max(length, 0), run.num_slots))


def play_growth(answer, plan):
    """One request grows; what was gathered before must not change with the cache, but a view of the cache must."""
    run = written(answer, plan)
    if plan.seen_flat:
        run.cache.reshape(run.num_slots, *run.shape[2:])
    table = run.table(plan.seed)
    seq_len = 0
    for op in plan.ops:
        grown = min(seq_len + 1 + op.amount % (plan.block_size + 1), run.num_slots)
        positions = range(seq_len, grown)
        run.write([table[p // plan.block_size] * plan.block_size + p % plan.block_size for p in positions])
        seq_len = grown
        run.gather(table, seq_len)
        if op.pick % 2:
            run.write([table[0] * plan.block_size])


def _every_length():
    """Every length that a table of three blocks can have, 0 included."""
    for block_size in (1, 2, 3, 16):
        sizes = {"num_blocks": 3, "block_size": block_size, "kv_heads": 1, "head_dim": 1}
        for spare in ("nothing", "padding", "others"):
            steps = [Op("gather", blocks, change) for blocks in range(4) for change in (0, 1, 2)]
            yield Plan(sizes | {"dtype": "float32", "spare": spare}, steps)


def _real_size():
    """A block of 16 with 4 heads of 128."""
    sizes = {"num_blocks": 8, "block_size": 16, "kv_heads": 4, "head_dim": 128, "seed": 5}
    rest = {"stale": "nan", "dtype": "float16", "spare": "padding", "seen_flat": False}
    return Plan(sizes | rest, [Op("grow", 0, 15), Op("grow", 0, 16), Op("grow", 1, 6)])


def _consecutive():
    """A request whose blocks follow one another in the cache, up to eight of them."""
    sizes = {"num_blocks": 8, "kv_heads": 1, "head_dim": 1, "seed": -1}
    rest = {"stale": "numbers", "dtype": "float32", "spare": "nothing", "seen_flat": False}
    for block_size in (1, 2):
        steps = [Op("grow", 1, block_size)] * 8
        yield Plan(sizes | rest | {"block_size": block_size}, steps)


SIZES = {"num_blocks": [3, 2, 5, 9], "block_size": [2, 1, 3, 4, 16], "kv_heads": [1, 2, 3], "head_dim": [1, 2, 5, 8]}
STALE = {"stale": ["numbers", "nan"], "dtype": ["float32", "float16"]}
TABLES = {"dtype": ["float32", "float16"], "spare": ["nothing", "padding", "others"]}
WRITES = {"anywhere": 4, "ends": 2, "boundary": 2, "block": 1, "nothing": 1}

GROUPS = [
    Group(
        name="write",
        title={"en": "write: each token to its slot", "zh": "write：每个 token 写到自己的槽位"},
        points=25,
        play=play_writes,
        oracle=oracle,
        plans=plans(WRITES, (1, 4), **SIZES, **STALE, fresh=["numbers", "nan"]),
        programs=24,
        hint={
            "en": "“Writing”: which block a slot lies in, and that everything else stays as it is.",
            "zh": "“写入”一节：槽位在哪个块里；别的地方都保持原样。",
        },
    ),
    Group(
        name="padding",
        title={"en": "write: slot −1 is skipped", "zh": "write：跳过槽位 −1"},
        points=20,
        play=play_padding,
        oracle=oracle,
        plans=plans(WRITES, (1, 4), **SIZES, **STALE),
        programs=24,
        hint={
            "en": "“Writing”: what −1 means, and where it can stand.",
            "zh": "“写入”一节：−1 是什么意思，会出现在哪里。",
        },
    ),
    Group(
        name="gather",
        title={"en": "gather: any length, any blocks", "zh": "gather：任意长度、任意块"},
        points=25,
        play=play_gathers,
        oracle=oracle,
        plans=plans({"gather": 1}, (1, 5), **SIZES, **TABLES),
        programs=20,
        always=list(_every_length()),
        hint={
            "en": "“Gathering”: how many blocks a length needs, and in which order.",
            "zh": "“取出”一节：这个长度要几个块，按什么次序。",
        },
    ),
    Group(
        name="growth",
        title={"en": "a request grows: write, gather, write again", "zh": "请求不断变长：写入、取出、再写入"},
        points=20,
        play=play_growth,
        oracle=oracle,
        watch={"ndarray": ("",)},
        names={"ndarray": ["k", *(f"k{n}" for n in range(2, 10))]},
        plans=plans({"grow": 1}, (1, 5), **SIZES, seed=[0, -1, 1, 2, 3], **STALE | TABLES, seen_flat=[False, True]),
        programs=20,
        always=[_real_size(), *_consecutive()],
        hint={
            "en": "“Gathering”: what is returned is a tensor of its own. “Writing”: the cache keeps its memory.",
            "zh": "“取出”一节：返回的是一个独立的张量。“写入”一节：缓存的内存还是原来那块。",
        },
    ),
]
