"""Inputs of a kernel as the judge writes them down: how they lie in memory, and what is due of their reads.

The learner's side of it is kernel_memory.Input.
"""

from math import prod

from practice.judging.wire import ANYTHING, Between

# Of a cache, after a call: bytes read ÷ bytes that must be read; elements that must be read and were not; bytes read
# from the answer's own copies ÷ bytes that must be read.
DUE = {"read": Between(1.0, 1.1), "unread": 0, "copies": Between(0, 1.0)}


class Reads:
    """What is due of the reads of one input: None before a call, DUE after it where they are counted."""

    def __init__(self):
        self.begin(counted=False)

    def begin(self, counted: bool) -> None:
        self._after = DUE if counted else dict.fromkeys(DUE, ANYTHING)
        self.__dict__ |= dict.fromkeys(DUE)

    def called(self) -> None:
        self.__dict__ |= self._after


def made_of(values, layout: dict | None, owned, before) -> list:
    """The arguments that make an input, without those at the end that say nothing."""
    parts = [values, layout or {}, owned, before]
    while len(parts) > 1 and (parts[-1] is None or len(parts[-1]) == 0):
        parts.pop()
    return parts


def lies(shape: list[int], strides: list[int], fill: float = 0.0, at: list[int] | None = None) -> str:
    """As a comment, what is unusual about how a tensor lies in memory."""
    words = f"blocks {at} of {shape[0]}" if at else ""
    if list(strides) != [prod(shape[axis + 1 :]) for axis in range(len(shape))]:
        words = f"strides {list(strides)}"
    return f"  # {words}" if words else ""
