"""Frames between judge and child over two pipes, with a deadline on every read and write.

A frame is two u32 lengths, a JSON header and a body of bytes. Whatever runs at the other end may stall, flood or send
garbage: reads are bounded in time and size, and garbage is an error of its own kind.
"""

import contextlib
import os
import select
import struct
import time

import msgspec

MAX_FRAME = 1 << 25
MAX_HEADER = 1 << 16  # of what a child sends


class ChildGone(Exception):
    """The other end closed its pipe, or sent something that is no frame."""


class Channel:
    def __init__(self, to_child, from_child):
        self._out, self._in = to_child, from_child
        os.set_blocking(to_child.fileno(), False)
        os.set_blocking(from_child.fileno(), False)

    def send(self, header: dict, body: bytes = b"", seconds: float = 10.0) -> None:
        """Raises ChildGone when nobody reads any more, TimeoutError when they don't read in time."""
        head = msgspec.json.encode(header)
        rest = memoryview(struct.pack("<II", len(head), len(body)) + head + body)
        deadline = time.monotonic() + seconds
        while rest:
            _wait(self._out, write=True, deadline=deadline)
            try:
                rest = rest[os.write(self._out.fileno(), rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChildGone(f"the child reads no more: {error}") from error

    def receive(self, seconds: float) -> tuple[dict, bytes]:
        """One frame. Raises TimeoutError, or ChildGone at the end of the stream or on garbage."""
        deadline = time.monotonic() + seconds
        head_size, body_size = struct.unpack("<II", self._read(8, deadline))
        if head_size > MAX_HEADER or head_size + body_size > MAX_FRAME:
            raise ChildGone(f"a frame of {head_size} + {body_size} bytes, over the limit of {MAX_HEADER} / {MAX_FRAME}")
        try:
            header = msgspec.json.decode(self._read(head_size, deadline), type=dict)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ChildGone(f"a header that is no JSON object: {error}") from error
        return header, self._read(body_size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            _wait(self._in, write=False, deadline=deadline)
            try:
                part = os.read(self._in.fileno(), min(size, 1 << 20))
            except BlockingIOError:
                continue
            if not part:
                raise ChildGone("the child has ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        self._in.close()
        with contextlib.suppress(OSError):  # nobody is there to read what was left
            self._out.close()


def _wait(stream, write: bool, deadline: float) -> None:
    poll = select.poll()
    poll.register(stream, select.POLLOUT if write else select.POLLIN)
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise TimeoutError
