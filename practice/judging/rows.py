"""What the child sends for a call, and what it tells of the call's arguments."""

import msgspec

from practice.judging.messages import MESSAGES
from practice.judging.program import Call
from practice.judging.wire import unpack


def _rule(key: str) -> dict[str, str]:
    return dict(zip(("en", "zh"), MESSAGES[key], strict=True))


ARGUMENTS_STAY = _rule("arguments_stay")
OF_EXCEPTIONS = {  # raised by the guard of kernels
    name: _rule(key)
    for name, key in {
        "HostRead": "host_reads",
        "NotTriton": "no_triton",
        "EarlyRead": "early_read",
        "NotStored": "not_stored",
    }.items()
}


class Row(msgspec.Struct, array_like=True):
    """outcome: "ok" or "raised"; value: packed, or the exception's type; state: the watched fields, packed; changed:
    the arguments that are no longer what they were: number and what it is now, packed."""

    outcome: str
    value: object
    state: list
    changed: list[tuple[int, object]] = []


def changed_arguments(call: Call, row: Row) -> dict[str, tuple[object, object]]:
    """`args[1]` → (what it was, what it is now). Raises ValueError for arguments that the call does not have."""
    args = call.args or []
    strange = [number for number, _ in row.changed if not 0 <= number < len(args)]
    if strange:
        raise ValueError(f"argument {strange[0]} of {len(args)} has changed")
    return {f"args[{number}]": (unpack(args[number]), unpack(now)) for number, now in row.changed}
