"""Hidden tests of 136b. Slots that belong to nobody hold NaN or 10000; values count the tokens, so that a wrong result
tells where it came from. The arrays that are given must not change."""

from random import Random

import numpy as np

from practice.judging import Group, Op, Plan, plans

from . import oracle

POISON = {"nan": float("nan"), "1e4": 1e4}


class Batch:
    """Requests in the making: each step of the plan adds one."""

    def __init__(self, plan):
        self.plan = plan
        self.seq_lens, self.tables, self.taken = [], [], 0
        for op in plan.ops or [Op("request", 0, 0)]:
            getattr(self, op.kind)(op)
        pool = list(range(self.taken + plan.spare))[::-1]
        if plan.order:
            pool = Random(plan.order).sample(pool, len(pool))
        self.tables = [[pool[block] for block in table] for table in self.tables]
        self.num_blocks = len(pool)

    def request(self, op):
        """A context that ends around the end of a block."""
        size = self.plan.block_size
        self.add([1, size, size + 1, max(1, size - 1), 2 * size, 2 * size + 1][op.pick % 6])

    def sibling(self, op):
        """Shares the full blocks of the request before it, and goes on in blocks of its own."""
        shared = self.tables[-1][: self.seq_lens[-1] // self.plan.block_size] if self.tables else []
        self.add(len(shared) * self.plan.block_size + 1 + op.pick % self.plan.block_size, shared)

    def exactly(self, op):
        """A context of `pick` tokens, and 256 more for each of `amount`: for plans by hand."""
        self.add(op.pick + 256 * op.amount)

    def add(self, seq_len, shared=()):
        own = -(-seq_len // self.plan.block_size) - len(shared)
        self.tables.append([*shared, *range(self.taken, self.taken + own)])
        self.taken += own
        self.seq_lens.append(seq_len)

    def arrays(self):
        """q, k_cache and v_cache."""
        plan, size = self.plan, self.plan.block_size
        where = [
            (table[p // size], p % size) for table, n in zip(self.tables, self.seq_lens, strict=True) for p in range(n)
        ]
        places = list(dict.fromkeys(where))
        q, k, v = contents(plan, len(self.seq_lens), len(places))
        caches = [np.full((self.num_blocks, size, plan.kv_heads, plan.head_dim), POISON[plan.poison]) for _ in range(2)]
        for n, place in enumerate(places):
            caches[0][place], caches[1][place] = k[n], v[n]
        return [array.astype(plan.dtype) for array in (q, *caches)]

    def block_tables(self):
        """[B, max_blocks] int32, filled up with -1."""
        width = max(map(len, self.tables)) + self.plan.wide
        return np.array([table + [-1] * (width - len(table)) for table in self.tables], "int32")


def contents(plan, num_requests, num_tokens):
    """q [B, num_heads, head_dim], k and v [tokens, num_kv_heads, head_dim].

    even: every key is 0, so that a result is the mean of its values. normal: random. abyss: all scores far below zero,
    and equal; peaks: thousands apart; large: sums that float16 cannot hold.
    """
    random = np.random.default_rng(plan.order)
    q = random.standard_normal((num_requests, plan.kv_heads * plan.group, plan.head_dim))
    k = random.standard_normal((num_tokens, plan.kv_heads, plan.head_dim))
    count = np.arange(1.0, num_tokens + 1).reshape(-1, 1, 1)
    v = count + 50 * np.arange(plan.kv_heads).reshape(1, -1, 1) + np.arange(plan.head_dim) % 4 / 4
    if plan.content == "even":
        q[...], k[...] = 1, 0
    elif plan.content == "abyss":
        q[...], k[...] = 64.0, -64.0
    elif plan.content == "peaks":
        q[...], k[...] = 8.0, 8.0 * (count % 7)
    elif plan.content == "large":
        q[...], k[...] = 256.0, 512.0 + 64 * (count * 3 % 5)
    return q, k, v


def play(answer, plan):
    """One call."""
    step(answer, Batch(plan))


def play_again(answer, plan):
    """A second call finds the arrays as they were; a third one has other contents."""
    batch = Batch(plan)
    given = step(answer, batch)
    answer.paged_decode(*given, plan.scale)
    step(answer, Batch(Plan(plan.choices | {"order": plan.order + 1}, plan.ops)), "2")


def step(answer, batch, more=""):
    answer.count("requests", len(batch.seq_lens))
    answer.count("tokens", sum(batch.seq_lens))
    names = ("q", "k_cache", "v_cache", "block_tables", "seq_lens")
    arrays = [*batch.arrays(), batch.block_tables(), np.array(batch.seq_lens, "int32")]
    given = [answer.given(name + more, array) for name, array in zip(names, arrays, strict=True)]
    answer.paged_decode(*given, batch.plan.scale)
    return given


def plan_of(*lengths, **choices):
    """A plan by hand: what is not named is as simple as it can be."""
    ops = [Op("exactly", length % 256, length // 256) for length in lengths]
    return Plan({name: values[0] for name, values in (PLACES | HEADS | NUMBERS).items()} | choices, ops)


PLACES = {"block_size": [2, 1, 4, 3, 16], "order": [0, 1, 2, 3], "spare": [1, 0, 3], "wide": [0, 2]}
PLACES |= {"poison": ["1e4", "nan"]}
ONE_HEAD = {"kv_heads": [1], "group": [1], "head_dim": [1, 2, 4]}
HEADS = {"kv_heads": [1, 2, 3], "group": [1, 2, 3, 5], "head_dim": [1, 2, 8]}
NUMBERS = {"content": ["even", "normal"], "dtype": ["float32", "float16"], "scale": [0.5, 1.0, 0.3]}
EXTREME = {"content": ["abyss", "peaks", "large"], "dtype": ["float32", "float16"], "scale": [1.0, 0.25]}

LENGTHS = [
    plan_of(1, 3, 4, 5, block_size=4),
    plan_of(1, 2, 5, block_size=1, poison="nan", order=1),
    plan_of(15, 16, 17, 1, block_size=16, poison="nan", order=2, wide=2, content="normal"),
    plan_of(271, 272, 273, block_size=272, poison="nan", order=1),
]
SHARING = [
    plan_of(
        5, 9, group=group, kv_heads=kv_heads, head_dim=dim, order=kv_heads, poison="nan", content="normal", dtype=dtype
    )
    for kv_heads, group, dim, dtype in (
        (2, 3, 24, "float32"),
        (1, 8, 128, "float32"),
        (4, 7, 96, "float16"),
        (2, 1, 64, "float32"),
    )
]
EXTREMES = [
    plan_of(3, 9, content=content, order=1, scale=1.0, dtype=dtype)
    for content in ("abyss", "peaks", "large")
    for dtype in ("float32", "float16")
]
COMMON = {"oracle": oracle, "arrays": True}
GROUPS = [
    Group(
        name="walk",
        title={"en": "blocks and lengths", "zh": "块与长度"},
        points=35,
        plans=plans({"request": 3, "sibling": 1}, (1, 3), **PLACES, **ONE_HEAD, **NUMBERS),
        play=play,
        programs=24,
        always=LENGTHS,
        hint={
            "en": "“The walk”: from a position to its slot, and where a context ends.",
            "zh": "“怎么走”一节：从位置到槽位，上下文在哪里结束。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "heads of any number and size", "zh": "头的个数与大小"},
        points=25,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS),
        play=play,
        programs=16,
        always=SHARING,
        hint={
            "en": "“The walk”: which query heads read which KV head.",
            "zh": "“怎么走”一节：哪些 query 头读哪个 KV 头。",
        },
        **COMMON,
    ),
    Group(
        name="numbers",
        title={"en": "scores of any size", "zh": "任意大小的分数"},
        points=20,
        plans=plans({"request": 1}, (1, 2), **PLACES, **ONE_HEAD, **EXTREME),
        play=play,
        programs=12,
        always=EXTREMES,
        hint={
            "en": "“Softmax on the way”: what the running maximum starts from, and what it is for.",
            "zh": "“边走边算 softmax”一节：最大值从哪里起步，有什么用。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "the next step; what was given stays as it is", "zh": "下一步；给的数组保持原样"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS),
        play=play_again,
        programs=6,
        hint={
            "en": "“What you write”: a new array, and inputs that stay as they are.",
            "zh": "“要写什么”一节：返回新的数组，输入保持原样。",
        },
        **COMMON,
    ),
]
