"""A failing run frame by frame, as plain data: after each call, what was due and what the learner's code had."""

import msgspec

from practice.judging.failure import Failure
from practice.judging.program import field_name
from practice.judging.rows import Row, changed_arguments
from practice.judging.wire import unpack


def frames(failure: Failure) -> list[dict]:
    """One frame per call up to the one that differs: {"call", "expected", "got"}, values by name as in a verdict.

    Plain data stays what it is; anything else, and an exception, is told in words. A run that died has no frames.
    """
    if failure.program is None or not failure.rows:
        return []
    found = []
    for number, (call, row) in enumerate(zip(failure.program.calls, failure.rows, strict=False)):
        fields = [field_name(*field) for field in failure.program.fields(number)]
        outcome, value, state = call.expected()
        had = msgspec.json.decode(row, type=Row)
        expected = {"result": _result(outcome, value), **dict(zip(fields, map(_plain, state), strict=False))}
        got = {"result": _result(had.outcome, unpack(had.value))}
        got |= dict(zip(fields, (_plain(unpack(item)) for item in had.state), strict=False))
        for name, (was, now) in changed_arguments(call, had).items():
            expected[name], got[name] = _plain(was), _plain(now)
        found.append({"call": str(call), "expected": expected, "got": got})
    return found


def _result(outcome: str, value: object) -> object:
    return f"raises {value}" if outcome == "raised" else _plain(value)


def _plain(value: object) -> object:
    """Strings get their quotes, since the replay draws a string as it stands."""
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return value if value is None or type(value) in (bool, int, float) else repr(value)
