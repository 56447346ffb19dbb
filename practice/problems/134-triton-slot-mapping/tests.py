"""Hidden tests of 134. No two requests share a block, and a request's blocks do not lie side by side. What the three
tensors hold while no kernel runs is one more than what they hold while one does."""

from itertools import accumulate, chain

import numpy as np

from practice.judging import Group, Op, Plan, kernel, plans
from practice.judging.wire import TensorData

from . import oracle

NUM_BLOCKS = 61
FAR = 35_000_011  # block numbers up to 2^31


class Batch:
    """Requests in the making: each step of the plan gives one its table and the positions of its new tokens."""

    def __init__(self, plan):
        self.block_size, self.first, self.far = plan.block_size, plan.first, plan.far
        self.taken = 0
        self.tables, self.positions = [], []
        for op in plan.ops:
            self.add(op)

    def add(self, op):
        """A request that ends around the end of a block."""
        size = self.block_size
        if op.kind == "exactly":
            length = op.pick + 256 * op.amount
        else:
            tail = [size, 1, size - 1, 1 + op.pick % size][op.pick // 3 % 4]
            length = op.pick % 3 * size + (tail or size)
        self.positions.append(getattr(self, op.kind)(length, op.amount))
        self.tables.append([self.next_block() for _ in range(-(-length // size))])

    @property
    def new_tokens(self):
        """Their positions, request after request."""
        return list(chain.from_iterable(self.positions))

    def next_block(self):
        """Blocks that are far apart and never come twice."""
        self.taken += 1
        spread = (self.first + 23 * self.taken) % NUM_BLOCKS
        return spread * self.far if self.far > 1 else spread + self.taken // NUM_BLOCKS * NUM_BLOCKS

    # --- the kinds of a step: positions of the new tokens of a request with `length` tokens ---

    def decode(self, length, amount):
        """One token, the newest."""
        return [length - 1]

    def nothing(self, length, amount):
        return []

    def prefill(self, length, amount):
        return list(range(min(length, 20)))

    def chunk(self, length, amount):
        """The last part of a prompt."""
        return list(range(max(0, length - 1 - amount % 7), length))

    def anywhere(self, length, amount):
        """A few positions in any order, some of them twice."""
        return [(amount + 7 * i * i) % length for i in range(1 + amount % 5)]

    def exactly(self, length, amount):
        """All of a prompt of `pick` tokens, and 256 more for each of `amount`: for plans by hand."""
        return list(range(length))


def play(answer, plan):
    batch = Batch(plan)
    step(answer, batch, plan, len(batch.new_tokens) + plan.more)


def play_again(answer, plan):
    """Two calls with the same tensors in the same memory, which hold something else the second time; and one with fewer
    tokens and as many slots."""
    again = Plan(plan.choices | {"first": plan.first + 1}, plan.ops)
    batches = [Batch(each) for each in (plan, again, Plan(again.choices, plan.ops[1:]))]
    for batch in batches:
        step(answer, batch, plan, len(batches[0].new_tokens) + plan.more)


def step(answer, batch, plan, padded_to):
    width = max(map(len, batch.tables), default=1) + plan.wide
    rows = [table + [-1] * (width - len(table)) for table in batch.tables]
    tables = np.array(rows, "int32").reshape(len(rows), width)
    starts = np.array(list(accumulate(map(len, batch.positions), initial=0)), "int32")
    positions = np.array(batch.new_tokens, "int64")
    answer.count("requests", len(rows))
    answer.count("requests_without_tokens", batch.positions.count([]))
    answer.count("tokens", len(positions))
    answer.count("padding", padded_to - len(positions))
    layout = {"shape": tables.shape, "strides": [width + plan.room, 1], "fill": 5} if plan.room and rows else None
    tables = answer.input("block_tables", tables, layout=layout, before=tables + 1)
    given = [answer.input("query_start_loc", starts, before=starts + 1)]
    given += [answer.input("positions", positions, before=positions + 1)]
    answer.slot_mapping(tables, *given, plan.block_size, padded_to)


def compile_for_gpu(answer):
    """256 requests of up to 16,384 tokens in blocks of 16, 8192 new tokens in all."""
    given = [answer.input("block_tables", TensorData("int32", (256, 1024), b""))]
    given += [answer.input("query_start_loc", TensorData("int32", (257,), b""))]
    given += [answer.input("positions", TensorData("int64", (8192,), b""))]
    answer.slot_mapping(*given, 16, 8448)


def plan_of(*steps, **choices):
    """A plan by hand: steps are kinds, or numbers of tokens; what is not named is as simple as it can be."""
    ops = [Op(step, 4, 2) if isinstance(step, str) else Op("exactly", step % 256, step // 256) for step in steps]
    return Plan({name: values[0] for name, values in (TABLES | PADDED).items()} | choices, ops)


TABLES = {"block_size": [4, 2, 3, 16, 1, 5, 7], "first": [45, 38, 0, 17, 52], "far": [1], "wide": [0, 2], "room": [0]}
PADDED = {"more": [0, 1, 3, 16]}
TOKENS = {"decode": 3, "prefill": 2, "chunk": 2, "anywhere": 2}

LENGTHS = [
    plan_of(3, 4, 5, 1),
    plan_of(3, 4, 5, 1, block_size=1, first=0),
    plan_of(48, 17, 15, block_size=16, first=0),
    plan_of("decode", "prefill", "decode", block_size=3, wide=2),
    plan_of(*["decode"] * 66),
]
EMPTY = [
    plan_of(*steps, more=more) for steps in ((), ("nothing",), ("nothing", "nothing", 5, "nothing")) for more in (0, 3)
]
LONG = [
    plan_of(600, 1, 300, block_size=16, more=5),
    plan_of(5, block_size=4, more=600),
    plan_of(1100, "decode", block_size=64, first=0),
]
FAR_AWAY = [
    plan_of(5, "decode", 9, far=FAR),
    plan_of(33, block_size=16, first=17, far=FAR, more=1),
    plan_of("prefill", block_size=1, far=FAR),
]
ROWS = [plan_of(5, 9, 3, room=3, wide=wide, more=1) for wide in (0, 2)]

GROUPS = [
    Group(
        name="tokens",
        title={"en": "interpreter: every token of a batch", "zh": "解释器：批次里的每个 token"},
        points=30,
        plans=plans(TOKENS, (1, 4), **TABLES, more=[0]),
        play=play,
        oracle=oracle,
        programs=10,
        always=LENGTHS,
        hint={
            "en": "“One program per request”: which tokens it has, and where their positions lie.",
            "zh": "“一个请求一个 program”一节：它有哪些 token，它们的位置在哪里。",
        },
    ),
    Group(
        name="padding",
        title={
            "en": "interpreter: padding, and requests without tokens",
            "zh": "解释器：填充，以及没有新 token 的请求",
        },
        points=20,
        plans=plans(TOKENS | {"nothing": 4}, (1, 4), **TABLES, **PADDED),
        play=play,
        oracle=oracle,
        programs=8,
        always=EMPTY,
        hint={
            "en": "“Padding”: who writes the −1, and what a request without tokens does.",
            "zh": "“填充”一节：−1 由谁来写，没有新 token 的请求做什么。",
        },
    ),
    Group(
        name="long",
        title={"en": "interpreter: more tokens than a tile", "zh": "解释器：token 比一个 tile 还多"},
        points=10,
        plans=plans(TOKENS, (1, 2), **TABLES, **PADDED),
        play=play,
        oracle=oracle,
        programs=0,
        always=LONG,
        hint={
            "en": "“One program per request”: a tile is a step of a walk.",
            "zh": "“一个请求一个 program”一节：一个 tile 只是走一步。",
        },
    ),
    Group(
        name="memory",
        title={
            "en": "interpreter: slots beyond 32 bits, tables in a wider one",
            "zh": "解释器：超过 32 位的槽位，更宽的表",
        },
        points=15,
        plans=plans(TOKENS, (1, 2), **TABLES | {"far": [1, FAR], "room": [3, 0]}, **PADDED),
        play=play,
        oracle=oracle,
        programs=4,
        always=FAR_AWAY + ROWS,
        hint={
            "en": "“What you write”: int32 in, int64 out; and the stride of the tables.",
            "zh": "“要写什么”一节：进来的是 int32，出去的是 int64；还有块表的步长。",
        },
    ),
    Group(
        name="again",
        title={"en": "interpreter: the next step, in the same memory", "zh": "解释器：下一步，同一片内存"},
        points=5,
        plans=plans(TOKENS, (1, 2), **TABLES, **PADDED),
        play=play_again,
        oracle=oracle,
        programs=0,
        always=[plan_of(5, "decode", more=2)],
        hint={
            "en": "“The host does not know”: each call is a new step.",
            "zh": "“主机不知道”一节：每次调用都是新的一步。",
        },
    ),
    kernel.compiled(
        points=10,
        play=compile_for_gpu,
        title={"en": "compiled: for sm_90", "zh": "编译：sm_90"},
        hint={
            "en": "“How it is judged”: what the interpreter lets pass and the compiler does not.",
            "zh": "“怎么判”一节：解释器放过、编译器不放过的写法。",
        },
    ),
]
