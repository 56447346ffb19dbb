"""Hidden tests of 137: steps of decoding, cut into any number of parts."""

from practice.judging import Group, Plan, kernel, plans
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
from practice.judging.wire import Between

from . import oracle


def play(answer, plan):
    """One call."""
    answer.paged_decode(*given(answer, Batch(plan), counted=False), plan.scale, plan.num_splits)


def play_counted(answer, plan):
    """One call of which the reads are counted, the programs that read, and what the busiest of them reads: contexts are
    long enough to be divided evenly, whatever the tiles are."""
    batch = Batch(plan)
    if any(seq_len % (128 * plan.num_splits) for seq_len in batch.seq_lens):
        raise ValueError(f"contexts of {batch.seq_lens} in {plan.num_splits} parts may leave one empty")
    counted = {"programs": len(batch.seq_lens) * plan.kv_heads * plan.num_splits, "busiest": Between(0, BUSIEST)}
    answer.paged_decode(*given(answer, batch, counted), plan.scale, plan.num_splits)


def play_again(answer, plan):
    """Some calls with the same memory, which holds something else each time; and other parts."""
    for more, step in enumerate(steps(plan)):
        play(answer, Plan(step.choices | {"num_splits": plan.num_splits + more}, step.ops))


def compile_for_gpu(answer):
    answer.paged_decode(*for_gpu(answer, num_queries=8), 128**-0.5, 8)


BUSIEST = 1.5  # times the average; a request that is longer than the others has 1.33
SPLITS = {"num_splits": [1, 2, 3, 4, 7]}
PARTS = [
    plan_of(300, block_size=16, content="even", num_splits=2),
    plan_of(1, 5, content="even", num_splits=4),
    plan_of(300, 130, 3, block_size=16, num_splits=3, poison="nan", order=1, wide=2),
    plan_of(257, 128, 64, block_size=64, num_splits=4, poison="nan", order=2, head_dim=24),
    plan_of(129, 63, block_size=1, num_splits=5, order=3),
    plan_of(600, 273, block_size=272, num_splits=8, poison="nan", order=1, spare=1),
    plan_of(9, block_size=4, num_splits=17, poison="nan", order=1),
    plan_of(*(1 + n % 6 for n in range(17)), num_splits=2, order=1),
    plan_of(2560, block_size=64, content="even", num_splits=40),
]
EMPTY = [
    plan_of(0, content="even", num_splits=1),
    plan_of(0, content="even", num_splits=3),
    plan_of(5, 0, 130, content="even", num_splits=2, poison="nan"),
    plan_of(1, num_splits=2, content="abyss", scale=1.0),
    plan_of(1, num_splits=3, content="abyss", scale=1.0),
]
SHARING = [
    plan_of(5, 150, group=group, kv_heads=kv_heads, head_dim=dim, order=kv_heads, poison="nan", num_splits=2, **more)
    for kv_heads, group, dim, more in (
        (2, 3, 24, {}),
        (2, 7, 96, {"dtype": "float16"}),
        (1, 8, 128, {}),
        (3, 1, 64, {"block_size": 16}),
        (1, 5, 256, {"block_size": 16}),
        (1, 20, 16, {}),
    )
]
TRAFFIC = [
    plan_of(256, content="even", group=4, num_splits=2),
    plan_of(512, block_size=16, kv_heads=2, group=7, head_dim=64, order=1, num_splits=4),
    plan_of(256, 512, block_size=16, kv_heads=1, group=8, head_dim=80, order=2, dtype="float16", num_splits=2),
    plan_of(1024, block_size=64, num_splits=8),
]
MEMORY = [
    plan_of(5, 130, memory="padded", kv_heads=2, order=1, content="even", num_splits=2),
    plan_of(5, 130, memory="heads", kv_heads=2, group=2, order=2, num_splits=3),
    plan_of(140, 3, memory="huge", block_size=16, kv_heads=2, head_dim=64, dtype="float16", order=1, num_splits=2),
]
EXTREMES = [
    plan_of(300, 200, block_size=16, content=content, order=order, scale=scale, dtype=dtype, num_splits=3)
    for content, order, dtype, scale in (
        ("peaks", 1, "float32", 1.0),
        ("large", 1, "float32", 0.01),
        ("large", 1, "float32", 1.0),
        ("large", 2, "float16", 1.0),
        ("peaks", 2, "float16", 1.0),
        ("abyss", 0, "float32", 1.0),
    )
]
EXTREMES += [
    plan_of(150, 5, block_size=16, content=content, scale=scale, dtype=dtype, num_splits=3)
    for content, dtype, scale in (("abyss", "float32", 1e6), ("tall", "float16", 1.0), ("fine", "float16", 0.3))
]


ONCE = {
    "en": "in one of the parts and for all query heads that share it",
    "zh": "落在哪一段就由哪一段读，共用它的 query 头一起用",
}
READS = reads_explained(ONCE)


def what_reads_mean(state):
    programs, busiest = (state.get(f"k_cache.{field}") for field in ("programs", "busiest"))
    if type(programs) is not int or type(busiest) is not float:
        return READS(state)
    if busiest > BUSIEST:
        uneven = {
            "en": f"parts are about equal; one program reads {busiest:g} times as much of k_cache as the average",
            "zh": f"各段要差不多长；这里有一个 program 读的 k_cache 是平均的 {busiest:g} 倍",
        }
        return READS(state) or uneven
    return READS(state) or {
        "en": f"each part of each walk is a program of its own; {programs} in all read k_cache",
        "zh": f"每个 KV 头的每一段都由自己的 program 来走；这里读 k_cache 的一共只有 {programs} 个",
    }


COMMON = {"oracle": oracle, "explain": what_reads_mean}
GROUPS = [
    Group(
        name="parts",
        title={"en": "interpreter: any number of parts", "zh": "解释器：任意段数"},
        points=20,
        plans=plans({"request": 3, "sibling": 1}, (1, 3), **SPLITS, **PLACES, **ONE_HEAD, **NUMBERS, **DENSE),
        play=play,
        programs=4,
        always=PARTS,
        hint={
            "en": "“Parts”: which positions belong to which, and how they become one again.",
            "zh": "“分段”一节：每段管哪些位置，最后怎么合成一个结果。",
        },
        **COMMON,
    ),
    Group(
        name="empty",
        title={"en": "interpreter: parts without positions", "zh": "解释器：空段"},
        points=15,
        plans=plans({"request": 1, "hollow": 1}, (1, 2), **SPLITS, **PLACES, **ONE_HEAD, **NUMBERS, **DENSE),
        play=play,
        programs=3,
        always=EMPTY,
        hint={
            "en": "“Empty parts”: what they leave, and what that does in the merge.",
            "zh": "“空段”一节：空段留下什么，合并时起什么作用。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "interpreter: heads of any number and size", "zh": "解释器：头的个数与大小"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **SPLITS, **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play,
        programs=2,
        always=SHARING,
        hint={
            "en": "“What the merge gets”: each query head has parts of its own.",
            "zh": "“合并时拿到什么”一节：每个 query 头都有自己的各段结果。",
        },
        **COMMON,
    ),
    Group(
        name="memory",
        title={"en": "interpreter: strides and large offsets", "zh": "解释器：步长与大偏移"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **SPLITS, **PLACES, **HEADS, **NUMBERS, **ANYHOW),
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
        plans=plans({"request": 1}, (1, 2), **SPLITS, **PLACES, **ONE_HEAD, **EXTREME, **DENSE),
        play=play,
        programs=1,
        always=EXTREMES,
        hint={
            "en": "“What the merge gets”: two numbers for each part, in float32.",
            "zh": "“合并时拿到什么”一节：每段两个数，都是 float32。",
        },
        **COMMON,
    ),
    Group(
        name="traffic",
        title={"en": "interpreter: read once, by all parts", "zh": "解释器：只读一遍，各段都来读"},
        points=10,
        plans=plans({"request": 1}, (1, 2), **SPLITS, **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_counted,
        programs=0,
        always=TRAFFIC,
        hint={
            "en": "“Parts”: no position is walked twice, each part has a program, and parts are about equal.",
            "zh": "“分段”一节：没有哪个位置会走两遍，每一段都有自己的 program，哪一段也不比别的长很多。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "interpreter: the next step, in the same memory", "zh": "解释器：下一步，同一片内存"},
        points=5,
        plans=plans({"request": 1}, (1, 2), **SPLITS, **PLACES, **HEADS, **NUMBERS, **DENSE),
        play=play_again,
        programs=0,
        always=[plan_of(5, 9, "then", 5, 9, "then", 8, 12, order=1, num_splits=2)],
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
            "en": "“How it is judged”: both kernels have to fit.",
            "zh": "“怎么判”一节：两个 kernel 都要放得下。",
        },
    ),
]
