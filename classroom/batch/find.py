"""What there is to grade in a folder: answers as files, course notebooks, or the tree that nbgrader collects.

    alice/127-block-pool-cow.py     a file names its problem; the first folder is the student
    127-bob.py                      without a folder, what else the name says is the student
    carol/03-pool.ipynb             a notebook holds any number of answers
    submitted/dave/ch3/ch3.ipynb    nbgrader: {step}/{student}/{assignment}/…; of a course folder, only `submitted`

Every file that could be meant as a submission comes to at least one task, be it one that only says why it can't be
graded. Links are not followed: whoever hands in a link must not choose what the grader reads.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from classroom.words import say
from practice.judging import catalogue, submissions
from practice.judging.arguments import MAX_BYTES
from practice.judging.catalogue import Problem

MAX_NOTEBOOK_BYTES = 32 << 20  # with its outputs
NUMBER = re.compile(r"(?:(?<=[-_ .])|^)\d{3}b?(?=[-_ .]|$)")  # of a problem, in a file's name
NOT_SUBMISSIONS = ("__pycache__", "node_modules")


@dataclass(frozen=True)
class Task:
    """One answer to one problem. Where there is nothing to judge `source` is None, and `note` says why."""

    student: str
    assignment: str  # nbgrader's, or ""
    path: str  # below the folder
    problem: str  # its number, or "" where no problem is known
    source: bytes | None
    note: str = ""  # what is odd about it


Found = tuple[str, bytes | None, str]  # problem, source and note of a task


def tasks(folder: Path, lang: str, only: Problem | None = None) -> Iterator[Task]:
    """All tasks of a folder, file by file, in the order of their paths; no more than one file is in memory at a time.

    lang: of the notes. only: grade answers to this problem, whatever number a file's name has.
    """
    problems = [only] if only else catalogue.all_problems()
    top = handed_in(folder)
    for path in files(folder):
        student, assignment = whose(path.relative_to(top))
        name = printable(path.relative_to(folder))
        found = _notebook(path, lang, problems) if path.suffix == ".ipynb" else _file(path, lang, problems)
        for number, source, note in found:
            yield Task(student, assignment, name, number, source, note)


def handed_in(folder: Path) -> Path:
    """Where the submissions lie: of a course folder only `submitted` holds them."""
    return folder / "submitted" if (folder / "submitted").is_dir() else folder


def files(folder: Path) -> Iterator[Path]:
    """The *.py and *.ipynb that were handed in, sorted; hidden files and folders are nobody's submission."""
    for here, folders, names in os.walk(handed_in(folder)):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in NOT_SUBMISSIONS)
        yield from (Path(here, name) for name in sorted(names) if name[0] != "." and name.endswith((".py", ".ipynb")))


def whose(relative: Path) -> tuple[str, str]:
    """Student and nbgrader assignment of a path."""
    folders = relative.parts[:-1]
    if folders:
        return printable(folders[0]), printable(folders[1]) if len(folders) > 1 else ""
    stem = printable(relative.stem)
    others = [part.strip("-_ .") for part in re.split(NUMBER, stem)]
    return " ".join(filter(None, others)) or stem, ""


def printable(name: str | Path) -> str:
    """A file's name as text: names on Linux are bytes."""
    return str(name).encode("utf-8", "backslashreplace").decode()


def _file(path: Path, lang: str, problems: list[Problem]) -> Iterator[Found]:
    named = [str(problem.number) for problem in problems]
    number = named[0] if len(named) == 1 else next((n for n in re.findall(NUMBER, path.stem) if n in named), "")
    note = _unreadable(path, lang, MAX_BYTES)
    if not note and not number:
        note = say(lang, "no_number")
    yield number, None if note else path.read_bytes(), note


def _notebook(path: Path, lang: str, problems: list[Problem]) -> Iterator[Found]:
    wanted = [problem.number for problem in problems] if len(problems) == 1 else []
    if note := _unreadable(path, lang, MAX_NOTEBOOK_BYTES):
        yield "", None, note
        return
    book = submissions.parse(path.read_bytes())
    taken = submissions.answers_in(book, wanted, problems) if isinstance(book, dict) else book
    notes: dict[str, list[str]] = {}
    for remark in taken.remarks:
        notes.setdefault(str(remark.number or ""), []).append(remark.text(lang))
    sources = {str(number): source.encode("utf-8", "backslashreplace") for number, source in taken.answers.items()}
    for number in sorted({*sources, *notes}) or [""]:
        note = "; ".join(notes.get(number, [] if number else [say(lang, "no_answer")]))
        yield number, sources.get(number), note


def _unreadable(path: Path, lang: str, limit: int) -> str:
    """Why a file is not read, or ""."""
    if path.is_symlink():
        return say(lang, "link")
    if not path.is_file():
        return say(lang, "not_regular")
    if (size := path.stat().st_size) > limit:
        return say(lang, "too_large", size=size, limit=limit)
    try:
        path.open("rb").close()
    except OSError as error:
        return say(lang, "unreadable", why=error.strerror)
    return ""
