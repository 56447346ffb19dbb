"""What the commands are given: a language, a problem, a file. Each wrong one is one clear line and exit status 2."""

from pathlib import Path

from typer.exceptions import TyperException

from practice.judging import catalogue, language, workspace
from practice.judging.messages import say

MAX_BYTES = 1 << 20


class Usage(Exception):
    """Wrong usage: one line for the learner, exit status 2."""


def misuse(error: TyperException, lang: str) -> str:
    """What was typed wrongly, with the name of the argument or option that it was about."""
    about = getattr(error, "param", None)
    if about is None:
        return say(lang, "usage", why=error)
    name = about.opts[-1] if about.param_type_name == "option" else about.metavar or about.name
    missing = type(error).__name__ == "MissingParameter"  # a class of Typer's that is not public
    return say(lang, "missing" if missing else "bad_value", name=name, why=error)


def speak(lang: str | None) -> str:
    try:
        return language.choose(lang)
    except ValueError as error:
        raise Usage(say(language.choose(), "bad_lang", value=lang)) from error


def find(wanted: str, lang: str) -> catalogue.Problem:
    try:
        return catalogue.find(wanted)
    except catalogue.UnknownProblem as error:
        raise Usage(say(lang, "unknown_problem", wanted=wanted, known=error)) from error


def read_answer(problem: catalogue.Problem, file: Path | None, lang: str) -> tuple[Path, bytes]:
    """The bytes of the answer. Raises Usage for whatever is no file of at most 1 MB."""
    path = file or workspace.path(problem)
    try:
        if not path.exists():
            key = "no_file" if file else "no_answer_yet"
            raise Usage(say(lang, key, file=shown(path), number=problem.number))
        if not path.is_file():
            raise Usage(say(lang, "not_a_file", file=shown(path)))
        if path.stat().st_size > MAX_BYTES:
            raise Usage(say(lang, "too_large", file=shown(path), size=path.stat().st_size, limit=MAX_BYTES))
        return path, path.read_bytes()
    except OSError as error:
        raise Usage(say(lang, "unreadable", file=shown(path), why=error.strerror)) from error


def shown(path: Path) -> str:
    """A path as the learner would type it: relative where it lies below the current folder."""
    try:
        name = str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):
        name = str(path)
    return name.encode("utf-8", "backslashreplace").decode()  # names on Linux are bytes, not always text
