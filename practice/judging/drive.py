"""Driving a learner's child: load the source, run programs, find the first call that differs."""

import signal
import time
from dataclasses import dataclass, field

import msgspec

from practice.judging import sandbox
from practice.judging.channel import ChildGone
from practice.judging.compare import same
from practice.judging.program import Program
from practice.judging.wire import unpack


class Note(msgspec.Struct):
    """What an exception in the learner's code said, and where. `leaves`: it would end a process (SystemExit …)."""

    type: str = "?"
    said: str = ""
    line: int | None = None
    where: str | None = None
    leaves: bool = False

    def __str__(self) -> str:
        text = f"{self.type}: {self.said}" if self.said else self.type
        return f"{text} (line {self.line}, in {self.where})" if self.line else text


class Body(msgspec.Struct):
    """What a fork answers: rows of a program, or why there are none."""

    rows: list[msgspec.Raw] = []
    notes: dict[str, Note] = {}
    missing: list[str] = []
    failed: Note | None = None


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
    the state breaks, in words of both languages, where the problem can tell.
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

    @property
    def steps(self) -> list[str]:
        """The calls up to the one that differs; fields read on the way change nothing and are left out."""
        calls = self.program.calls[: self.step + 1] if self.program else []
        return [str(call) for n, call in enumerate(calls) if call.args is not None or n == self.step]


class Driver:
    """One answer in one child. Use as a context manager; `run` gives the Failure of a program, or None."""

    def __init__(self, problem, source: str, child: sandbox.Child | None = None):
        self.problem, self.source = problem, source
        self.child = child
        self.deadline = float("inf")  # by the clock, three times what the answer may compute: see child.too_long
        self.cpu_left = float("inf")
        self.calls = 0

    def __enter__(self):
        if self.child is None:
            self.child = sandbox.start(sandbox.site_packages() if self.problem.modules else None)
        return self

    def __exit__(self, *_):
        self.child.close()

    def load(self) -> Failure | None:
        """Hand over the source and import it once."""
        limits = self.problem.limits
        site = "/site" if self.child.kind == "bubblewrap" else sandbox.site_packages()
        first = {"modules": self.problem.modules, "site": site, "limits": limits}
        self.child.channel.send(first)
        ready, _ = self.child.channel.receive(sandbox.START_SECONDS)
        if ready != {"ready": True}:
            raise RuntimeError(f"the child answered {ready} where it had to be ready")
        self.deadline = time.monotonic() + 3 * limits["total_seconds"]
        self.cpu_left = limits["total_seconds"]
        return self._exchange(Program([]), load=True)

    def run(self, program: Program) -> Failure | None:
        failure = self._exchange(program)
        self.calls += len(program.calls) if failure is None else failure.step + 1
        return failure

    def _exchange(self, program: Program, load: bool = False) -> Failure | None:
        limits = self.problem.limits
        left = self.deadline - time.monotonic()
        if left <= 0 or self.cpu_left <= 0:
            return Failure("TLE", why="total", detail=f"{limits['total_seconds']}")
        try:
            frame = {**program.frame(), "entry": self.problem.entry}
            if load:
                self.child.channel.send(frame | {"load": True}, self.source.encode(), left)
            else:
                self.child.channel.send(frame, seconds=left)
            header, body = self.child.channel.receive(left)
        except TimeoutError:
            return Failure("TLE", program=program, why="total", detail=f"{limits['total_seconds']}")
        except ChildGone as error:
            return Failure("RE", why="gone", detail=str(error))
        try:
            ended = msgspec.convert(header, Header)
            self.cpu_left -= max(0.0, ended.cpu)
            return self._verdict(program, ended, body)
        except (msgspec.DecodeError, msgspec.ValidationError, ValueError, RecursionError) as error:
            return Failure("RE", why="garbage", detail=str(error)[:200])

    def _verdict(self, program: Program, header: Header, body: bytes) -> Failure | None:
        limits = self.problem.limits
        step = max(-1, min(header.call, len(program.calls) - 1))
        shared = {"step": step, "program": program, "printed": header.printed[:4000]}
        match header.ended:
            case "syntax":
                where = f"line {header.line}: " if header.line else ""
                return Failure("CE", why="syntax", detail=where + header.said)
            case "time":
                return Failure("TLE", why="call", detail=f"{limits['call_seconds']}", **shared)
            case "memory":
                return Failure("MLE", why="memory", detail=f"{header.peak_mb:.0f} / {limits['memory_mb']}", **shared)
            case "output":
                return Failure("OLE", why="output", detail=f"{limits['printed_bytes']}", **shared)
            case "well":
                pass
            case _:
                return Failure("RE", why="exit", detail=_how_it_ended(header.status), **shared)
        answer = msgspec.json.decode(body, type=Body)
        if answer.failed:
            return Failure("RE", why="import", detail=str(answer.failed), printed=header.printed[:4000])
        if answer.missing:
            return Failure("CE", why="missing", detail=", ".join(answer.missing))
        failure = first_difference(program, answer)
        if failure:
            failure.printed = header.printed[:4000]
        return failure


def first_difference(program: Program, answer: Body) -> Failure | None:
    for number, call in enumerate(program.calls):
        row = bytes(answer.rows[number]) if number < len(answer.rows) else b"null"
        if row == call.row:
            continue
        note = answer.notes.get(str(number), Note())
        failure = difference(program, number, row, note)
        if failure:
            return failure
    return None


def difference(program: Program, number: int, row: bytes, note: Note) -> Failure | None:
    """The failure at call `number`, or None where the rows say the same in other words."""
    outcome, value, state = program.calls[number].expected()
    fields = program.fields(number)
    got = msgspec.json.decode(row, type=tuple[str, object, list] | None)
    if got is not None and got[0] == "raised" and program.calls[number].result:
        fields = fields[: len(got[2])]  # the object was never born, so there is nothing of it to see
        state = state[: len(got[2])]
    if got is None or len(got[2]) != len(fields):
        return Failure("RE", why="garbage", detail=f"no row for call {number + 1}")
    failure = Failure("WA", number, program)
    got_value, got_state = unpack(got[1]), [unpack(item) for item in got[2]]
    if got[0] != outcome or not same(value, got_value):
        failure.expected["result"] = value if outcome == "ok" else Raised(value)
        failure.got["result"] = got_value if got[0] == "ok" else Raised(str(note))
        expected_kinds = {"MemoryError"} if outcome == "ok" else {"MemoryError", value}
        if got[0] == "raised" and (note.leaves or got_value not in expected_kinds):
            failure.verdict, failure.why, failure.detail = "RE", "raised", str(note)
    for (who, name), want, have in zip(fields, state, got_state, strict=True):
        if not same(want, have):
            failure.expected[f"{who}.{name}"], failure.got[f"{who}.{name}"] = want, have
    failure.state = dict(zip((f"{who}.{name}" for who, name in fields), got_state, strict=True))
    return failure if failure.expected else None


def _how_it_ended(status: int) -> str:
    if status < 0:
        try:
            return f"signal {-status} ({signal.Signals(-status).name})"
        except ValueError:
            return f"signal {-status}"
    return f"exit {status}"
