"""Hidden tests of 124. No two requests share a block, and a request's blocks do not lie side by side.

What a call returned is looked at after the next ones too, and these may have the same tables and larger blocks.
"""

from itertools import accumulate, chain, pairwise

from practice.judging import Group, Op, Plan, plans

from . import oracle

BLOCK_SIZES = [4, 2, 3, 16, 8, 1, 5, 7, 262144]
NUM_BLOCKS = 61


class Batch:
    """Requests in the making. Step after step gives a request its length and the positions of its new tokens."""

    def __init__(self, plan):
        self.block_size, self.first, self.spare, self.far = plan.block_size, plan.first, plan.spare, plan.far
        self.taken = 0
        self.tables, self.positions = [], []
        for op in plan.ops:
            self.add(op)

    def add(self, op):
        """A request that ends around the end of a block, and has at most 8 blocks; a long one has 40."""
        if self.taken + 8 > NUM_BLOCKS:
            return
        blocks = 40 if op.kind == "long" else 1 + op.pick % 3
        tail = [self.block_size, 1, self.block_size - 1, 1 + op.pick % self.block_size][op.pick // 3 % 4]
        length = (blocks - 1) * self.block_size + (tail or self.block_size)
        self.tables.append([self.next_block() for _ in range(blocks + self.spare)])
        self.positions.append(getattr(self, op.kind)(length, op.amount))

    def next_block(self):
        """Blocks that are far apart and never come twice; numbers go as high as large pools have them, and higher."""
        self.taken += 1
        return (self.first + 23 * self.taken) % NUM_BLOCKS * self.far

    # --- the kinds of a step: positions of the new tokens of a request with `length` tokens ---

    def decode(self, length, amount):
        """One token, the newest: its position is the length less one (nano-vllm f5b4840 had it one too large)."""
        return [length - 1]

    def nothing(self, length, amount):
        return []

    def prefill(self, length, amount):
        return list(range(min(length, 20)))

    def chunk(self, length, amount):
        """The last part of a prompt."""
        return list(range(max(0, length - 1 - amount % 7), length))

    def around_a_boundary(self, length, amount):
        """The last positions of one block and the first of the next."""
        middle = (1 + amount % 2) * self.block_size
        return [p for p in range(middle - 2, middle + 2) if 0 <= p < length]

    def long(self, length, amount):
        """Positions all over a long table, the last one included."""
        return [*range(amount % 3, length, 7), length - 1]

    def anywhere(self, length, amount):
        """A few positions in any order, some of them twice."""
        positions = [(amount + 7 * i * i) * (1 + length // 256) % length for i in range(1 + amount % 5)]
        return positions + positions[:1] * (amount % 3)


def play_one(answer, plan):
    batch = Batch(plan)
    for table, positions in zip(batch.tables, batch.positions, strict=True):
        count(answer, [positions], plan.block_size)
        answer.slot_mapping(table, positions, plan.block_size)
        if plan.again:
            answer.slot_mapping(table, positions, plan.block_size + 1)


def play_batch(answer, plan):
    batch = Batch(plan)
    tokens = sum(map(len, batch.positions))
    call_batch(answer, plan, batch.tables, batch.positions, tokens + plan.more, plan.block_size)
    if plan.again == "larger_blocks":
        call_batch(answer, plan, batch.tables, batch.positions, tokens + plan.more, plan.block_size + 1)
    if plan.again == "smaller_batch" and batch.tables:
        # A smaller batch after a larger one, padded to the same size (vLLM 0.33, worker/gpu/block_table.py).
        few = len(batch.tables) // 2
        call_batch(answer, plan, batch.tables[:few], batch.positions[:few], tokens + plan.more, plan.block_size)


def call_batch(answer, plan, tables, positions, padded_to, block_size):
    tokens = list(chain.from_iterable(positions))
    if plan.square:
        width = max(map(len, tables), default=0) + plan.square - 1
        tables = [table + [-1] * (width - len(table)) for table in tables]
    count(answer, positions, block_size)
    answer.count("batches_with_padded_rows", int(plan.square > 0))
    answer.count("requests_without_tokens", positions.count([]))
    answer.count("batches_without_tokens", int(not tokens))
    answer.count("padding", padded_to - len(tokens))
    starts = list(accumulate(map(len, positions), initial=0))
    answer.batch_slot_mapping(tables, starts, tokens, block_size, padded_to)


def count(answer, requests, block_size):
    """What a call is about, for the coverage."""
    tokens = list(chain.from_iterable(requests))
    answer.count("tokens", len(tokens))
    answer.count("offsets_beyond_16_bits", sum(position % block_size >= 1 << 16 for position in tokens))
    answer.count("steps_back", sum(b <= a for positions in requests for a, b in pairwise(positions)))


def _every_position():
    """Every position of three blocks."""
    for block_size in (1, 2, 3, 4):
        choices = {"block_size": block_size, "first": 45, "spare": 0, "far": 1, "again": ""}
        yield Plan(choices, [Op("prefill", 2, 0)])
        yield Plan(choices | {"again": "larger_blocks"}, [Op("chunk", 4, 3)])
    for far in (1, 1_000_003):
        yield Plan({"block_size": 4, "first": 45, "spare": 0, "far": far, "again": ""}, [Op("long", 1, 0)])


def _decode():
    """One token for each request, the newest, on both sides of every end of a block."""
    for block_size in (1, 2, 4):
        choices = {"block_size": block_size, "first": 45, "spare": 1, "far": 1, "square": 1, "more": 0, "again": ""}
        yield Plan(choices, [Op("decode", pick, 0) for pick in range(9)])
    choices = {"block_size": 4, "first": 45, "spare": 0, "far": 1, "square": 0, "more": 0, "again": ""}
    yield Plan(choices, [Op("decode", 3 * n, 0) for n in range(40)])


def _without_tokens():
    """No request at all, or none that has tokens, with and without padding."""
    for kinds in ((), ("nothing",), ("nothing", "nothing")):
        for more in (0, 1, 3):
            choices = {"block_size": 4, "first": 45, "spare": 0, "far": 1, "square": 0, "more": more, "again": ""}
            yield Plan(choices, [Op(kind, 0, 0) for kind in kinds])


ONE = {"anywhere": 4, "chunk": 2, "around_a_boundary": 2, "decode": 1, "prefill": 1, "nothing": 1}
TOKENS = {"decode": 3, "prefill": 2, "chunk": 3, "around_a_boundary": 1, "anywhere": 2}
TABLES = {
    "block_size": BLOCK_SIZES,
    "first": [45, 38, 0, 17, 52, 29],
    "spare": [0, 1, 3],
    "far": [1, 1, 17, 1_000_003, 1 << 33],
}
COMMON = {"oracle": oracle, "watch": {"list": ("",)}, "names": {"list": ["slots", "slots2", "slots3", "slots4"]}}

GROUPS = [
    Group(
        name="one_request",
        title={"en": "slot_mapping: one request", "zh": "slot_mapping：一个请求"},
        points=30,
        play=play_one,
        **COMMON,
        plans=plans(ONE, (1, 2), **TABLES, again=["", "larger_blocks"]),
        programs=40,
        always=list(_every_position()),
        hint={
            "en": "“From position to slot”: which table entry, and which place in that block.",
            "zh": "“从位置到槽位”一节：查块表的第几项，在块里是第几个。",
        },
    ),
    Group(
        name="batch",
        title={"en": "batch_slot_mapping: several requests", "zh": "batch_slot_mapping：多个请求"},
        points=35,
        play=play_batch,
        **COMMON,
        plans=plans(TOKENS, (1, 6), **TABLES, square=[0, 1, 3], more=[0], again=["", "larger_blocks"]),
        programs=40,
        always=list(_decode()),
        hint={
            "en": "“A whole batch”: which tokens belong to which request, and where their positions begin.",
            "zh": "“一个批次”一节：哪些 token 属于哪个请求，它们的位置从哪里算起。",
        },
    ),
    Group(
        name="padding",
        title={"en": "padding, and requests without tokens", "zh": "填充，以及没有新 token 的请求"},
        points=25,
        play=play_batch,
        **COMMON,
        plans=plans(
            {**TOKENS, "nothing": 6},
            (1, 6),
            **TABLES,
            square=[0, 1, 3],
            more=[0, 1, 2, 5, 16],
            again=["", "smaller_batch", "larger_blocks"],
        ),
        programs=30,
        always=list(_without_tokens()),
        hint={
            "en": "“A whole batch”: a request without tokens, and what stands behind the last token.",
            "zh": "“一个批次”一节：没有新 token 的请求，以及最后一个 token 之后填什么。",
        },
    ),
]
