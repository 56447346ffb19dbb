"""The first call of a run that does not give what it should."""

import msgspec

from practice.judging.compare import comparable, differing, same
from practice.judging.failure import Failure, Note, Raised, legible
from practice.judging.program import Program, field_name
from practice.judging.rows import ARGUMENTS_STAY, OF_EXCEPTIONS, Row, changed_arguments
from practice.judging.wire import Foreign, unpack

ELEMENTS_SHOWN = 4


class Answer(msgspec.Struct):
    """What came of a program: a row per call, or why there are none."""

    rows: list[msgspec.Raw] = []
    notes: dict[str, Note] = {}
    missing: list[str] = []
    failed: Note | None = None
    kernels: list[dict[str, str | int | float]] = []


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
            failure.rule = OF_EXCEPTIONS.get(note.type, {})
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
