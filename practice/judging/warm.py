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
    def lend(self, problem: Problem, guard: str = "") -> Iterator[sandbox.Child]:
        """A prepared child, with this guard. It is ended, not kept, when it is lost or after an error."""
        waiting = self._of(problem, guard)
        child = waiting.pop() if waiting else None
        if child is None or child.process.poll() is not None:
            child = sandbox.start(problem.modules, problem.limits, problem.provided, guard)
        try:
            child.settle()
            yield child
        except BaseException:
            child.lost = True
            raise
        finally:
            if self.keep and not child.lost:
                waiting.append(child)
            else:
                child.close()

    def expect(self, problem: Problem, guard: str) -> None:
        """A child of this kind will be needed soon: it may begin to import what it needs."""
        waiting = self._of(problem, guard)
        if not waiting:
            waiting.append(sandbox.start(problem.modules, problem.limits, problem.provided, guard, wait=False))

    def _of(self, problem: Problem, guard: str) -> list[sandbox.Child]:
        return self._waiting.setdefault(repr((problem.modules, problem.limits, problem.provided, guard)), [])

    def close(self) -> None:
        """End those that wait."""
        for waiting in self._waiting.values():
            while waiting:
                waiting.pop().close()


@contextlib.contextmanager
def borrowing(children: Children | None) -> Iterator[Children]:
    """These children, or else some that end when the judge has done."""
    if children is not None:
        yield children
        return
    own = Children(keep=False)
    try:
        yield own
    finally:
        own.close()
