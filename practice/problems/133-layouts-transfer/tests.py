"""Hidden tests of 133: KV put into orders of axes, and transfers whose tables go on, leap or turn back as drawn."""

from itertools import permutations

import numpy as np

from practice.judging import Group, Op, Plan, peek, plans

from . import oracle

LOGICAL = "LBHNC"
ENGINES = ["LBNHC", "LBHNC", "BHLNC", "BLNHC", "LHBNC", "BLHNC"]  # vLLM 0.30 has these six
ORDERS = list(dict.fromkeys([*ENGINES, *map("".join, permutations(LOGICAL))]))


def play_layouts(answer, plan):
    shape = (plan.layers, plan.blocks, plan.heads, plan.tokens, plan.content)
    kv, num_given, may_share = answer.given("kv", numbered(shape, plan.dtype)), 1, 1 in shape
    for op in plan.ops:
        answer.count(f"layouts_{op.kind}")
        if op.kind == "another":  # of the same shape
            num_given += 1
            kv, may_share = answer.given(f"kv{num_given}", numbered(shape, plan.dtype, 50 * num_given)), 1 in shape
        elif op.kind == "written":  # in place, unless a result may be the same memory
            if not may_share:
                kv.__setitem__(op.pick % plan.layers, numbered(shape[1:], plan.dtype, 100 + op.pick))
        elif op.kind == "view":
            physical = ORDERS[op.pick % len(ORDERS)]
            may_share |= physical == LOGICAL
            view = answer.to_layout(kv, physical).permute(*[physical.index(axis) for axis in LOGICAL])
            answer.to_layout(view, ENGINES[op.amount % len(ENGINES)])
        else:
            orders = ENGINES if op.kind == "engine" else ORDERS
            order = orders[op.pick % len(orders)]
            may_share |= order == LOGICAL
            answer.to_layout(kv, order)


def numbered(shape, dtype, first=1):
    """first, first + 1, …; as bytes they begin again after 250 or 127; float64 has what float32 has not: 1.1, 2.1, …"""
    numbers = np.arange(first, first + np.prod(shape)).reshape(shape)
    return {"uint8": numbers % 251, "int8": numbers % 128, "float64": numbers + 0.1}.get(dtype, numbers).astype(dtype)


class Side:
    """A block table in the making."""

    def __init__(self, block_size, first):
        self.block_size, self.first = block_size, first
        self.table, self.taken = [], set()

    def grow(self, num_tokens, way, far=0):
        while len(self.table) * self.block_size < num_tokens:
            self.table.append(self.next_block(way, far))
            self.taken.add(self.table[-1])

    def next_block(self, way, far):
        """The block that follows, precedes or comes soon after the last one, or any; never one that is taken."""
        if not self.table:
            return self.first
        last = self.table[-1]
        block = {"on": last + 1, "back": last - 1, "skip": last + 2, "leap": (last + 7 + 2 * (far % 6)) % 31}[way]
        while block < 0 or block in self.taken:
            block = max(self.table) + 2 if block < 0 else block + 1
        return block


WAYS = {
    "both_go_on": ("on", "on"),
    "source_leaps": ("leap", "on"),
    "destination_leaps": ("on", "leap"),
    "both_leap": ("leap", "leap"),
    "both_skip": ("skip", "skip"),
    "both_turn_back": ("back", "back"),
    "long": ("on", "on"),
    "many_tokens": ("back", "back"),
    "many_copies": ("back", "back"),
}


def play_transfer(answer, plan):
    """Each step adds some tokens; its kind says where the blocks that are needed for them lie."""
    src_size, dst_size = plan.sizes
    src, dst = Side(src_size, plan.src_first), Side(dst_size, plan.dst_first)
    num_tokens = 0
    for op in plan.ops:
        lengths = [
            src_size,
            dst_size,
            src_size + dst_size,
            1,
            src_size - 1,
            dst_size + 1,
            2 * src_size,
            1 + op.pick % 7,
        ]
        if op.kind == "many_tokens" and min(plan.sizes) < 100:
            raise ValueError("nobody wants to read such long tables")
        added = {"long": 40 * max(plan.sizes), "many_tokens": 4400, "many_copies": 1050 * max(plan.sizes)}
        num_tokens += added.get(op.kind, lengths[op.pick % 8])
        for side, way in zip((src, dst), WAYS[op.kind], strict=True):
            side.grow(num_tokens, way, op.amount)
    for side in (src, dst):
        if plan.spare == "blocks":
            side.grow((len(side.table) + 2) * side.block_size, "on")
        elif plan.spare == "padding":
            side.table += [-1, -1]
    calls = [(num_tokens, src.table, src_size, dst.table, dst_size)]
    if plan.again == "back":
        calls.append((num_tokens, dst.table, dst_size, src.table, src_size))
    elif plan.again == "fewer_tokens":
        calls.append((num_tokens // 2, *calls[0][1:]))
    elif plan.again == "smaller_blocks":
        sizes = max(1, src_size - 1), max(1, dst_size - 1)
        fits = min(len(side.taken) * size for side, size in zip((src, dst), sizes, strict=True))
        calls.append((min(num_tokens, fits), src.table, sizes[0], dst.table, sizes[1]))
    for call in calls:
        copies = peek(answer.transfer_plan(*call))
        answer.count("tokens", call[0])
        answer.count("copies", len(copies))
        answer.count("copies_across_blocks", sum(length > min(call[2], call[4]) for _, _, length in copies))


def _few_tokens(*pairs):
    """Every number of tokens from 0 on, with blocks of each two sizes that lie in order or not."""
    for sizes in pairs:
        for kind in ("both_go_on", "both_leap", "both_skip"):
            for count in range(2 * max(sizes) + 2):
                for spare in ("none", "blocks"):
                    choices = {"sizes": sizes, "src_first": 3, "dst_first": 6, "spare": spare, "again": ""}
                    yield Plan(choices, [Op(kind, 3, 0)] * count)


def _many(kind, *sizes):
    """Thousands of tokens, or also more than a thousand copies."""
    choices = {"sizes": sizes, "src_first": 1_000_003, "dst_first": 2_000_000, "spare": "none", "again": ""}
    return Plan(choices, [Op(kind, 0, 0)])


def _orders():
    """Every order there is, on axes of different sizes, and a larger cache in those of the engines."""
    choices = {"layers": 2, "blocks": 3, "heads": 4, "tokens": 5, "content": 1, "dtype": "uint8"}
    for start in range(0, len(ORDERS), 6):
        yield Plan(choices, [Op("any", pick, 0) for pick in range(start, start + 6)])
    for pick in range(len(ENGINES)):
        yield Plan(choices | {"content": 64, "dtype": "float32"}, [Op("engine", pick, 0)])
    choices = {"layers": 2, "blocks": 2, "heads": 2, "tokens": 3, "content": 2, "dtype": "float32"}
    for kind in ("another", "written"):
        yield Plan(choices, [Op("engine", 0, 0), Op(kind, 0, 0), Op("engine", 0, 0)])


SPARE = {"spare": ["none", "blocks", "padding"], "again": ["", "back", "fewer_tokens", "smaller_blocks"]}
PLANS = {"watch": {"list": ("",)}, "names": {"list": ["plan", "plan2"]}}
FIRST = {"src_first": [3, 0, 12, 1_000_003], "dst_first": [6, 0, 3, 2_000_000]}
KINDS = {"both_go_on": 4, "source_leaps": 3, "destination_leaps": 3, "both_leap": 2, "both_skip": 2}
KINDS |= {"both_turn_back": 2, "long": 1}
SAME = [(4, 4), (2, 2), (3, 3), (1, 1), (16, 16), (7, 7)]
OTHER = [(2, 4), (4, 2), (2, 3), (3, 2), (4, 3), (3, 4), (1, 4), (4, 1), (6, 4), (16, 5), (7, 16), (16, 128), (64, 16)]

GROUPS = [
    Group(
        name="layouts",
        title={"en": "to_layout: the axes in any order", "zh": "to_layout：轴的任意次序"},
        points=30,
        play=play_layouts,
        oracle=oracle,
        watch={"Laid": ("contiguous()", "is_contiguous()")},
        names={"Laid": list("abcdefghijklmnopqrstuvwxyz")},
        plans=plans(
            {"engine": 3, "any": 2, "view": 2, "another": 1, "written": 1},
            (1, 4),
            layers=[1, 2, 3],
            blocks=[1, 2, 3, 4],
            heads=[2, 1, 3],
            tokens=[3, 2, 1, 4],
            content=[1, 2, 4, 6],
            dtype=["float32", "float16", "uint8", "float64", "int8"],
        ),
        programs=30,
        always=list(_orders()),
        hint={
            "en": "“The order of the axes”: what a letter of `order` stands for, and what lies next to what in memory.",
            "zh": "“轴的次序”一节：`order` 里每个字母代表什么，内存里什么挨着什么。",
        },
    ),
    Group(
        name="same_size",
        title={"en": "transfer_plan: blocks of one size", "zh": "transfer_plan：两边的块一样大"},
        points=25,
        play=play_transfer,
        oracle=oracle,
        **PLANS,
        plans=plans(KINDS, (1, 6), sizes=SAME, **FIRST, **SPARE),
        programs=60,
        always=[*_few_tokens((4, 4), (1, 1)), _many("many_copies", 4, 4)],
        hint={
            "en": "“Which slots go where”: where a copy has to end, and where it goes on into the next block.",
            "zh": "“哪些槽位搬到哪里”一节：一次复制到哪里必须结束，什么时候能接着进下一块。",
        },
    ),
    Group(
        name="other_size",
        title={"en": "transfer_plan: blocks of two sizes", "zh": "transfer_plan：两边的块大小不同"},
        points=35,
        play=play_transfer,
        oracle=oracle,
        **PLANS,
        plans=plans(KINDS, (1, 6), sizes=OTHER, **FIRST, **SPARE),
        programs=60,
        always=[*_few_tokens((2, 4), (4, 2), (4, 3), (1, 4)), _many("many_tokens", 512, 384)],
        hint={
            "en": "“Which slots go where”: a block may end on one side, on the other, or on both.",
            "zh": "“哪些槽位搬到哪里”一节：块可能在一边结束，也可能在另一边，或者两边同时。",
        },
    ),
]
