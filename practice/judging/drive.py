"""Driving a learner's child: load the source, run programs, find the first call that differs."""

import signal
import time
from dataclasses import dataclass, field

import msgspec

from practice.judging import sandbox
from practice.judging.channel import ChildGone
from practice.judging.compare import comparable, differing, same
from practice.judging.program import Program, field_name
from practice.judging.rows import ARGUMENTS_STAY, Row, changed_arguments
from practice.judging.wire import Foreign, unpack


class Note(msgspec.Struct):
    """What an exception in the learner's code said, and where. `leaves`: it would end a process (SystemExit …)."""

    type: str = "?"
    said: str = ""
    line: int | None = None
    where: str | None = None
    leaves: bool = False

    def __str__(self) -> str:
        text = legible(f"{self.type}: {self.said}" if self.said else self.type)
        return f"{text} (line {self.line}, in {legible(self.where or '?')})" if self.line else text


class Answer(msgspec.Struct):
    """What came of a program: a row per call, or why there are none."""

    rows: list[msgspec.Raw] = []
    notes: dict[str, Note] = {}
    missing: list[str] = []
    failed: Note | None = None
    kernels: list[dict[str, str | int | float]] = []


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
MOST_SAID = 400
ELEMENTS_SHOWN = 4
MOST_KERNELS = 64
LIMITS = ("TLE", "MLE", "OLE")  # verdicts that take their time


@dataclass(frozen=True)
class Raised:
    """Stands where a result would stand when a call raises: the exception, and what it said."""

    what: str

    def __repr__(self) -> str:
        return f"raises {self.what}"


@dataclass
class Failure:
    """How a run went wrong. `step`: number of the call, or -1 while the file was imported.

    verdict: CE WA RE TLE MLE OLE. expected / got: differing things by name ("result", "pool.ref_cnt", …);
    state: all that was seen after the call. `why` and `detail` say what else there is to say; `rule` is the rule that
    the state breaks, in words of both languages, where the problem can tell; `flaky`: it did not fail so again; `rows`:
    what came back for each call, in packed form.
    """

    verdict: str
    step: int = -1
    program: Program | None = None
    expected: dict[str, object] = field(default_factory=dict)
    got: dict[str, object] = field(default_factory=dict)
    state: dict[str, object] = field(default_factory=dict)
    why: str = ""
    detail: str = ""
    printed: str = ""
    rule: dict[str, str] = field(default_factory=dict)
    flaky: bool = False
    rows: list[bytes] = field(default_factory=list)

    @property
    def num_calls(self) -> int:
        """How many `steps` there are."""
        calls = self.program.calls[: self.step] if self.program else []
        return 1 + sum(call.args is not None for call in calls)

    @property
    def steps(self) -> list[str]:
        """The calls up to the one that differs; fields read on the way change nothing and are left out."""
        calls = self.program.calls[: self.step + 1] if self.program else []
        return [str(call) for n, call in enumerate(calls) if call.args is not None or n == self.step]


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
        found, header = play(self.child, self.problem, programs, self.deadline - time.monotonic(), sources)
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
        "memory": ("MLE", "memory", f"{header.peak_mb:.0f} / {limits['memory_mb']}"),
        "output": ("OLE", "output", f"{limits['printed_bytes']}"),
        "processes": ("RE", "processes", f"{limits['processes']}"),
    }.get(header.ended, ("RE", "exit", _how_it_ended(header.status)))
    return Failure(verdict, step, program, why=why, detail=detail, printed=legible(header.printed, 4000))


def first_difference(program: Program, answer: Answer) -> Failure | None:
    """How an answer differs from what the program expects, up to the first call that does."""
    if answer.failed:
        return Failure("RE", why="import", detail=str(answer.failed))
    if answer.missing:
        return Failure("CE", why="missing", detail=legible(", ".join(answer.missing)))
    for number, call in enumerate(program.calls):
        row = bytes(answer.rows[number]) if number < len(answer.rows) else b"null"
        if row == call.row:
            continue
        note = answer.notes.get(str(number), Note())
        failure = difference(program, number, row, note)
        if failure:
            failure.rows = [bytes(known) for known in answer.rows[: number + 1]]
            return failure
    return None


def difference(program: Program, number: int, row: bytes, note: Note) -> Failure | None:
    """The failure at call `number`, or None where the rows say the same in other words."""
    call = program.calls[number]
    outcome, value, state = call.expected()
    due_state = dict(zip(program.fields(number), state, strict=True))
    got = msgspec.json.decode(row, type=Row | None)
    fields = list(due_state)
    if got is not None and got.outcome == "raised":
        fields = program.fields(number - 1)  # nothing was born, nothing used up
    elif got is not None and call.makes and got.value is not None:
        fields = [field for field in fields if field[0] not in call.makes]
    if got is None or len(got.state) != len(fields):
        return Failure("RE", why="garbage", detail=f"no row for call {number + 1}")
    failure = Failure("WA", number, program)
    got_value, got_state = unpack(got.value), [unpack(item) for item in got.state]
    if got.outcome != outcome or not same(value, got_value):
        due = Foreign(call.due) if call.makes else value
        due = due if outcome == "ok" else Raised(value)
        _note(failure, "result", due, got_value if got.outcome == "ok" else Raised(str(note)))
        expected_kinds = ["MemoryError"] if outcome == "ok" else ["MemoryError", value]
        if got.outcome == "raised" and (note.leaves or got_value not in expected_kinds):
            failure.verdict, failure.why, failure.detail = "RE", "raised", str(note)
    for seen, have in zip(fields, got_state, strict=True):
        if seen in due_state and not same(due_state[seen], have):
            _note(failure, field_name(*seen), due_state[seen], have)
    failure.state = {field_name(*field): have for field, have in zip(fields, got_state, strict=True)}
    changed = changed_arguments(call, got) if got.outcome == outcome else {}
    if changed and not failure.expected:
        failure.rule = ARGUMENTS_STAY
    for name, (was, now) in changed.items():
        _note(failure, name, was, now)
    return failure if failure.expected else None


def _note(failure: Failure, name: str, expected: object, got: object) -> None:
    """Write down what differs; of tensors the first elements that do, and how many there are."""
    if not comparable(expected, got):
        failure.expected[name], failure.got[name] = expected, got
        return
    elements = list(differing(expected, got))
    for index, due, have in elements[:ELEMENTS_SHOWN]:
        where = f"{name}[{', '.join(map(str, index))}]"
        failure.expected[where], failure.got[where] = _short(due), _short(have)
    if len(elements) > ELEMENTS_SHOWN:
        where = f"{name} ≠"
        failure.expected[where], failure.got[where] = 0, len(elements)


def _short(number: object) -> object:
    """A float as far as one cares to read it."""
    return float(f"{number:.6g}") if type(number) is float else number


def legible(text: str, most: int = MOST_SAID) -> str:
    """What foreign code says, cut, and without codes that would drive a terminal."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text[:most]
    )


def _how_it_ended(status: int) -> str:
    if status < 0:
        try:
            return f"signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"signal {-status}"
    return f"exit {status}"
