"""Hidden tests of 136: which steps of decoding are drawn. batch.py says what they are made of."""

import numpy as np

from practice.judging import Group, Op, Plan, kernel, plans
from practice.judging.wire import TensorData

from . import oracle
from .batch import Batch, Spread


def play(answer, plan):
    """One call; its caches hold what they are to hold only while a kernel runs."""
    step(answer, Batch(plan), counted=False)


def play_counted(answer, plan):
    """One call of which the reads are counted."""
    step(answer, Batch(plan), counted=True)


def play_again(answer, plan):
    """Two calls with the same tensors in the same memory, which hold something else the second time."""
    for order in (plan.order, plan.order + 1):
        step(answer, Batch(Plan(plan.choices | {"order": order}, plan.ops)), counted=False)


def step(answer, batch, counted):
    plan = batch.plan
    answer.count("requests", len(batch.seq_lens))
    answer.count("tokens", sum(batch.seq_lens))
    tables, seq_lens = batch.block_tables(), np.array(batch.seq_lens, "int32")
    q, k, v, *before = batch.arrays()
    q, caches = answer.input("q", q), []
    for name, array, other, layout in zip(("k_cache", "v_cache"), (k, v), before, batch.layouts(), strict=True):
        known = array
        if plan.memory == "huge":
            known = Spread(layout["shape"], layout["at"], array)
        about = {"values": array, "layout": layout, "owned": batch.owned(), "before": other, "counted": counted}
        caches.append(answer.input(name, known, **about))
    if plan.memory == "huge":
        tables = np.where(tables < 0, -1, [[batch.huge(block) for block in row] for row in tables]).astype("int32")
    tables, seq_lens = answer.input("block_tables", tables), answer.input("seq_lens", seq_lens)
    answer.paged_decode(q, *caches, tables, seq_lens, plan.scale)


def compile_for_gpu(answer):
    """28 query heads on 4 KV heads of 128, as in Qwen2.5-7B, 8 requests of up to 16,384 tokens in blocks of 16."""
    shape = (8192, 16, 4, 128)
    layout = {"shape": shape, "strides": [16 * 4 * 128, 4 * 128, 128, 1]}
    q = answer.input("q", TensorData("bfloat16", (8, 28, 128), b""))
    names = ("k_cache", "v_cache")
    one_block = TensorData("bfloat16", (1, *shape[1:]), b"")
    caches = [answer.input(name, TensorData("bfloat16", shape, b""), values=one_block, layout=layout) for name in names]
    tables = answer.input("block_tables", np.arange(8192, dtype="int32").reshape(8, 1024))
    seq_lens = answer.input("seq_lens", np.arange(2048, 16385, 2048, dtype="int32"))
    answer.paged_decode(q, *caches, tables, seq_lens, 128**-0.5)


def plan_of(*lengths, **choices):
    """A plan by hand: what is not named is as simple as it can be."""
    ops = [Op("exactly", length % 256, length // 256) for length in lengths]
    return Plan({name: values[0] for name, values in EVERYTHING.items()} | choices, ops)


PLACES = {"block_size": [4, 1, 16, 3], "order": [0, 1, 2, 3], "spare": [1, 0, 3], "wide": [0, 2]}
PLACES |= {"poison": ["1e4", "nan"]}
ONE_HEAD = {"kv_heads": [1], "group": [1], "head_dim": [16, 24]}
HEADS = {"kv_heads": [1, 2], "group": [1, 2, 3, 5], "head_dim": [16, 24, 80]}
NUMBERS = {"content": ["even", "normal"], "dtype": ["float32", "float16"], "scale": [0.5, 1.0, 0.3]}
EXTREME = {"content": ["abyss", "peaks", "large"], "dtype": ["float32", "float16"], "scale": [1.0, 0.25]}
DENSE = {"memory": ["dense"]}
ANYHOW = {"memory": ["padded", "heads"]}
EVERYTHING = PLACES | HEADS | NUMBERS | {"memory": ["dense"]}
EVERYTHING["content"] = ["normal"]

LENGTHS = [
    plan_of(1, 3, 4, 5, block_size=4, content="even"),
    plan_of(1, 2, 5, block_size=1, poison="nan", order=1),
    plan_of(15, 16, 17, 1, block_size=16, poison="nan", order=2, wide=2),
    plan_of(63, 65, block_size=64, head_dim=24, order=3),
    plan_of(271, 272, 273, block_size=272, poison="nan", order=1, spare=1),
    plan_of(300, 130, block_size=16, head_dim=64, order=2, poison="nan"),
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
    )
]


def what_reads_mean(state):
    """What the counted reads of a state tell."""
    for name in ("k_cache", "v_cache"):
        read, unread, copies = (state.get(f"{name}.{field}") for field in ("read", "unread", "copies"))
        if read == 0:
            return {
                "en": f"no kernel reads {name}; what it holds is put there when a kernel starts",
                "zh": f"没有 kernel 读过 {name}；kernel 启动时，里面才放进真正的内容",
            }
        if type(unread) is int and unread:
            return {
                "en": f"{unread} elements of {name} that a request owns were not read",
                "zh": f"{name} 里有 {unread} 个属于请求的元素没有被读到",
            }
        if type(copies) is float and copies > 1.0:
            return {
                "en": f"{name} is read where it lies, not copied first and read from the copy",
                "zh": f"{name} 放在哪里就在哪里读，不要先复制一份再从副本里读",
            }
        if type(read) is float and read > 1.1:
            return {
                "en": "every key and every value is read once, for all query heads that share it "
                f"({name} was read {read:g} times over)",
                "zh": f"每个 key、每个 value 只读一次，共用它的 query 头一起用（{name} 被读了 {read:g} 遍）",
            }
    return None


COMMON = {"oracle": oracle, "explain": what_reads_mean}
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
        always=[plan_of(5, 9, order=1)],
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
            "en": "“On a real GPU”: what fits into registers and shared memory.",
            "zh": "“真正的 GPU”一节：寄存器和共享内存放得下多少。",
        },
    ),
]
