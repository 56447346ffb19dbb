"""What an answer is given stays as it is: lists, those within them, tensors, and the objects of the run in a list."""

import pytest
from house import DOUBLE

from practice.judging import catalogue
from practice.judging.card import Card
from practice.judging.frames import frames
from practice.judging.program import Call
from practice.judging.rows import Row, changed_arguments
from practice.judging.verdict import judge
from practice.judging.wire import Foreign, Handle

TOTALS = DOUBLE | {
    "problem.toml": DOUBLE["problem.toml"].replace('"double"', '"totals", "Purse", "richest"'),
    "examples.txt": ">>> totals([[1, 2], [3]], (4,))\n[3, 3, 4]\n",
    "reference.py": "",
    "oracle.py": """
class Purse:
    def __init__(self, coins):
        self.coins = coins

    def put(self, coins):
        if not coins:
            raise ValueError
        self.coins += sum(coins)


def totals(rows, last):
    return [sum(row) for row in rows] + list(last)


def richest(purses):
    return max(purse.coins for purse in purses)
""",
    "tests.py": """
from practice.judging import Group, plans

from . import oracle


def play(answer, plan):
    answer.totals([[1, 2], [3, 4]], (5,))
    purses = [answer.Purse(coins) for coins in (1, 2)]
    answer.richest(purses)
    try:
        purses[0].put([])
    except ValueError:
        purses[0].put([1, 2])


GROUPS = [Group("all", {"en": "all", "zh": "全部"}, 90, plans({}, (0, 0)), play, oracle,
                watch={"Purse": ("coins",)}, names={"Purse": list("abcd")}, programs=1)]
""",
}
RIGHT = """
class Purse:
    def __init__(self, coins):
        self.coins = coins

    def put(self, coins):
        if not coins:
            raise ValueError
        for coin in coins:
            self.coins += coin


def totals(rows, last):
    result = [sum(row) for row in rows]
    return result + list(last)


def richest(purses):
    most = max(purse.coins for purse in purses)
    return most
"""
A_PURSE = Foreign("a Purse")


@pytest.fixture
def totals(house, children, monkeypatch):
    monkeypatch.setattr(catalogue, "ROOT", house.root)
    problem = catalogue.read(house.add("905-totals", TOTALS))
    return lambda source: judge(problem, source.encode(), children=children, shrink_seconds=0, diagnose_seconds=0)


def test_who_leaves_them_alone_is_right(totals):
    found = totals(RIGHT)
    assert found.verdict == "AC", [(check.name, check.failure) for check in found.failed]


@pytest.mark.parametrize(
    ("line", "more", "was", "now"),
    [
        ("    return result", "    rows.clear()\n", [[1, 2], [3, 4]], []),
        ("    return result", "    rows[0].append(9)\n", [[1, 2], [3, 4]], [[1, 2, 9], [3, 4]]),
        ("    return result", "    rows[1] = 7\n", [[1, 2], [3, 4]], [[1, 2], 7]),
        ("    return most", "    purses.reverse()\n", [Handle("a"), Handle("b")], [Handle("b"), Handle("a")]),
        ("    return most", "    purses.pop()\n", [Handle("a"), Handle("b")], [Handle("a")]),
        ("    return most", "    purses[0] = Purse(most)\n", [Handle("a"), Handle("b")], [A_PURSE, Handle("b")]),
        ("        for coin", "        coins.append(0)\n", [1, 2], [1, 2, 0]),
        ("            raise", "            coins.append(0)\n", [], [0]),
    ],
)
def test_who_changes_one_is_wrong_and_told_what_and_why(totals, line, more, was, now):
    assert RIGHT.count(line) == 1
    found = totals(RIGHT.replace(line, more + line))
    [failure] = [check.failure for check in found.failed if check.name == "all"]
    assert (found.verdict, failure.expected, failure.got) == ("WA", {"args[0]": was}, {"args[0]": now})
    assert "stays as it was" in failure.rule["en"] and "保持原样" in failure.rule["zh"]
    last = frames(failure)[-1]
    assert last["expected"]["args[0]"] != last["got"]["args[0]"]
    assert "args[0]" in str(Card(found, "zh", []))


def test_who_is_wrong_anyway_is_not_told_of_this_rule(totals):
    found = totals(RIGHT.replace("    return result", "    rows.clear()\n    return [0] + result"))
    [failure] = [check.failure for check in found.failed if check.name == "all"]
    assert (set(failure.expected), failure.rule) == ({"result", "args[0]"}, {})


def test_an_argument_that_a_call_does_not_have_is_no_answer():
    call = Call(None, None, "totals", [[1, 2]])
    assert changed_arguments(call, Row("ok", None, [], [(0, [1])])) == {"args[0]": ([1, 2], [1])}
    for number in (1, -1):
        with pytest.raises(ValueError, match=f"argument {number} of 1"):
            changed_arguments(call, Row("ok", None, [], [(number, [])]))
