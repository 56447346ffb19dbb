"""Naming the misconception: which mistakes of the problem's own bank go wrong in the same way as this answer?"""

import re
import time

from practice.judging.catalogue import Problem
from practice.judging.drive import play
from practice.judging.failure import Failure
from practice.judging.program import Program, in_batches
from practice.judging.sandbox import Child

MOST = 3
AT_ONCE = 24  # mistakes that one fork loads and plays
HANGS = 5.0  # seconds more before a child that says nothing is given up
MEMORY_FAULT = "raises MemoryFault: "  # of a kernel; what it says is ours, not the author's
LEAST_SECONDS, SHARE = 0.2, 0.25  # of a call: a mistake of the bank may hang on a run that it wasn't written for


class Bank:
    """The mistakes of a problem's wrong/, and how each fails on a program, as far as it has been tried.

    Who judges several answers to one problem shares a bank: a program of a group is the same object for all of them,
    and no mistake plays it twice.
    """

    def __init__(self, problem: Problem):
        self.problem = problem
        self.mistakes = [path.read_text(encoding="utf-8") for path in problem.bank("wrong")]
        self.known: dict[tuple[str, int], tuple[Program, Failure | None]] = {}  # by id, as programs can't be hashed

    def knows(self, mistake: str, program: Program) -> bool:
        return (mistake, id(program)) in self.known

    def note(self, mistake: str, program: Program, failure: Failure | None) -> None:
        self.known[mistake, id(program)] = program, failure  # with the program, so that its id stays its own

    def way(self, mistake: str, program: Program) -> Failure | None:
        """How a mistake fails; None where it does not, or has not been tried."""
        return self.known.get((mistake, id(program)), (program, None))[1]


def misconceptions(
    bank: Bank, failures: list[Failure], passed: list[Program], child: Child, seconds: float
) -> list[dict[str, str]]:
    """What the mistakes of wrong/ that fail like `failures` believe, in both languages; at most three.

    failures: those of the answer, the one that is shown first. passed: runs that the answer gets right. A mistake
    counts if it goes wrong at the same call of the shown run in the same way, and gets right what the answer gets
    right; of those that do, the ones that share most of the other failures are named. The learner waits: what has not
    been tried after `seconds` is not named.
    """
    shown, *others = [failure for failure in failures if failure.program]
    deadline = time.monotonic() + seconds
    call_seconds = min(bank.problem.limits["call_seconds"], max(LEAST_SECONDS, SHARE * seconds))
    limits = {"call_seconds": call_seconds}

    _try(bank, bank.mistakes, shown.program, child, deadline, limits)
    found = [mistake for mistake in bank.mistakes if alike(shown, bank.way(mistake, shown.program))]
    found = [mistake for mistake in found if _all_right(bank, mistake, passed, child, deadline)]
    shared = dict.fromkeys(found, 0)
    for other in others if len(found) > 1 else []:
        _try(bank, found, other.program, child, deadline, limits)
        for mistake in found:
            shared[mistake] += alike(other, bank.way(mistake, other.program))
    most = max(shared.values(), default=0)
    return [belief(mistake) for mistake in found if shared[mistake] == most][:MOST]


def _try(bank: Bank, mistakes: list[str], program: Program, child: Child, deadline: float, limits: dict) -> None:
    """Note how each of `mistakes` fails on the program, as far as there is time. One that dies is passed over: where
    it dies depends on the machine."""
    left = [mistake for mistake in mistakes if not bank.knows(mistake, program)]
    while left and not child.lost and (seconds := deadline - time.monotonic()) > 0:
        some = left[:AT_ONCE]
        ways, header = play(child, bank.problem, [program], seconds + HANGS, some, limits)
        if isinstance(ways, Failure):
            fatal = min(max(0, header.call) // len(program.calls), len(some) - 1)
            before, _ = (
                play(child, bank.problem, [program], seconds + HANGS, some[:fatal], limits) if fatal else ([], None)
            )
            ways = [*([None] * fatal if isinstance(before, Failure) else before), None]
        for mistake, way in zip(some, ways, strict=False):
            bank.note(mistake, program, way)
        left = left[len(ways) :]


def _all_right(bank: Bank, mistake: str, programs: list[Program], child: Child, deadline: float) -> bool:
    """Whether a mistake gets all programs right; where there is no time to see, the doubt is in its favour."""
    if any(bank.way(mistake, program) for program in programs):
        return False
    for some in in_batches([program for program in programs if not bank.knows(mistake, program)]):
        left = deadline - time.monotonic()
        if left <= 0 or child.lost:
            break
        ways, _ = play(child, bank.problem, some, left + HANGS, [mistake])
        if isinstance(ways, Failure):
            return False
        for program, way in zip(some, ways, strict=True):
            bank.note(mistake, program, way)
        if any(ways):
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
