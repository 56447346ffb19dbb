"""Hidden tests of 136: which steps of decoding are drawn."""

from practice.judging import Group, kernel, plans
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
    answer.paged_decode(*given(answer, Batch(plan), counted=False), plan.scale)


def play_counted(answer, plan):
    """One call of which the reads are counted."""
    answer.paged_decode(*given(answer, Batch(plan), counted=True), plan.scale)


def play_again(answer, plan):
    """Some calls with the same tensors in the same memory, which hold something else each time."""
    for step in steps(plan):
        play(answer, step)


def compile_for_gpu(answer):
    answer.paged_decode(*for_gpu(answer, num_queries=8), 128**-0.5)


LENGTHS = [
    plan_of(1, 3, 4, 5, block_size=4, content="even"),
    plan_of(1, 2, 5, block_size=1, poison="nan", order=1),
    plan_of(15, 16, 17, 1, block_size=16, poison="nan", order=2, wide=2),
    plan_of(63, 65, block_size=64, head_dim=24, order=3),
    plan_of(271, 272, 273, block_size=272, poison="nan", order=1, spare=1),
    plan_of(300, 130, block_size=16, head_dim=64, order=2, poison="nan"),
    plan_of(*(1 + n % 6 for n in range(17)), order=1),
]
SHARING = [
    plan_of(5, 9, group=group, kv_heads=kv_heads, head_dim=dim, order=kv_heads, poison="nan", **more)
    for kv_heads, group, dim, more in (
        (2, 3, 24, {}),
        (1, 5, 80, {}),
        (2, 7, 96, {"dtype": "float16"}),
        (1, 8, 128, {}),
        (2, 1, 64, {"block_size": 16}),
        (1, 4, 256, {"block_size": 16}),
        (3, 2, 40, {}),
        (1, 71, 16, {}),
    )
]
TRAFFIC = [
    plan_of(9, content="even", group=4),
    plan_of(130, 37, block_size=16, kv_heads=2, group=7, head_dim=64, order=1),
    plan_of(40, block_size=16, kv_heads=1, group=8, head_dim=80, order=2, dtype="float16"),
]
MEMORY = [
    plan_of(5, 9, memory="padded", kv_heads=2, order=1, content="even"),
    plan_of(5, 9, memory="heads", kv_heads=2, group=2, order=2),
    plan_of(40, 3, memory="huge", block_size=16, kv_heads=2, head_dim=64, dtype="float16", order=1),
]
EXTREMES = [
    plan_of(5, 130, block_size=16, content=content, order=order, scale=1.0, dtype=dtype)
    for content, order, dtype in (
        ("abyss", 0, "float32"),
        ("peaks", 1, "float32"),
        ("large", 1, "float32"),
        ("large", 2, "float16"),
        ("peaks", 2, "float16"),
        ("tall", 0, "float16"),
    )
]
EXTREMES += [
    plan_of(5, 130, block_size=16, content="abyss", scale=1e6),
    plan_of(9, block_size=16, content="fine", scale=0.3, dtype="float16"),
]


ONCE = {"en": "for all query heads that share it", "zh": "共用它的 query 头一起用"}
COMMON = {"oracle": oracle, "explain": reads_explained(ONCE)}
GROUPS = [
    Group(
        name="walk",
        title={"en": "interpreter: blocks and lengths", "zh": "解释器：块与长度"},
        points=20,
        plans=plans({"request": 3, "sibling": 1}, (1, 3), **PLACES, **ONE_HEAD, **NUMBERS, **DENSE),
        play=play,
        programs=6,
        always=LENGTHS,
        hint={
            "en": "“The walk”: from a position to its slot, and where a context ends.",
            "zh": "“怎么走”一节：从位置到槽位，上下文在哪里结束。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "interpreter: heads of any number and size", "zh": "解释器：头的个数与大小"},
        points=15,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play,
        programs=4,
        always=SHARING,
        hint={
            "en": "“Heads that share”: which heads belong together, and what a tile must be padded to.",
            "zh": "“共用的头一起算”一节：哪些头在一起，一块要补到多大。",
        },
        **COMMON,
    ),
    Group(
        name="memory",
        title={"en": "interpreter: strides and large offsets", "zh": "解释器：步长与大偏移"},
        points=15,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **ANYHOW),
        play=play,
        programs=2,
        always=MEMORY,
        hint={
            "en": "“Where an element lies”: strides, and offsets of more than 32 bits.",
            "zh": "“元素在哪里”一节：步长，以及超过 32 位的偏移。",
        },
        **COMMON,
    ),
    Group(
        name="numbers",
        title={"en": "interpreter: scores of any size", "zh": "解释器：任意大小的分数"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **PLACES, **ONE_HEAD, **EXTREME, **DENSE),
        play=play,
        programs=2,
        always=EXTREMES,
        hint={
            "en": "“Softmax on the way”: what the running maximum starts from, and what it is for.",
            "zh": "“边走边算 softmax”一节：最大值从哪里起步，有什么用。",
        },
        **COMMON,
    ),
    Group(
        name="traffic",
        title={"en": "interpreter: every key and value read once", "zh": "解释器：每个 key 和 value 只读一遍"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_counted,
        programs=0,
        always=TRAFFIC,
        hint={
            "en": "“Heads that share”: one read serves all of them.",
            "zh": "“共用的头一起算”一节：读一次，大家都用。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "interpreter: the next step, in the same memory", "zh": "解释器：下一步，同一片内存"},
        points=5,
        plans=plans({"request": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_again,
        programs=0,
        always=[plan_of(5, 9, "then", 5, 9, "then", 8, 12, order=1)],
        hint={
            "en": "“What you write”: each call is a new step.",
            "zh": "“要写什么”一节：每次调用都是新的一步。",
        },
        **COMMON,
    ),
    kernel.compiled(
        points=15,
        play=compile_for_gpu,
        title={"en": "compiled: bfloat16 for sm_90", "zh": "编译：sm_90 上的 bfloat16"},
        hint={
            "en": "“On a real GPU”: what compiles, and fits into registers and shared memory.",
            "zh": "“真正的 GPU”一节：寄存器和共享内存放得下多少。",
        },
    ),
]
