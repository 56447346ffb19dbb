"""A value of one side of a replay, as pieces to draw: what it says, where it differs, what has just changed.

Values are plain data (None, bool, int, float, str, list, tuple, dict). A str is drawn as it stands, so that it can
describe what is not plain data ("a set", "raises MemoryError"); everything else is drawn as Python writes it.
"""

import math
from collections.abc import Callable, Iterable
from itertools import zip_longest

MOST_ITEMS = 24  # drawn of a list
ENDS = 4  # items at either end of a longer list that are drawn in any case
MOST_LETTERS = 240  # of a value that is no list
MOST_LETTERS_OF_AN_ITEM = 60
BRACKETS = {list: "[]", tuple: "()", dict: "{}"}
MISSING = type("Missing", (), {})()  # stands where a side has no value

Where = tuple[bool, set[int]]  # as a whole, or else at these items


def same(want: object, have: object) -> bool:
    """Exact types (1 is not True), but a list will do for a tuple, and a float may be off by 1e-9 of its size."""
    if type(want) is float:
        return type(have) in (float, int) and math.isclose(want, have, rel_tol=1e-9, abs_tol=1e-12)
    if type(want) is tuple and type(have) is list:
        have = tuple(have)
    if type(want) is not type(have):
        return False
    if type(want) in (list, tuple):
        return len(want) == len(have) and all(map(same, want, have))
    if type(want) is dict:
        return same(list(want.items()), list(have.items()))
    return want == have


def places(want: object, have: object) -> Where:
    """Where two values differ; the items may lie beyond the end of the shorter one."""
    if same(want, have):
        return False, set()
    comparable = type(want) is type(have) or {type(want), type(have)} == {tuple, list}
    if type(want) not in BRACKETS or not comparable:
        return True, set()
    pairs = zip_longest(items_of(want), items_of(have), fillvalue=MISSING)
    where = {n for n, (one, other) in enumerate(pairs) if not same(one, other)}
    return not where, where


def items_of(value: list | tuple | dict) -> list:
    return list(value.items()) if type(value) is dict else list(value)


def draw(value: object, differs: Where, new: Where, kind: str = "value") -> dict:
    """One value to draw: {kind, items} with marks and brackets; kind "chips" or "pairs" is for lists, without brackets.

    An item is {text, marks}, {absent, differs} where only the other side has one, or {more: n} for n items left out.
    Marks are `differs` and `new`; those that do not hold are left out. Of items left out `differs` is a number.
    """
    if value is MISSING:
        return {"kind": "value", **marks(differs[0], False), "missing": True, "items": []}
    drawn = {"kind": "value", **marks(differs[0], new[0])}
    if type(value) not in BRACKETS:
        text = value if type(value) is str else repr(value)
        return drawn | {"items": [{"text": cut(text, MOST_LETTERS)}]}
    items = items_of(value)
    if type(value) is list and kind != "value":
        drawn["kind"] = kind
    count = max([len(items), *(n + 1 for n in differs[1])])
    if drawn["kind"] == "value" or count == 0 or differs[0]:
        drawn["brackets"] = BRACKETS[type(value)]
    outer = [n for pair in zip(range(ENDS), range(count - 1, -1, -1), strict=False) for n in pair]
    marked = sorted(differs[1]) + sorted(new[1])
    kept = choose([*marked[: MOST_ITEMS - 2 * ENDS], *outer, *beside(marked), *range(MOST_ITEMS)], count, MOST_ITEMS)

    def item(n: int) -> dict:
        if n >= len(items):
            return {"absent": True, "differs": True}
        return {"text": _words(items[n], type(value), drawn["kind"])} | marks(n in differs[1], n in new[1])

    def gap(first: int, last: int) -> dict:
        return {"more": last - first + 1} | counted(n in differs[1] for n in range(first, last + 1))

    return drawn | {"items": with_gaps(kept, count, item, gap)}


def choose(preferred: Iterable[int], count: int, most: int) -> list[int]:
    """At most `most` of range(count), in order: the preferred ones, earlier ones first."""
    return sorted(list(dict.fromkeys(n for n in preferred if 0 <= n < count))[:most])


def beside(numbers: Iterable[int]) -> list[int]:
    return [n + step for n in numbers for step in (-1, 1)]


def with_gaps(kept: list[int], count: int, item: Callable[[int], dict], gap: Callable[[int, int], dict]) -> list[dict]:
    """item(n) for each kept n of range(count), gap(first, last) for each run of others."""
    drawn, after = [], 0
    for n in kept:
        drawn += [gap(after, n - 1), item(n)] if n > after else [item(n)]
        after = n + 1
    return [*drawn, gap(after, count - 1)] if after < count else drawn


def marks(differs: bool, new: bool) -> dict[str, bool]:
    return {name: True for name, holds in (("differs", differs), ("new", new)) if holds}


def counted(differs: Iterable[bool]) -> dict[str, int]:
    """How many items that are left out differ, unless none does."""
    return {"differs": number} if (number := sum(differs)) else {}


def _words(item: object, container: type, kind: str) -> str:
    if container is dict:
        return cut(f"{item[0]!r}: {item[1]!r}", MOST_LETTERS_OF_AN_ITEM)
    if kind == "pairs" and type(item) in (list, tuple) and len(item) == 2:
        return f"{cut(repr(item[0]), 20)} → {cut(repr(item[1]), 20)}"
    return cut(repr(item), MOST_LETTERS_OF_AN_ITEM)


def cut(text: str, most: int) -> str:
    """The text without its middle, where it is longer than `most` letters."""
    tail = most // 4
    return text if len(text) <= most else f"{text[: most - tail - 3]} … {text[-tail:]}"
