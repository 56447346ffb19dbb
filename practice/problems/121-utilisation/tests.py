"""Hidden tests of 121: one call each, on lengths around the ends of blocks and of the reservation."""

from practice.judging import Group, Op, Plan, plans

from . import oracle

BLOCK_SIZES = [4, 2, 8, 3, 16, 1, 7, 5, 64, 256]


class Lengths:
    """How a step of a plan becomes the length of one request."""

    def __init__(self, block_size, max_len):
        self.block_size, self.max_len = block_size, max_len

    def any(self, op):
        return 1 + (op.pick + 256 * op.amount) % self.max_len

    def exact(self, op):
        """Whole blocks, where one block too many is easily counted."""
        return self.block_size * (1 + op.pick % 4)

    def first_of_block(self, op):
        """One token alone in its last block."""
        return self.block_size * (op.pick % 4) + 1

    def last_but_one_of_block(self, op):
        """One slot short of full."""
        return self.block_size * (1 + op.pick % 4) - 1

    def whole_reservation(self, op):
        return self.max_len

    def of(self, op):
        return min(max(getattr(self, op.kind)(op), 1), self.max_len)


def play(answer, plan):
    make = Lengths(plan.block_size, plan.max_len)
    lengths = [make.of(op) for op in plan.ops] or [1]
    answer.count("requests", len(lengths))
    answer.count("requests_that_fill_their_blocks", sum(length % plan.block_size == 0 for length in lengths))
    answer.count("requests_that_fill_their_reservation", lengths.count(plan.max_len))
    answer.count("reservations_that_end_inside_a_block", int(plan.max_len % plan.block_size > 0))
    answer.utilisation(lengths, plan.block_size, plan.max_len)


def _every_length(*others):
    """Every length up to three blocks and one more, beside `others`."""
    for block_size in (4, 5):
        for length in range(1, 3 * block_size + 2):
            yield Plan({"block_size": block_size, "max_len": 18}, [Op("any", length - 1, 0), *others])


def _crowd():
    """More requests than the drawn workloads have."""
    yield Plan({"block_size": 16, "max_len": 4096}, [Op("any", 37 * n % 256, 101 * n % 256) for n in range(1500)])


KINDS = {"any": 4, "exact": 2, "first_of_block": 2, "last_but_one_of_block": 2, "whole_reservation": 1}
COMMON = {"play": play, "oracle": oracle}

GROUPS = [
    Group(
        name="one_request",
        title={"en": "one request alone", "zh": "只有一个请求"},
        points=30,
        plans=plans(KINDS, (1, 1), block_size=BLOCK_SIZES, max_len=[20, 32, 10, 4096, 5, 1]),
        programs=25,
        always=list(_every_length()),
        hint={
            "en": "the two plans, and how many blocks are just enough when the last one is full, and when it isn't.",
            "zh": "两种分法。“刚好够用”是几块？最后一块没装满时呢？恰好装满时呢？",
        },
        **COMMON,
    ),
    Group(
        name="several_requests",
        title={"en": "several requests of different lengths", "zh": "几个长短不一的请求"},
        points=40,
        plans=plans(KINDS, (2, 6), block_size=BLOCK_SIZES, max_len=[20, 32, 10, 100, 4096, 50]),
        programs=40,
        always=list(_every_length(Op("whole_reservation", 0, 0))),
        hint={
            "en": "“over all requests together”, and that no block is shared by two requests.",
            "zh": "“把所有请求合在一起算”；另外，一个块不会由两个请求合用。",
        },
        **COMMON,
    ),
    Group(
        name="workload",
        title={"en": "a server's workload", "zh": "一台服务器的负载"},
        points=20,
        plans=plans({"any": 1}, (50, 200), block_size=[16, 1, 64, 256, 32], max_len=[4096, 2000, 32768]),
        programs=10,
        always=list(_crowd()),
        hint={
            "en": "the whole contract once more: fractions from 0 to 1, not rounded.",
            "zh": "再核对一遍约定：0 到 1 之间的浮点数，不要四舍五入。",
        },
        **COMMON,
    ),
]
