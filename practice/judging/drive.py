"""Driving a learner's child: load the source, run programs, have what comes back compared."""

import signal
import time

import msgspec

from practice.judging import sandbox
from practice.judging.channel import ChildGone
from practice.judging.difference import Answer, first_difference
from practice.judging.failure import Failure, legible
from practice.judging.program import Program


class Body(msgspec.Struct):
    """What a fork sends: an answer for each program of the job."""

    answers: list[Answer]


class Header(msgspec.Struct):
    """How a fork ended, as the child's first process saw it."""

    ended: str
    call: int = -1
    status: int = 0
    peak_mb: float = 0.0
    cpu: float = 0.0
    printed: str = ""
    line: int | None = None
    said: str = ""
    kernels: list[dict] = []


MORE_VALUES = 100_000  # than four times what is due: counted by commas, before anything is built from them
MOST_KERNELS = 64
LIMITS = ("TLE", "MLE", "OLE")  # verdicts that take their time


class Driver:
    """One answer in one child that is prepared for its problem: `load`, then `run` programs."""

    def __init__(self, problem, source: str, child: sandbox.Child):
        self.problem, self.source, self.child = problem, source, child
        self.kernels: list[dict] = []  # what is told of the kernels that ran, one by one

    def load(self) -> Failure | None:
        """Hand over the source and import it once."""
        seconds = self.problem.limits["total_seconds"]
        self.deadline = time.monotonic() + 3 * seconds  # by the clock, as the machine may be busy: see child.too_long
        self.cpu_left = seconds
        return self._job([Program([])], [self.source])

    def run(self, program: Program) -> Failure | None:
        """Play one program; its failure, or None where all is as expected."""
        return self._job([program])

    def run_batch(self, programs: list[Program]) -> tuple[int, Failure | None]:
        """Play programs in one fork: how many passed before the first failure, and that failure.

        A batch that fails is played again one by one, so that the failure is the program's own; what ran into a limit
        is not waited for twice.
        """
        suspected = self._job(programs)
        if suspected is None:
            return len(programs), None
        if suspected.verdict == "TLE" and suspected.program:
            return next(n for n, program in enumerate(programs) if program is suspected.program), suspected
        for passed, program in enumerate(programs):
            if failure := self.run(program):
                return passed, failure
        if suspected.verdict in LIMITS:
            return len(programs), None  # together they take more than one run may, each alone does not
        suspected.flaky = True
        return len(programs) - 1, suspected

    def run_each(self, programs: list[Program]) -> list[Failure | None] | None:
        """Play all programs in one fork, whatever becomes of the first; None where the fork did not live to answer."""
        found = self._ask(programs)
        return None if isinstance(found, Failure) else found

    def _job(self, programs: list[Program], sources: list[str] | None = None) -> Failure | None:
        found = self._ask(programs, sources)
        return found if isinstance(found, Failure) else next(filter(None, found), None)

    def _ask(self, programs: list[Program], sources: list[str] | None = None) -> list[Failure | None] | Failure:
        left = min(self.deadline - time.monotonic(), self.cpu_left)
        if left <= 0:
            return Failure("TLE", why="total", detail=f"{self.problem.limits['total_seconds']}")
        limits = {"total_seconds": self.cpu_left}  # of all runs together, and so what is left for these
        found, header = play(self.child, self.problem, programs, self.deadline - time.monotonic(), sources, limits)
        self.cpu_left -= max(0.0, header.cpu)
        self.kernels += [kernel for kernel in header.kernels if kernel not in self.kernels]
        return found


def play(
    child: sandbox.Child,
    problem,
    programs: list[Program],
    seconds: float,
    sources: list[str] | None = None,
    limits: dict | None = None,
) -> tuple[list[Failure | None] | Failure, Header]:
    """Play programs in one fork of the child: the failure of each, or the one Failure that leaves no answers.

    sources: answers to load first; each plays all programs, one after the other. limits: instead of the problem's.
    """
    pairs = programs * len(sources or [""])
    job = {"programs": [program.frame() for program in programs], "entry": problem.entry, "limits": limits or {}}
    try:
        if sources is None:
            child.channel.send(job, seconds=seconds)
        else:
            child.channel.send(job | {"load": True}, msgspec.json.encode(sources), seconds)
        header, body = child.channel.receive(seconds)
    except TimeoutError:
        child.lost = True
        return Failure("TLE", why="total", detail=f"{problem.limits['total_seconds']}"), Header("lost")
    except ChildGone as error:
        child.lost = True
        return Failure("RE", why="gone", detail=str(error)), Header("lost")
    ended = Header("garbage")
    try:
        ended = msgspec.convert(header, Header)
        if ended.ended != "well":
            return _death(problem.limits, pairs, ended), ended
        due = sum(call.row.count(b",") for program in pairs for call in program.calls)
        if body.count(b",") > 4 * due + MORE_VALUES:
            raise ValueError(f"{body.count(b',')} values where {due} are due")
        answers = msgspec.json.decode(body, type=Body).answers
        if len(answers) != len(pairs):
            raise ValueError(f"{len(answers)} answers to {len(pairs)} programs")
        found = [first_difference(program, answer) for program, answer in zip(pairs, answers, strict=True)]
        ended.kernels = [kernel for answer in answers for kernel in answer.kernels[:MOST_KERNELS]]
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError, RecursionError) as error:
        child.lost = True
        return Failure("RE", why="garbage", detail=str(error)[:200]), ended
    for failure in filter(None, found):
        failure.printed = legible(ended.printed, 4000)
    return found, ended


def _death(limits: dict, programs: list[Program], header: Header) -> Failure:
    """Why there are no answers, and which call was running."""
    if header.ended == "syntax":
        where = f"line {header.line}: " if header.line else ""
        return Failure("CE", why="syntax", detail=where + legible(header.said))
    program, step = programs[0], max(-1, header.call)
    for program in programs:
        if step < len(program.calls) or program is programs[-1]:
            break
        step -= len(program.calls)
    step = min(step, len(program.calls) - 1)
    if header.ended == "time" and step < 0:
        return Failure("TLE", why="load", detail=f"{limits['call_seconds']}", printed=legible(header.printed, 4000))
    verdict, why, detail = {
        "time": ("TLE", "call", f"{limits['call_seconds']}"),
        "together": ("TLE", "together", f"{limits['total_seconds']}"),
        "memory": ("MLE", "memory", f"{header.peak_mb:.0f} / {limits['memory_mb']}"),
        "output": ("OLE", "output", f"{limits['printed_bytes']}"),
        "processes": ("RE", "processes", f"{limits['processes']}"),
    }.get(header.ended, ("RE", "exit", _how_it_ended(header.status)))
    return Failure(verdict, step, program, why=why, detail=detail, printed=legible(header.printed, 4000))


def _how_it_ended(status: int) -> str:
    if status < 0:
        try:
            return f"signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"signal {-status}"
    return f"exit {status}"
