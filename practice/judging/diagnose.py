"""Naming the misconception: which mistakes of the problem's own bank go wrong in the same way as this answer?"""

import time

from practice.judging.catalogue import Problem
from practice.judging.drive import Driver, Failure
from practice.judging.sandbox import Child

MOST = 3


def misconceptions(problem: Problem, failures: list[Failure], child: Child, seconds: float) -> list[dict[str, str]]:
    """What the mistakes of wrong/ that fail like `failures` believe, in both languages; at most three.

    failures: those of the answer, the one that is shown first. A mistake counts if it goes wrong at the same call of
    that run in the same way; of those that do, the ones that share most of the other failures are named. The learner
    waits: what has not been tried after `seconds` is not named.
    """
    shown, *others = [failure for failure in failures if failure.program]
    found: list[tuple[int, dict[str, str]]] = []
    deadline = time.monotonic() + seconds
    for path in problem.bank("wrong"):
        source = path.read_text(encoding="utf-8")
        driver = Driver(problem, source, child)
        if time.monotonic() > deadline:
            break
        if alike(shown, driver.load(shown.program)):
            shared = sum(alike(other, driver.run(other.program)) for other in others)
            found.append((shared, belief(source)))
    most = max((shared for shared, _ in found), default=0)
    return [text for shared, text in found if shared == most][:MOST]


def alike(one: Failure, other: Failure | None) -> bool:
    """Whether two runs of one program went wrong at the same call and in the same way."""
    return other is not None and _way(one) == _way(other)


def _way(failure: Failure) -> tuple:
    """Verdict, call and differing values; of an exception its type, since messages and lines are each author's own."""
    got = {name: repr(value).partition(":")[0].partition(" (line")[0] for name, value in failure.got.items()}
    return failure.verdict, failure.why, failure.step, got


def belief(source: str) -> dict[str, str]:
    """The misconception that a wrong/ file states in its first two lines, in English and in Chinese."""
    first, second, *_ = [*source.splitlines(), "", ""]
    english = first.lstrip("# ").strip()
    return {"en": english, "zh": second.lstrip("# ").strip() if second.startswith("#") else english}
