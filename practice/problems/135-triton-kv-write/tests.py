"""Hidden tests of 135. What is in the cache before is negative or NaN, what is written counts up from 1: a wrong
element tells where it came from. While no kernel runs, cache, slots and values hold something else."""

from random import Random

import numpy as np

from practice.judging import Group, Op, Plan, kernel, plans
from practice.judging.paged_inputs import first_past_32_bits
from practice.judging.wire import TensorData

from . import oracle


class Spread:
    """A huge cache for the oracle: only the last blocks are there."""

    def __init__(self, shape, first, array):
        self.shape, self._first, self._array = shape, first, array

    def __setitem__(self, index, row):
        self._array[index[0] - self._first, index[1]] = row


class Step:
    """Tokens on their way into a cache. Plans name its sizes, and memory: how it and the values lie (see `layouts`)."""

    def __init__(self, plan, shift=0):
        self.plan = plan
        self.shape = (plan.num_blocks, plan.block_size, plan.kv_heads, plan.head_dim)
        self.num_slots = plan.num_blocks * plan.block_size
        self.slots = []
        for op in plan.ops:
            self.slots += [slot for slot in getattr(self, op.kind)(op) if slot not in self.slots or slot == -1]
        self.slots = [(slot + shift) % self.num_slots if slot >= 0 else -1 for slot in self.slots]

    # --- the kinds of a step: slots of new tokens ---

    def anywhere(self, op):
        return Random(op.pick).sample(range(self.num_slots), min(self.num_slots, 1 + op.amount % 5))

    def ends(self, op):
        """The last slot and the first."""
        return [self.num_slots - 1, 0][: 1 + op.amount % 2]

    def boundary(self, op):
        """Around the end of a block."""
        middle = (1 + op.pick % self.plan.num_blocks) * self.plan.block_size
        return [slot for slot in (middle - 1, middle) if slot < self.num_slots]

    def padding(self, op):
        return [-1] * (1 + op.amount % 2)

    # --- what it comes to ---

    def values(self):
        """[N, num_kv_heads, head_dim], each element another; whole numbers, or in float32 a third more."""
        shape = (len(self.slots), *self.shape[2:])
        count = np.arange(int(np.prod(shape))).reshape(shape) % 1900 + 1  # float16 has them all up to 2048
        return (count + (1 / 3 if self.plan.content == "thirds" else 0)).astype(self.plan.dtype)

    def before(self):
        """What the cache holds: what earlier requests left behind, or NaN."""
        count = np.arange(int(np.prod(self.shape))).reshape(self.shape) % 1900 - 1900.0
        return (count * (np.nan if self.plan.stale == "nan" else 1)).astype(self.plan.dtype)

    def writable(self):
        """The elements of the slots that are named."""
        mask = np.zeros((self.num_slots, *self.shape[2:]), bool)
        mask[[slot for slot in self.slots if slot >= 0]] = True
        return mask.reshape(self.shape)

    def layouts(self):
        """How cache and values lie in memory. dense: no room between elements; room: after each block, each slot and
        each token; heads: [num_blocks, num_kv_heads, block_size, head_dim], seen with two axes exchanged, and tokens in
        the midst of a wider row, as q, k and v are when one product makes them; huge: the first blocks past 2^31
        elements.
        """
        plan, token = self.plan, self.plan.kv_heads * self.plan.head_dim
        slot = token + 3 * (plan.memory == "room")
        strides, rows = [plan.block_size * slot, slot, plan.head_dim, 1], [token, plan.head_dim, 1]
        if plan.memory == "room":
            strides[0], rows[0] = strides[0] + 8, token + 5
        if plan.memory == "heads":
            strides[1:3] = [plan.head_dim, plan.block_size * plan.head_dim]
            rows = [3 * token + 2, plan.head_dim + 1, 1]
        fill = -7777.0
        cache = {"shape": self.shape, "strides": strides, "fill": fill}
        if plan.memory == "huge":
            first, end = self.first_block(), self.first_block() + plan.num_blocks
            cache |= {"shape": (end, *self.shape[1:]), "at": list(range(first, end))}
        dense = {"shape": (len(self.slots), *self.shape[2:]), "strides": rows, "fill": fill}
        return cache if plan.memory != "dense" else None, dense if plan.memory in ("room", "heads") else None

    def first_block(self):
        """Where the blocks of the plan begin."""
        return first_past_32_bits(self.shape) if self.plan.memory == "huge" else 0


def play(answer, plan):
    """One call."""
    step(answer, Step(plan), counted=False)


def play_counted(answer, plan):
    """One call of which the writes are counted."""
    step(answer, Step(plan), counted=True)


def play_again(answer, plan):
    """Two calls with the same tensors in the same memory, which hold something else the second time."""
    step(answer, Step(plan), counted=False)
    step(answer, Step(plan, shift=1), counted=False)


def step(answer, tokens, counted):
    plan, values, cache = tokens.plan, tokens.values(), tokens.before()
    answer.count("tokens_written", sum(slot >= 0 for slot in tokens.slots))
    answer.count("padding_skipped", tokens.slots.count(-1))
    first = tokens.first_block()
    slots = np.array([slot + first * plan.block_size if slot >= 0 else -1 for slot in tokens.slots], "int64")
    others = np.where(slots < 0, 0, (slots + 1) % tokens.num_slots) + first * plan.block_size
    layout, rows = tokens.layouts()
    known = Spread(layout["shape"], first, cache) if plan.memory == "huge" else cache
    about = {"values": cache, "layout": layout, "before": np.full_like(cache, 1950), "writable": tokens.writable()}
    cache = answer.input("cache", known, **about, counted=counted)
    slots = answer.input("slot_mapping", slots, before=others)
    values = answer.input("values", values, layout=rows if len(values) else None, before=-values)
    answer.write(cache, slots, values)


def compile_for_gpu(answer):
    """8192 new tokens of 4 heads of 128, as in Qwen2.5-7B, blocks of 16."""
    shape = (8192, 16, 4, 128)
    layout = {"shape": shape, "strides": [16 * 4 * 128, 4 * 128, 128, 1]}
    one_block = TensorData("bfloat16", (1, *shape[1:]), b"")
    cache = answer.input("cache", TensorData("bfloat16", shape, b""), values=one_block, layout=layout)
    slots = answer.input("slot_mapping", TensorData("int64", (8192,), b""))
    answer.write(cache, slots, answer.input("values", TensorData("bfloat16", (8192, 4, 128), b"")))


def plan_of(*kinds, **choices):
    """A plan by hand: what is not named is as simple as it can be."""
    ops = [Op(kind, 3 + 2 * n, n) for n, kind in enumerate(kinds)]
    return Plan({name: values[0] for name, values in (SIZES | REST).items()} | choices, ops)


SIZES = {"num_blocks": [3, 2, 5], "block_size": [2, 1, 3, 4, 16], "kv_heads": [1, 2], "head_dim": [1, 2, 5]}
REST = {"dtype": ["float32", "float16"], "stale": ["numbers", "nan"], "content": ["whole", "thirds"]}
REST |= {"memory": ["dense"]}
WRITES = {"anywhere": 4, "ends": 2, "boundary": 2}

HEADS = [
    plan_of("ends", "anywhere", kv_heads=heads, head_dim=dim, block_size=size, dtype=dtype)
    for heads, dim, size, dtype in (
        (3, 80, 2, "float16"),
        (1, 96, 16, "float32"),
        (5, 24, 1, "float32"),
        (9, 160, 1, "float32"),
        (8, 256, 1, "float16"),
        (1, 576, 1, "float32"),
        (32, 3, 2, "float32"),
    )
]
MEMORY = [plan_of("ends", "anywhere", memory=memory, kv_heads=2, head_dim=3) for memory in ("room", "heads")]
MEMORY += [
    plan_of("ends", "boundary", memory="huge", block_size=16, kv_heads=heads, head_dim=dim, dtype="float16")
    for heads, dim in ((2, 64), (1, 1))
]


def what_writes_mean(state):
    """What the counted writes of a state tell."""
    wrote = state.get("cache.wrote")
    if wrote == 0:
        return {
            "en": "no kernel writes into the cache; what it holds is put there when a kernel starts",
            "zh": "没有 kernel 往缓存里写过；kernel 启动时，里面才放进真正的内容",
        }
    if type(wrote) is float and wrote > 1.1:
        return {
            "en": f"every element is written once (the cache was written {wrote:g} times over)",
            "zh": f"每个元素只写一次（缓存被写了 {wrote:g} 遍）",
        }
    return None


COMMON = {"oracle": oracle, "explain": what_writes_mean}
GROUPS = [
    Group(
        name="write",
        title={"en": "interpreter: each token to its slot", "zh": "解释器：每个 token 写到自己的槽位"},
        points=25,
        plans=plans(WRITES, (1, 3), **SIZES, **REST),
        play=play,
        programs=10,
        always=[plan_of(*["anywhere"] * 40, num_blocks=5, block_size=16)],
        hint={
            "en": "“One program per token”: which block a slot lies in, and what stays as it is.",
            "zh": "“一个 token 一个 program”一节：槽位在哪个块里，哪些地方要保持原样。",
        },
        **COMMON,
    ),
    Group(
        name="padding",
        title={"en": "interpreter: slot −1 is skipped", "zh": "解释器：跳过槽位 −1"},
        points=15,
        plans=plans(WRITES | {"padding": 8}, (1, 4), **SIZES, **REST),
        play=play,
        programs=8,
        always=[plan_of("padding"), plan_of("anywhere", "padding", "anywhere"), plan_of()],
        hint={
            "en": "“One program per token”: what a program with slot −1 does.",
            "zh": "“一个 token 一个 program”一节：槽位是 −1 的 program 做什么。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "interpreter: heads of any number and size", "zh": "解释器：头的个数与大小"},
        points=15,
        plans=plans(WRITES, (1, 2), **SIZES | {"kv_heads": [2, 3], "head_dim": [2, 3, 7]}, **REST),
        play=play,
        programs=3,
        always=HEADS,
        hint={
            "en": "“One program per token”: a tile is padded to a power of two, and may be one of several.",
            "zh": "“一个 token 一个 program”一节：tile 要补到 2 的幂，一个 token 也可能要好几个。",
        },
        **COMMON,
    ),
    Group(
        name="memory",
        title={"en": "interpreter: strides and large offsets", "zh": "解释器：步长与大偏移"},
        points=15,
        plans=plans(WRITES, (1, 2), **SIZES, **REST | {"memory": ["room", "heads"]}),
        play=play,
        programs=4,
        always=MEMORY,
        hint={
            "en": "“Where an element lies”: strides of both tensors, and offsets of more than 32 bits.",
            "zh": "“元素在哪里”一节：两个张量的步长，以及超过 32 位的偏移。",
        },
        **COMMON,
    ),
    Group(
        name="traffic",
        title={"en": "interpreter: every element written once", "zh": "解释器：每个元素只写一遍"},
        points=5,
        plans=plans(WRITES, (1, 2), **SIZES, **REST),
        play=play_counted,
        programs=0,
        always=[
            plan_of("ends", kv_heads=2, head_dim=2),
            plan_of("ends", "padding", "anywhere", kv_heads=5, head_dim=3),
        ],
        hint={
            "en": "“One program per token”: who writes which element.",
            "zh": "“一个 token 一个 program”一节：哪个元素由谁来写。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "interpreter: the next step, in the same memory", "zh": "解释器：下一步，同一片内存"},
        points=5,
        plans=plans(WRITES, (1, 2), **SIZES, **REST),
        play=play_again,
        programs=0,
        always=[plan_of("anywhere", "padding")],
        hint={
            "en": "“In place, by a kernel”: each call is a new step.",
            "zh": "“由 kernel 原地写”一节：每次调用都是新的一步。",
        },
        **COMMON,
    ),
    kernel.compiled(
        points=10,
        play=compile_for_gpu,
        title={"en": "compiled: bfloat16 for sm_90", "zh": "编译：sm_90 上的 bfloat16"},
        hint={
            "en": "“How it is judged”: what the interpreter lets pass and the compiler does not.",
            "zh": "“怎么判”一节：解释器放过、编译器不放过的写法。",
        },
    ),
]
