"""The other end of a channel without any process: bytes that a child could have sent."""

import contextlib
import json
import os
import struct
import threading
import time
from types import SimpleNamespace

import msgspec

from practice.judging.catalogue import DEFAULT_LIMITS
from practice.judging.channel import Channel
from practice.judging.drive import Driver
from practice.judging.failure import Failure
from practice.judging.program import Call, Program
from practice.judging.wire import pack

PROBLEM = SimpleNamespace(entry=["f"], limits=DEFAULT_LIMITS, modules=[])


def frame(header: object, body: bytes = b"") -> bytes:
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<II", len(head), len(body)) + head + body


def answered(rows: list, **more) -> bytes:
    """The frame of a fork that ended well with these rows for the one program it was given."""
    return frame({"ended": "well", "call": len(rows)}, json.dumps({"answers": [{"rows": rows, **more}]}).encode())


def call(value: object, outcome: str = "ok", **more) -> Call:
    """A call of f() whose answer is due to be `value`."""
    return Call(**{"result": None, "target": None, "name": "f", "args": []} | more, row=row(value, outcome))


def row(value: object, outcome: str = "ok", state: tuple = ()) -> bytes:
    return msgspec.json.encode([outcome, pack(value), [pack(item) for item in state]])


@contextlib.contextmanager
def channel_that_says(sent: bytes, stays: bool = False):
    """A Channel on which `sent` arrives; then the other end closes, or `stays` open and silent."""
    hears, to_child = os.pipe()
    from_child, says = os.pipe()

    def speak():
        with contextlib.suppress(OSError), memoryview(sent) as left:
            done = 0
            while done < len(left):
                done += os.write(says, left[done:])
        if not stays:
            os.close(says)

    speaker = threading.Thread(target=speak)
    speaker.start()
    channel = Channel(os.fdopen(to_child, "wb", buffering=0), os.fdopen(from_child, "rb", buffering=0))
    try:
        yield channel
    finally:
        channel.close()
        speaker.join()
        os.close(hears)
        if stays:
            os.close(says)


def outcome_of(sent: bytes, program: Program, seconds: float = 10.0, stays: bool = False) -> Failure | None:
    """What the judge makes of a child that answers a program with these bytes."""
    with channel_that_says(sent, stays) as channel:
        child = SimpleNamespace(channel=channel, kind="plain", why="")
        driver = Driver(PROBLEM, "", child)
        driver.deadline, driver.cpu_left = time.monotonic() + seconds, seconds
        return driver.run(program)
