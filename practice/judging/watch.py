"""`judge.py watch`: judge again each time the answer is saved; h shows a hint, n takes the next problem, q ends."""

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import watch as file_changes

from practice.judging import catalogue, progress, workspace
from practice.judging.catalogue import Problem

POLL_MS = 150


def follow(problem: Problem | None, judge: Callable[[Problem], None], hint: Callable[[Problem], None]) -> None:
    """Judge `problem` now and after each save, until q; `judge` shows a verdict, `hint` a hint."""
    with _keys() as pressed:
        while problem:
            workspace.start(problem)
            problem = _until_next(problem, judge, hint, pressed)


def _until_next(problem: Problem, judge, hint, pressed: Callable[[], str]) -> Problem | None:
    """Judge whenever the file is another than the one judged last, also when it was saved in the meantime."""
    file, judged = workspace.path(problem), None
    while True:
        if (now := _version(file)) not in (judged, None):
            judged = now
            judge(problem)
        while key := pressed():
            match key:
                case "q":
                    return None
                case "h":
                    hint(problem)
                case "n":
                    return after(problem)
        if _version(file) in (judged, None):
            wait = file_changes(file.parent, rust_timeout=POLL_MS, yield_on_timeout=True, debounce=60, step=20)
            next(wait, None)
            wait.close()


def _version(file: Path) -> tuple[int, int, int] | None:
    """What tells one save from the next; None where there is no file, as in the middle of some editors' saves."""
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def after(problem: Problem) -> Problem:
    """The next one that is not solved, or where all are, simply the next; after the last one the first again."""
    problems = catalogue.for_this_machine(catalogue.all_problems())
    place = [known.counts_as for known in problems].index(problem.counts_as) + 1
    others = problems[place:] + problems[: place - 1]
    try:
        states = progress.states()
    except progress.Unavailable:
        states = {}
    unsolved = [known for known in others if states.get(known.counts_as) != "solved"]
    return catalogue.with_pack((unsolved or others or problems)[0])


@contextlib.contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """A function that gives the next key pressed, or ""; never one where there is no terminal."""
    if not sys.stdin.isatty():
        yield lambda: ""
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    waiting: list[str] = []

    def pressed() -> str:
        if select.select([terminal], [], [], 0)[0]:
            waiting.extend(os.read(terminal, 1024).decode("utf-8", "replace"))
        return waiting.pop(0) if waiting else ""

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield pressed
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
