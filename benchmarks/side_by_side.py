"""A problem's hidden tests for graders that run tests beside the answer: pytest, nbgrader, otter.

    check(127, "pool", globals())       # in a test function or a grade cell; raises AssertionError

It draws the very plans that the judge draws, and after each call compares result and watched fields with the oracle.
There is no sandbox and no wire, nothing is written down, and a failure isn't made shorter: these sides do less.
"""

from copy import deepcopy

from practice.judging import catalogue
from practice.judging.compare import same
from practice.judging.generate import Group
from practice.judging.program import Proxy, Recorder
from practice.judging.verdict import SEED


def check(number: int, name: str, answer: dict) -> None:
    """Run group `name` of a problem on the functions and classes in `answer`."""
    group = next(group for group in catalogue.find(str(number)).groups if group.name == name)
    for plan in [*group.drawn(SEED), *group.always]:
        group.play(SideBySide(group, answer), plan)


class SideBySide(Recorder):
    """Makes each call on the oracle and on the answer. A proxy's handle is the answer's own object."""

    def __init__(self, group: Group, answer: dict):
        super().__init__(group.oracle, group.watch)
        self._answer = answer
        self._pairs: list[tuple[object, object, tuple[str, ...]]] = []

    def count(self, what: str, times: int = 1) -> None:
        pass

    def _call(self, target: object, name: str, function, args: tuple):
        twin = self._answer[name] if target is None else getattr(target, name)
        raised, value = attempt(function, [arg._object if isinstance(arg, Proxy) else arg for arg in args])
        twin_raised, twin_value = attempt(
            twin, [arg._handle if isinstance(arg, Proxy) else deepcopy(arg) for arg in args]
        )
        assert type(twin_raised) is type(raised), f"{name}: {twin_raised!r} instead of {raised!r}"
        born = type(value).__name__ in self._watch
        if born:
            self._pairs.append((value, twin_value, self._watch[type(value).__name__]))
        else:
            assert agree(value, twin_value), f"{name} gave {twin_value!r} instead of {value!r}"
        for known, theirs, fields in self._pairs:
            for field in fields:
                want, got = look(known, field), look(theirs, field)
                assert agree(want, got), f"{field} is {got!r} instead of {want!r}"
        if raised:
            raise raised
        return Proxy(self, twin_value, value) if born else value


def attempt(function, args: list) -> tuple[Exception | None, object]:
    try:
        return None, function(*args)
    except Exception as error:
        return error, None


def look(owner: object, field: str) -> object:
    value = getattr(owner, field.removesuffix("()"))
    return value() if field.endswith("()") else value


def agree(want: object, got: object) -> bool:
    """`==` first, as a teacher would write; what differs may still be as good, such as a list where a tuple is due."""
    return want == got or same(want, got)
