"""Hidden tests of 123: blocks leave and come back in every order, and each run ends by emptying the pool.

The queue itself is never looked at, so an answer may keep it in any form; the blocks handed out tell its order.
"""

from random import Random

from practice.judging import Group, Op, Plan, peek, plans

from . import oracle

WATCH = {"BlockPool": ("num_free()", "ref_cnt")}
NAMES = {"BlockPool": ["pool", "pool2"]}


class Run:
    """One pool in use: `held` has the blocks of each request, in the order in which they came."""

    def __init__(self, answer, num_blocks):
        self.answer = answer
        self.pool = answer.BlockPool(num_blocks)
        self.held = []
        answer.count("pools_of_1_to_64" if num_blocks <= 64 else "pools_of_1000_or_more")

    def num_free(self):
        return peek(self.pool).num_free()

    def allocate(self, n):
        self.answer.count("refused" if n > self.num_free() else "allocations")
        blocks = self.pool.allocate(n)
        if blocks:
            self.held.append(blocks)

    def free(self, blocks):
        self.answer.count("blocks_given_back", len(blocks))
        self.held = [[block for block in request if block not in blocks] for request in self.held]
        self.held = [request for request in self.held if request]
        self.pool.free(blocks)

    def in_use(self):
        return [block for request in self.held for block in request]

    # --- the steps of a plan ---

    def step_take(self, op):
        self.allocate(1 + op.amount % 4)

    def step_take_nothing(self, op):
        self.allocate(0)

    def step_take_all(self, op):
        self.allocate(self.num_free())

    def step_take_too_many(self, op):
        """Refused, and then what is there after all."""
        self.allocate(self.num_free() + 1 + op.pick % 3)
        self.allocate(min(self.num_free(), op.amount % 4))

    def step_give(self, op):
        """A request ends: its blocks come back in table order, or from the last one to the first."""
        if self.held:
            blocks = self.held[op.pick % len(self.held)]
            self.free(blocks[::-1] if op.amount % 3 == 2 else list(blocks))

    def step_give_some(self, op):
        """Blocks of any requests, in any order."""
        blocks = self.in_use()
        self.free(Random(op.pick).sample(blocks, min(len(blocks), 1 + op.amount % 5)))

    def step_give_nothing(self, op):
        self.free([])

    def step_give_all(self, op):
        blocks = self.in_use()
        self.free(Random(op.pick).sample(blocks, len(blocks)) if op.amount % 2 else blocks)

    def step_recycle(self, op):
        """In a full pool one block goes round, and one more is never to be had (vLLM 0.6.4, test_naive_block.py)."""
        self.step_take_all(op)
        for turn in range(1 + op.amount % 3):
            blocks = self.in_use()
            self.free([blocks[(op.pick + turn) % len(blocks)]])
            self.allocate(1)
            self.allocate(1)

    def step_second_pool(self, op):
        """A pool beside the first: what one does must not show in the other."""
        second = SecondPool(self.answer, 2 + op.pick % 6)
        self.answer.count("runs_with_two_pools")
        for kind in ("take", "give_some", "take_all")[: 1 + op.amount % 3]:
            getattr(second, f"step_{kind}")(op)


class SecondPool(Run):
    """The same steps on another pool of the same run."""


def play(answer, plan):
    run = Run(answer, plan.num_blocks)
    for op in plan.ops:
        getattr(run, f"step_{op.kind}")(op)
    run.allocate(run.num_free())


def explain(state):
    """Which rule of the pool a state breaks, in words of both languages; None where it breaks none."""
    for pool in ("pool", "pool2"):
        counts, free = state.get(f"{pool}.ref_cnt"), state.get(f"{pool}.num_free()")
        if type(counts) is not list or any(type(count) is not int for count in counts):
            return None
        for block, count in enumerate(counts):
            if count not in (0, 1):
                return {
                    "en": f"{pool}.ref_cnt[{block}] is {count}: a block has one owner, or none",
                    "zh": f"{pool}.ref_cnt[{block}] 是 {count}：一个块要么有一个所有者，要么没有",
                }
        if type(free) is int and free != counts.count(0):
            return {
                "en": f"{pool} calls {free} blocks free, but {counts.count(0)} have no owner",
                "zh": f"{pool} 说有 {free} 个空闲块，而没有所有者的块有 {counts.count(0)} 个",
            }
    return None


def _drained_and_filled():
    """Everything out, everything back, everything out again (vLLM 0.33, test_kv_cache_utils.py)."""
    for num_blocks in (1, 2, 16):
        kinds = ("take_all", "take_nothing", "give_all")
        yield Plan({"num_blocks": num_blocks}, [Op(kind, 0, 0) for kind in kinds])


def _every_size():
    script = [("take", 0, 2), ("give_some", 3, 1), ("take_too_many", 0, 1), ("take", 0, 1), ("give", 1, 2)]
    for num_blocks in [*range(1, 65), 65, 100, 128, 257, 512, 999, 1000, 4096]:
        yield Plan({"num_blocks": num_blocks}, [Op(*step) for step in script])


ALLOCATE = {"take": 5, "take_nothing": 1, "take_all": 1, "take_too_many": 3}
QUEUE = {"take": 8, "give": 4, "give_some": 6, "give_all": 1, "give_nothing": 1, "recycle": 1, "take_all": 1}
QUEUE |= {"take_nothing": 1, "take_too_many": 2}
SEVERAL = {"take": 3, "give_some": 2, "second_pool": 2}
COMMON = {"play": play, "oracle": oracle, "watch": WATCH, "names": NAMES, "explain": explain}
SIZES = [6, 8, 4, 12, 3, 16, 2, 24, 32, 5, 1]

GROUPS = [
    Group(
        name="allocate",
        title={"en": "allocate until nothing is left", "zh": "只分配，直到分完"},
        points=20,
        plans=plans(ALLOCATE, (2, 10), num_blocks=SIZES),
        programs=15,
        hint={
            "en": "“Taking blocks” and “Owners”: all or nothing, and who owns what afterwards.",
            "zh": "“取块”和“所有者”两节：要么全给，要么不给；之后哪个块有几个所有者。",
        },
        **COMMON,
    ),
    Group(
        name="queue",
        title={"en": "blocks come back, and which goes next", "zh": "归还之后，下一个轮到谁"},
        points=50,
        plans=plans(QUEUE, (4, 20), num_blocks=SIZES),
        programs=60,
        always=list(_drained_and_filled()),
        hint={
            "en": "“The queue” and “Owners”: where blocks leave, where they come back, and in which order.",
            "zh": "“队列”和“所有者”两节：块从哪头出去，从哪头回来，按什么次序。",
        },
        **COMMON,
    ),
    Group(
        name="pools",
        title={"en": "pools of every size, and two at once", "zh": "各种大小的池，以及两个池并存"},
        points=20,
        plans=plans(SEVERAL, (3, 10), num_blocks=SIZES),
        programs=10,
        always=list(_every_size()),
        hint={
            "en": "“The queue”: each pool has its own, and at first all its blocks wait in it.",
            "zh": "“队列”一节：每个池有自己的队列，一开始所有的块都在里面。",
        },
        **COMMON,
    ),
]
