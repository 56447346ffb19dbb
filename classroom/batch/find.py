"""What there is to grade in a folder: answers as files, course notebooks, or the tree that nbgrader collects.

    alice/127-block-pool-cow.py     a file names its problem; the first folder is the student
    127-bob.py                      without a folder, what else the name says is the student
    carol/03-pool.ipynb             a notebook holds any number of answers
    submitted/dave/ch3/ch3.ipynb    nbgrader: {step}/{student}/{assignment}/…; of a course folder, only `submitted`

Whatever was handed in comes to at least one task, be it one that only says why it can't be graded; see handed_in.py.
Links are not followed: whoever hands in a link must not choose what the grader reads.
"""

import itertools
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from classroom.batch.handed_in import ARCHIVES, GRADED, NOTEBOOK, PYTHON, SUBMITTED, files, is_folder, kind, top_of
from classroom.words import say
from practice.judging import catalogue, submissions
from practice.judging.arguments import MAX_BYTES
from practice.judging.catalogue import Problem

ORIGINALS = ("source", "release")  # nbgrader's folders of assignments as they are given
NUMBER = re.compile(r"(?:(?<=[-_ .])|^)\d{3}b?(?=[-_ .]|$)")  # of a problem, in a file's name


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


def tasks(folder: Path, lang: str, only: Problem | None = None, but: Iterable[Path] = ()) -> Iterator[Task]:
    """All tasks of a folder, in the order of their paths; no more than one file is in memory at a time.

    lang: of the notes. only: grade answers to this problem, whatever number a file's name has. but: see `files`.
    """
    problems = [only] if only else catalogue.all_problems()
    top = top_of(folder)

    def owner(path: Path) -> tuple[str, str]:
        return whose(path.relative_to(top), os.path.isdir(path))

    for (student, assignment), paths in itertools.groupby(files(folder, but), owner):
        missing, name = asked(top, assignment, problems), ""
        for path in paths:
            name = printable(path.relative_to(folder))
            for number, source, note in _found(path, lang, problems):
                missing.pop(catalogue.counts_as(number) if number else 0, None)
                yield Task(student, assignment, name, number, source, note)
        for number in missing.values():
            yield Task(student, assignment, name, number, None, say(lang, "not_answered", assignment=assignment))


def asked(top: Path, assignment: str, problems: list[Problem]) -> dict[int, str]:
    """{what it counts as: number} of the problems that an assignment of nbgrader asks for; of its original, where the
    submissions at `top` lie in a course. Of a problem and its stand-in one is enough."""
    course = top.resolve().parent if top.resolve().name == SUBMITTED else None
    if not course or not assignment:
        return {}
    known = {str(problem.number): problem.counts_as for problem in problems}
    steps = ([*(course / step / assignment).glob(f"*{NOTEBOOK}")] for step in ORIGINALS)
    books = [submissions.parse(path.read_bytes()) for path in next(filter(None, steps), []) if path.is_file()]
    cells = [cell for book in books if isinstance(book, dict) for cell in submissions.cells_of(book)]
    found = [match[1] for cell in cells if (match := submissions.GRADE_ID.fullmatch(cell.grade_id))]
    return {known[number]: number for number in sorted(found, reverse=True) if number in known}


def _found(path: Path, lang: str, problems: list[Problem]) -> Iterable[Found]:
    if note := _no_answer(path, lang):
        return [("", None, note)]
    return {PYTHON: _file, NOTEBOOK: _notebook}[kind(path)](path, lang, problems)


def whose(relative: Path, folder: bool = False) -> tuple[str, str]:
    """Student and nbgrader assignment of a path. folder: it is a folder itself."""
    folders = relative.parts if folder else relative.parts[:-1]
    if folders:
        return printable(folders[0]), printable(folders[1]) if len(folders) > 1 else ""
    stem = printable(relative.stem)
    others = [part.strip("-_ .") for part in re.split(NUMBER, stem)]
    return " ".join(filter(None, others)) or stem, ""


def printable(name: str | Path) -> str:
    """A file's name as text on one line: names on Linux are bytes, and may hold codes that drive a terminal."""
    text = str(name).encode("utf-8", "backslashreplace").decode()
    return "".join(f"\\x{ord(c):02x}" if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)


def _no_answer(path: Path, lang: str) -> str:
    """Why something is neither an answer nor a notebook, or ""."""
    if os.path.islink(path):
        return say(lang, "link")
    if is_folder(path):
        try:
            os.listdir(path)
        except OSError as error:
            return _closed(error, lang)
        return say(lang, "folder_without")
    if kind(path) in GRADED:
        return ""
    key = "archive" if kind(path) in ARCHIVES else "other_kind" if kind(path) else "no_kind"
    return say(lang, key, kind=kind(path))


def _file(path: Path, lang: str, problems: list[Problem]) -> Iterator[Found]:
    named = [str(problem.number) for problem in problems]
    number = named[0] if len(named) == 1 else next((n for n in re.findall(NUMBER, path.stem) if n in named), "")
    source, note = _read(path, lang, MAX_BYTES)
    if not note and not number:
        source, note = None, say(lang, "no_number")
    yield number, source, note


def _notebook(path: Path, lang: str, problems: list[Problem]) -> Iterator[Found]:
    wanted = [problem.number for problem in problems] if len(problems) == 1 else []
    raw, note = _read(path, lang, submissions.MOST_OF_A_NOTEBOOK)
    if raw is None:
        yield "", None, note
        return
    book = submissions.parse(raw)
    taken = submissions.answers_in(book, wanted, problems) if isinstance(book, dict) else book
    notes: dict[str, list[str]] = {}
    for remark in taken.remarks:
        notes.setdefault(str(remark.number or ""), []).append(remark.text(lang))
    sources = {str(number): source.encode("utf-8", "backslashreplace") for number, source in taken.answers.items()}
    for number in sorted({*sources, *notes}) or [""]:
        note = say(lang, "and_also").join(notes.get(number, [] if number else [say(lang, "no_answer")]))
        yield number, sources.get(number), note


def _read(path: Path, lang: str, limit: int) -> tuple[bytes | None, str]:
    """A file's bytes, or None and why it isn't read."""
    if not os.path.isfile(path):
        return None, say(lang, "not_regular" if os.path.exists(path) else "vanished")
    try:
        if (size := path.stat().st_size) > limit:
            return None, say(lang, "too_large", size=size, limit=limit)
        return path.read_bytes(), ""
    except OSError as error:
        return None, _closed(error, lang)


def _closed(error: OSError, lang: str) -> str:
    """Why something can't be read."""
    return say(lang, "forbidden" if isinstance(error, PermissionError) else "unreadable", why=error.strerror)
