"""Calls that make a list of objects, use up those they were given, and build on library code that is provided."""

import pytest

from practice.judging import catalogue
from practice.judging.verdict import judge

SPLIT = {
    "problem.toml": """
title = { en = "Split", zh = "分" }
chapter = 1
difficulty = "easy"
entry = ["split", "merge"]
provides = ["practice/problems/904-split/heaps.py"]

[reference]
files = ["practice/problems/904-split/heaps.py", "practice/problems/904-split/reference.py"]
""",
    "heaps.py": """
class Heap:
    def __init__(self, coins):
        self.coins = coins
""",
    "examples.txt": """>>> heap = Heap(5)
>>> a, b = split(heap, 2)
>>> b.coins
2
>>> [c] = merge([a, b])
>>> c.coins
5
""",
    "oracle.py": """
class Heap:
    def __init__(self, coins):
        self.coins = coins


def split(heap, n):
    share, rest = divmod(heap.coins, n)
    heaps = [Heap(share + (k < rest)) for k in range(n)]
    heap.coins = 0
    return heaps


def merge(heaps):
    return [Heap(sum(heap.coins for heap in heaps))]
""",
    "tests.py": """
from practice.judging import Group, plans

from . import oracle


def play(answer, plan):
    for op in plan.ops:
        heap = answer.Heap(op.amount)
        heaps = answer.split(heap, 1 + op.pick % 4)
        answer.merge(heaps)


GROUPS = [Group("all", {"en": "all", "zh": "全部"}, 90, plans({"any": 1}, (1, 4)), play, oracle,
                watch={"Heap": ("coins",)}, names={"Heap": list("hijklmnop")}, uses_up=("merge",), programs=12)]
""",
}
RIGHT = """
from paged import Heap
def split(heap, n):
    share, rest = divmod(heap.coins, n)
    heap.coins = 0
    return [Heap(share + 1) for _ in range(rest)] + [Heap(share) for _ in range(n - rest)]
def merge(heaps):
    first, *others = heaps
    for heap in others:
        first.coins += heap.coins
    return [first]
"""


@pytest.fixture
def split(house, children):
    problem = catalogue.read(house.add("904-split", SPLIT))
    return lambda source: judge(problem, source.encode(), children=children)


@pytest.fixture(autouse=True)
def here(house, monkeypatch):
    monkeypatch.setattr(catalogue, "ROOT", house.root)


def test_an_answer_may_go_on_with_the_objects_it_uses_up(split):
    found = split(RIGHT)
    assert (found.verdict, found.score) == ("AC", 100), found.failed


def test_so_may_one_that_makes_new_ones(split):
    assert split(RIGHT.replace("return [first]", "return [Heap(first.coins)]")).verdict == "AC"


def test_a_tuple_is_as_good_as_a_list(split):
    assert split(RIGHT.replace("return [first]", "return (first,)")).verdict == "AC"


def test_one_object_too_few_is_wrong_and_said_so(split):
    found = split(RIGHT.replace("for _ in range(n - rest)]", "for _ in range(n - rest - 1)]"))
    failure = next(check.failure for check in found.failed if not check.visible)
    assert found.verdict == "WA"
    assert failure.steps[-1].startswith("[i") and "= split(h, " in failure.steps[-1]
    assert "a list of" in repr(failure.expected["result"]) and "Heap" in repr(failure.expected["result"])


def test_a_forgotten_return_is_wrong_and_said_so(split):
    found = split(RIGHT.replace("    return [Heap(share + 1)", "    made = [Heap(share + 1)"))
    failure = next(check.failure for check in found.failed if not check.visible)
    assert (failure.verdict, repr(failure.got["result"])) == ("WA", "<None>")


def test_objects_of_a_list_are_compared_by_name(split):
    found = split(RIGHT.replace("[Heap(share + 1) for _ in range(rest)] + ", "[Heap(share) for _ in range(rest)] + "))
    failure = next(check.failure for check in found.failed if not check.visible)
    assert list(failure.expected) == ["i.coins"]


def test_an_exception_in_its_place_is_shown(split):
    found = split(RIGHT.replace("first, *others = heaps", "first, second, *others = heaps"))
    failure = next(check.failure for check in found.failed if not check.visible)
    assert (failure.verdict, "ValueError" in repr(failure.got["result"])) == ("RE", True)


USES_TWO = SPLIT | {"tests.py": SPLIT["tests.py"].replace("1 + op.pick % 4", "2 + op.pick % 4")}


def test_a_call_that_raises_has_used_up_nothing(house, children):
    problem = catalogue.read(house.add("904-split", USES_TWO))
    failing = RIGHT.replace("    first, *others = heaps", "    raise MemoryError('no room')")
    failure = next(c.failure for c in judge(problem, failing.encode(), children=children).failed if not c.visible)
    assert (failure.verdict, list(failure.expected)) == ("WA", ["result"])
    assert repr(failure.got["result"]).startswith("raises MemoryError: no room")
    assert {"i.coins", "j.coins"} <= set(failure.state)


def test_what_is_provided_is_only_what_the_problem_says(split):
    found = split("import paged.widgets\n" + RIGHT)
    assert (found.verdict, found.failed[0].failure.why) == ("RE", "import")


def test_another_problem_has_no_library(double):
    found = judge(double, b"from paged import BlockPool\ndef double(x):\n    return 2 * x\n")
    assert (found.verdict, found.failed[0].failure.why) == ("RE", "import")
