"""Inputs of a kernel as the judge writes them down: how they lie in memory, and what is due of them after a call.

The learner's side of it is kernel_input.Input.
"""

from math import prod

from practice.judging.wire import ANYTHING, Between

# Of an input that has owners, after a call: bytes read ÷ bytes that must be read; elements that must be read and were
# not; bytes read from the answer's own copies, and bytes stored in them, ÷ bytes that must be read; how many programs
# read of it; and what the one that reads most of it reads ÷ their average.
READ = {"read": Between(1.0, 1.1), "unread": 0, "copies": Between(0, 1.0), "kept": Between(0, 0.5)}
READ |= {"programs": ANYTHING, "busiest": ANYTHING}
# Of one that kernels write into: bytes written ÷ bytes that must be written.
WRITTEN = {"wrote": Between(1.0, 1.1)}


class Due:
    """What is due of one input: None before a call, `counts` after it where they are counted, and in `after`, where it
    is written into, what it holds then: the oracle's own array."""

    def __init__(self, counts: dict):
        self._counts = counts
        self.begin(counted=False)

    def begin(self, counted: bool | dict, after=None) -> None:
        """counted: whether the counts are judged; a dict says which of them must be something else than usual."""
        usual = self._counts if counted else dict.fromkeys(self._counts, ANYTHING)
        self._then = usual | (counted if isinstance(counted, dict) else {})
        self.__dict__ |= dict.fromkeys(self._counts)
        self.after = after

    def called(self) -> None:
        self.__dict__ |= self._then


def due(owned, writable) -> dict:
    """What is counted of an input."""
    return (READ if owned is not None else {}) | (WRITTEN if writable is not None else {})


def made_of(*parts) -> list:
    """The arguments that make an input, without those at the end that say nothing; the layout always stays, as it tells
    an input from a tensor in an example."""
    parts = list(parts)
    while len(parts) > 2 and parts[-1] is None:
        parts.pop()
    return parts


def lies(shape: list[int], strides: list[int], fill: float = 0.0, at: list[int] | None = None) -> str:
    """As a comment, what is unusual about how a tensor lies in memory."""
    words = f"blocks {at} of {shape[0]}" if at else ""
    if list(strides) != [prod(shape[axis + 1 :]) for axis in range(len(shape))]:
        words = f"strides {list(strides)}"
    return f"  # {words}" if words else ""
