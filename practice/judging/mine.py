"""The learner's own accepted answer as a module, for later cells that go on with it; else the library's."""

import hashlib
import sys
import types

from practice.judging import catalogue, language, progress, workspace
from practice.judging.catalogue import Problem
from practice.judging.messages import say


def mine(number: int | str) -> types.ModuleType:
    """What the answer to problem `number` defines, with a line that says whose answer it is.

    The learner's counts when the file in the workspace is, byte for byte, one that was accepted. Raises
    UnknownProblem.
    """
    problem = catalogue.find(str(number))
    source, path = _accepted(problem), workspace.path(problem)
    lang, shown = language.choose(), path.relative_to(catalogue.ROOT)
    if source is None:
        _tell(say(lang, "mine_library", file=shown))
        return _module(problem, problem.reference(), f"<the library's answer to {problem.number}>")
    _tell(say(lang, "mine_yours", number=problem.number, file=shown))
    return _module(problem, source, str(path))


def _accepted(problem: Problem) -> str | None:
    try:
        written = workspace.path(problem).read_bytes()
        return written.decode("utf-8-sig") if progress.accepted(problem.number, _digest(written)) else None
    except (OSError, UnicodeDecodeError, progress.Unavailable):
        return None


def _digest(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()


def _module(problem: Problem, source: str, file: str) -> types.ModuleType:
    module = types.ModuleType(f"answer_{problem.number}")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


def _tell(line: str) -> None:
    """Beside what the cell prints, not in it."""
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
        from IPython.display import Markdown, display

        display(Markdown(line))
    else:
        print(line, file=sys.stderr)
