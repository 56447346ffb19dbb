"""Hidden tests of 138: some requests decode, some bring a prompt or a chunk of one, and some ask nothing.

The least that is read of K and V is each element once for each request that asks. A tile of 64 rows that ends its walk
with its own last token reads the beginning of a longer prompt again; the counted batches have such prompts beside long
contexts with one tile, so that 1.1 leaves room for that and for no more.
"""

import numpy as np

from practice.judging import Group, Op, Plan, kernel, plans
from practice.judging.paged_inputs import Batch
from practice.judging.paged_runs import (
    ANYHOW,
    DENSE,
    EXTREME,
    HEADS,
    NUMBERS,
    ONE_HEAD,
    PLACES,
    for_gpu,
    given,
    plan_of,
    reads_explained,
    steps,
)

from . import oracle


def play(answer, plan):
    """One call."""
    step(answer, plan, counted=False)


def play_counted(answer, plan):
    """One call of which the reads are counted; only of batches that tiles of 64 rows can do with 1.1 × the least."""
    batch, tokens = Batch(plan), 64 // plan.group
    walks = [
        seq_len - asking + min(first + tokens, asking)
        for seq_len, asking in zip(batch.seq_lens, batch.queries, strict=True)
        for first in range(0, asking, tokens)
    ]
    if 0 in batch.queries or sum(walks) > 1.1 * sum(batch.seq_lens):
        raise ValueError(f"{sum(walks)} positions are walked over contexts of {batch.seq_lens}")
    step(answer, plan, counted=True)


def play_again(answer, plan):
    """Some calls with the same tensors in the same memory, which hold something else each time."""
    for changed in steps(plan):
        step(answer, changed, counted=False)


def step(answer, plan, counted):
    batch = Batch(plan)
    answer.count("queries", sum(batch.queries))
    arguments = given(answer, batch, counted)
    starts = answer.input("query_start_loc", batch.query_start_loc())
    answer.paged_attention(*arguments, starts, plan.scale)


def compile_for_gpu(answer):
    """Six requests decode, one brings a chunk of 512 tokens, one a prompt of 1024."""
    starts = np.array([0, 1, 2, 3, 515, 516, 517, 518, 1542], "int32")
    arguments = for_gpu(answer, num_queries=1542)
    answer.paged_attention(*arguments, answer.input("query_start_loc", starts), 128**-0.5)


KINDS = {"request": 1, "prompt": 2, "chunk": 2, "silent": 1, "sibling": 1}
QUERIES = [
    plan_of((3, 3), content="even"),
    plan_of((5, 3), content="even", order=1),
    plan_of(5, (6, 6), (9, 2), 1, content="even", order=2, poison="nan"),
    plan_of((1, 1), (2, 1), (5, 5), block_size=1, poison="nan", order=1),
    plan_of((17, 17), (16, 15), 15, block_size=16, poison="nan", order=2, wide=2),
    plan_of((66, 8), (70, 70), block_size=64, head_dim=24, order=3),
    plan_of((130, 130), 5, block_size=16, order=1, poison="nan"),
    plan_of((280, 12), 271, block_size=272, poison="nan", order=1, spare=1),
    plan_of((130, 130), (130, 130), block_size=16, order=2),
    plan_of(*(1 + n % 6 for n in range(18)), content="even", order=1),
]
SILENT = [
    plan_of((5, 0), content="even"),
    plan_of((5, 0), 3, content="even"),
    plan_of(3, (5, 0), content="even", order=1),
    plan_of((4, 4), (0, 0), (9, 0), (6, 2), order=1, poison="nan"),
    plan_of(3, (4, 4), (0, 0), (0, 0), order=2, poison="nan"),
    plan_of((0, 0), content="even"),
    Plan(plan_of().choices, [Op("nobody", 0, 0)]),
]
SHARING = [
    plan_of((33, 25), 9, group=group, kv_heads=kv_heads, head_dim=dim, order=kv_heads, poison="nan", scale=0.1, **more)
    for kv_heads, group, dim, more in (
        (2, 3, 24, {}),
        (1, 5, 80, {}),
        (2, 7, 96, {"dtype": "float16"}),
        (1, 8, 128, {}),
        (3, 1, 64, {"block_size": 16}),
        (1, 4, 256, {"block_size": 16}),
    )
]
TRAFFIC = [
    plan_of((12, 12), content="even"),
    plan_of((40, 12), 9, group=4, order=1),
    plan_of((150, 9), 37, block_size=16, kv_heads=2, group=7, head_dim=64, order=1),
    plan_of((60, 16), 3, block_size=16, group=4, head_dim=80, order=2, dtype="float16"),
    plan_of((64, 64), 400, block_size=16, group=2, order=1),
    plan_of((64, 32), (64, 64), (300, 1), block_size=16, group=2, order=1),
]
MEMORY = [
    plan_of((5, 5), (9, 2), memory="padded", kv_heads=2, order=1, content="even"),
    plan_of((5, 3), 9, memory="heads", kv_heads=2, group=2, order=2),
    plan_of((40, 5), 3, memory="huge", block_size=16, kv_heads=2, head_dim=64, dtype="float16", order=1),
]
EXTREMES = [
    plan_of((5, 5), (130, 9), block_size=16, content=content, order=order, scale=1.0, dtype=dtype)
    for content, order, dtype in (
        ("abyss", 0, "float32"),
        ("peaks", 1, "float32"),
        ("large", 1, "float32"),
        ("large", 2, "float16"),
        ("tall", 0, "float16"),
    )
]
EXTREMES += [
    plan_of((5, 5), (130, 9), block_size=16, content="abyss", scale=1e6),
    plan_of((9, 3), block_size=16, content="fine", scale=0.3, dtype="float16"),
]


ONCE = {"en": "for all heads and tokens of a tile", "zh": "一个分片里的头和 token 一起用"}
COMMON = {"oracle": oracle, "explain": reads_explained(ONCE)}
GROUPS = [
    Group(
        name="queries",
        title={"en": "interpreter: prompts, chunks and decode", "zh": "解释器：提示词、分块与解码"},
        points=20,
        plans=plans(KINDS, (1, 3), **PLACES, **ONE_HEAD, **NUMBERS, **DENSE),
        play=play,
        programs=8,
        always=QUERIES,
        hint={
            "en": "“What a token sees”: the last tokens of a context ask, and each sees up to itself.",
            "zh": "“token 看得到什么”一节：发问的是上下文的最后几个 token，各自看到自己为止。",
        },
        **COMMON,
    ),
    Group(
        name="silent",
        title={"en": "interpreter: requests that ask nothing", "zh": "解释器：没有 query 的请求"},
        points=10,
        plans=plans({"silent": 2, "prompt": 1, "nobody": 1}, (1, 3), **PLACES, **ONE_HEAD, **NUMBERS, **DENSE),
        play=play,
        programs=4,
        always=SILENT,
        hint={
            "en": "“Tiles of queries”: how a program finds its request, and when it has nothing to do.",
            "zh": "“query 的分片”一节：program 怎么找到自己的请求，什么时候没事可做。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "interpreter: heads of any number and size", "zh": "解释器：头的个数与大小"},
        points=15,
        plans=plans({"request": 1, "chunk": 2}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play,
        programs=4,
        always=SHARING,
        hint={
            "en": "“Tiles of queries”: a row is a token and a head.",
            "zh": "“query 的分片”一节：一行是一个 token 加一个头。",
        },
        **COMMON,
    ),
    Group(
        name="memory",
        title={"en": "interpreter: strides and large offsets", "zh": "解释器：步长与大偏移"},
        points=10,
        plans=plans({"request": 1, "chunk": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **ANYHOW),
        play=play,
        programs=1,
        always=MEMORY,
        hint={
            "en": "“What you write”: strides, and offsets of more than 32 bits.",
            "zh": "“要写什么”一节：步长，以及超过 32 位的偏移。",
        },
        **COMMON,
    ),
    Group(
        name="numbers",
        title={"en": "interpreter: scores of any size", "zh": "解释器：任意大小的分数"},
        points=10,
        plans=plans({"request": 1, "prompt": 1}, (1, 2), **PLACES, **ONE_HEAD, **EXTREME, **DENSE),
        play=play,
        programs=1,
        always=EXTREMES,
        hint={
            "en": "“The walk”: a row that sees nothing of a tile, and what −∞ − (−∞) is.",
            "zh": "“怎么走”一节：某一行在一个分片里什么也看不到时，−∞ − (−∞) 是什么。",
        },
        **COMMON,
    ),
    Group(
        name="traffic",
        title={"en": "interpreter: every key and value read once", "zh": "解释器：每个 key 和 value 只读一遍"},
        points=10,
        plans=plans({"request": 1, "chunk": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_counted,
        programs=0,
        always=TRAFFIC,
        hint={
            "en": "“What is read”: rows that share a tile share its reads, and a walk ends with the tile's last token.",
            "zh": "“读多少”一节：同一个分片的各行共用读到的东西，走到这个分片的最后一个 token 为止。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "interpreter: the next step, in the same memory", "zh": "解释器：下一步，同一片内存"},
        points=5,
        plans=plans({"request": 1, "chunk": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_again,
        programs=0,
        always=[
            plan_of((5, 2), 9, "then", (5, 2), 9, order=1),
            plan_of((40, 20), (40, 14), "then", (40, 1), (40, 33), group=8, order=1),
        ],
        hint={
            "en": "“What you write”: each call is a new step.",
            "zh": "“要写什么”一节：每次调用都是新的一步。",
        },
        **COMMON,
    ),
    kernel.compiled(
        points=10,
        play=compile_for_gpu,
        title={"en": "compiled: bfloat16 for sm_90", "zh": "编译：sm_90 上的 bfloat16"},
        hint={
            "en": "“How it is judged”: what compiles, and fits into registers and shared memory.",
            "zh": "“怎么判”一节：寄存器和共享内存放得下多少。",
        },
    ),
]
