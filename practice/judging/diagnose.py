"""Naming the misconception: which mistakes of the problem's own bank go wrong in the same way as this answer?"""

import re
import time

from practice.judging.catalogue import Problem
from practice.judging.drive import Failure, play
from practice.judging.program import Program, in_batches
from practice.judging.sandbox import Child

MOST = 3
AT_ONCE = 24  # mistakes that one fork loads and plays
HANGS = 5.0  # seconds more before a child that says nothing is given up
MEMORY_FAULT = "raises MemoryFault: "  # of a kernel; what it says is ours, not the author's
LEAST_SECONDS, SHARE = 0.2, 0.25  # of a call: a mistake of the bank may hang on a run that it wasn't written for


def misconceptions(
    problem: Problem, failures: list[Failure], passed: list[Program], child: Child, seconds: float
) -> list[dict[str, str]]:
    """What the mistakes of wrong/ that fail like `failures` believe, in both languages; at most three.

    failures: those of the answer, the one that is shown first. passed: runs that the answer gets right. A mistake
    counts if it goes wrong at the same call of the shown run in the same way, and gets right what the answer gets
    right; of those that do, the ones that share most of the other failures are named. The learner waits: what has not
    been tried after `seconds` is not named.
    """
    shown, *others = [failure for failure in failures if failure.program]
    deadline = time.monotonic() + seconds
    call_seconds = min(problem.limits["call_seconds"], max(LEAST_SECONDS, SHARE * seconds))

    def tried(sources: list[str], program: Program) -> list[Failure | None]:
        return _tried(problem, sources, program, child, deadline, {"call_seconds": call_seconds})

    bank = [path.read_text(encoding="utf-8") for path in problem.bank("wrong")]
    found = [n for n, way in enumerate(tried(bank, shown.program)) if alike(shown, way)]
    found = [n for n in found if _all_right(problem, bank[n], passed, child, deadline)]
    shared = dict.fromkeys(found, 0)
    for other in others if len(found) > 1 else []:
        for n, way in zip(found, tried([bank[n] for n in found], other.program), strict=False):
            shared[n] += alike(other, way)
    most = max(shared.values(), default=0)
    return [belief(bank[n]) for n in found if shared[n] == most][:MOST]


def _tried(
    problem: Problem, sources: list[str], program: Program, child: Child, deadline: float, limits: dict
) -> list[Failure | None]:
    """How each of `sources` fails on the program, as far as there is time. One that dies is passed over: where it
    dies depends on the machine."""
    found: list[Failure | None] = []
    while len(found) < len(sources) and not child.lost and (left := deadline - time.monotonic()) > 0:
        some = sources[len(found) : len(found) + AT_ONCE]
        ways, header = play(child, problem, [program], left + HANGS, some, limits)
        if not isinstance(ways, Failure):
            found += ways
            continue
        fatal = min(max(0, header.call) // len(program.calls), len(some) - 1)
        before, _ = play(child, problem, [program], left + HANGS, some[:fatal], limits) if fatal else ([], None)
        found += [None] * fatal if isinstance(before, Failure) else before
        found.append(None)
    return found


def _all_right(problem: Problem, source: str, programs: list[Program], child: Child, deadline: float) -> bool:
    """Whether a mistake gets all programs right; where there is no time to see, the doubt is in its favour."""
    for some in in_batches(programs):
        left = deadline - time.monotonic()
        if left <= 0 or child.lost:
            break
        ways, _ = play(child, problem, some, left + HANGS, [source])
        if isinstance(ways, Failure) or any(ways):
            return False
    return True


def alike(one: Failure, other: Failure | None) -> bool:
    """Whether two runs of one program went wrong at the same call and in the same way."""
    return other is not None and _way(one) == _way(other)


def _way(failure: Failure) -> tuple:
    """Verdict, call and differing values; of an exception its type, since messages and lines are each author's own."""
    got = {name: _roughly(value) for name, value in failure.got.items()}
    return failure.verdict, failure.why, failure.step, got


def _roughly(value: object) -> str:
    if type(value) is float:
        return f"{value:.3g}"
    said = repr(value).partition(" (line")[0]
    if MEMORY_FAULT in said:
        return re.sub(r" \d+ ", " ", said)  # how much is touched depends on the size of a tile
    return said.partition(":")[0]


def belief(source: str) -> dict[str, str]:
    """The misconception that a wrong/ file states in its first two lines, in English and in Chinese."""
    first, second, *_ = [*source.splitlines(), "", ""]
    english = first.lstrip("# ").strip()
    return {"en": english, "zh": second.lstrip("# ").strip() if second.startswith("#") else english}
