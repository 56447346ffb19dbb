"""`judge.py watch`: judge again each time the answer is saved; h shows a hint, n takes the next problem, q ends."""

import contextlib
import select
import sys
from collections.abc import Callable, Iterator

from watchfiles import watch as file_changes

from practice.judging import catalogue, workspace
from practice.judging.catalogue import Problem

POLL_MS = 150


def follow(problem: Problem | None, judge: Callable[[Problem], None], hint: Callable[[Problem], None]) -> None:
    """Judge `problem` now and after each save, until q; `judge` shows a verdict, `hint` a hint."""
    while problem:
        workspace.start(problem)
        judge(problem)
        problem = _until_next(problem, judge, hint)


def _until_next(problem: Problem, judge, hint) -> Problem | None:
    file = workspace.path(problem)
    with _keys() as pressed:
        for changes in file_changes(
            file.parent, rust_timeout=POLL_MS, yield_on_timeout=True, debounce=60, step=20, raise_interrupt=False
        ):
            if any(name == str(file) for _, name in changes) and file.exists():
                judge(problem)
            match pressed():
                case "q":
                    return None
                case "h":
                    hint(problem)
                case "n":
                    return after(problem)
    return None


def after(problem: Problem) -> Problem:
    """The problem that follows; after the last one the first again."""
    problems = catalogue.all_problems()
    numbers = [known.number for known in problems]
    return problems[(numbers.index(problem.number) + 1) % len(problems)]


@contextlib.contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """A function that gives the key pressed since it was last asked, or ""; never one where there is no terminal."""
    if not sys.stdin.isatty():
        yield lambda: ""
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield lambda: sys.stdin.read(1) if select.select([sys.stdin], [], [], 0)[0] else ""
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
