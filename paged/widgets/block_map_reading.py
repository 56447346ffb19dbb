"""Reading objects that may do anything: whatever they raise is noted, and no number or list is too long to handle.

A trouble is a key of block_map_text.TEXT with its values; `what` says what could not be read. BaseException is caught
on purpose: to a learner whose num_free calls sys.exit, that is an outcome like any other, and not the end of the map.
"""

import itertools
import operator
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

MOST_BITS = 53  # what a number in JavaScript holds
MOST_LETTERS = 300
MISSING = object()


class Trouble(NamedTuple):
    """Why something is not shown."""

    key: str
    values: dict[str, object]

    def alike(self, other: "Trouble") -> bool:
        """Whether both say the same of the same thing; counts and messages may differ each time."""
        mine, theirs = ((each.key, each.values.get("what"), each.values.get("error")) for each in (self, other))
        return mine == theirs


def text_of(value: Any, how: Callable[[Any], str] = repr, most: int = MOST_LETTERS) -> str:
    """repr or str of any object, cut; if that raises, the name of its type and of what it raises."""
    try:
        return how(value)[:most].encode("utf-8", "replace").decode()
    except BaseException as error:
        return f"<{type(value).__name__}: {type(error).__name__}>"


def attribute(owner: Any, name: str, default: Any = None) -> Any:
    """getattr, with the default for everything that getting it may raise."""
    try:
        return getattr(owner, name, default)
    except BaseException:
        return default


def has(owner: Any, name: str) -> bool:
    return attribute(owner, name, MISSING) is not MISSING


def whole_numbers(values: Any, most: int | None = None) -> tuple[int, ...]:
    """The values as plain ints, no more than `most`; nothing where one is no whole number, or too large to be shown."""
    try:
        numbers = tuple(operator.index(value) for value in itertools.islice(values, most))
    except BaseException:
        return ()
    return () if any(map(is_huge, numbers)) else numbers


def is_huge(number: int) -> bool:
    return number.bit_length() > MOST_BITS


class Reader:
    """Reads one thing after another, and keeps what went wrong."""

    def __init__(self) -> None:
        self.troubles: list[Trouble] = []

    def get(self, what: str, read: Callable[[], Any]) -> Any:
        """What `read` returns, or None where it raises."""
        try:
            return read()
        except BaseException as error:
            values = {"what": what, "error": type(error).__name__, "message": text_of(error, str)}
            self.troubles.append(Trouble("unreadable", values))
            return None

    def several(self, what: str, read: Callable[[], Iterable], most: int) -> tuple[int, ...]:
        """Whole numbers, none where there are more than `most`, or one is too large to be shown."""
        values = self.get(what, lambda: _listed(read(), most + 1))
        if values is None:
            return ()
        if len(values) > most:
            self.troubles.append(Trouble("many", {"what": what, "limit": most}))
            return ()
        if any(isinstance(value, int) and is_huge(value) for value in values):
            self.troubles.append(Trouble("huge", {"what": what}))
        return whole_numbers(values)

    def one(self, what: str, read: Callable[[], Any]) -> int | None:
        """A whole number, or None where it is none."""
        return next(iter(self.several(what, lambda: [read()], 1)), None)


def _listed(values: Any, most: int) -> list:
    """At most so many of the values; nothing where they are not several, which is no trouble."""
    try:
        iterator = iter(values)
    except TypeError:
        return []
    return list(itertools.islice(iterator, most))
