"""Children kept warm: the next answer to a problem of the same kind finds one that is started and prepared."""

import contextlib
from collections.abc import Iterator

from practice.judging import sandbox
from practice.judging.catalogue import Problem


class Children:
    """Lends children to one judge at a time, and keeps those that came back in order.

    keep: whether a child waits for the next answer at all. A notebook and a batch keep them; one command does not.
    """

    def __init__(self, keep: bool = True):
        self.keep = keep
        self._waiting: dict[str, list[sandbox.Child]] = {}

    @contextlib.contextmanager
    def lend(self, problem: Problem) -> Iterator[sandbox.Child]:
        """A prepared child. It is ended, not kept, when it is lost or after an error."""
        key = repr((problem.modules, problem.limits, problem.provided))
        waiting = self._waiting.setdefault(key, [])
        child = waiting.pop() if waiting else None
        if child is None or child.process.poll() is not None:
            child = sandbox.start(problem.modules, problem.limits, problem.provided)
        try:
            yield child
        except BaseException:
            child.lost = True
            raise
        finally:
            if self.keep and not child.lost:
                waiting.append(child)
            else:
                child.close()

    def close(self) -> None:
        """End those that wait."""
        for waiting in self._waiting.values():
            while waiting:
                waiting.pop().close()
