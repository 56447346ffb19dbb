"""Which files and folders of a class are submissions.

At the top that is each file and each student's folder; in nbgrader's tree each student's folder of an assignment. Of
such a folder every *.py, *.ipynb, link and archive counts, however deep it lies, and where it holds none of these the
folder itself. Pictures, data and other files in it do not count.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

SUBMITTED = "submitted"  # nbgrader's folder of what was handed in
PYTHON, NOTEBOOK = ".py", ".ipynb"
GRADED = (PYTHON, NOTEBOOK)
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
NOBODYS = ("__pycache__", "__macosx", "node_modules", "timestamp.txt", "thumbs.db", "desktop.ini")  # in lower case


def top_of(folder: Path) -> Path:
    """Where the submissions lie: of a course folder only `submitted` holds them."""
    return folder / SUBMITTED if (folder / SUBMITTED).is_dir() else folder


def files(folder: Path, but: Iterable[Path] = ()) -> Iterator[Path]:
    """What was handed in, sorted. but: files that the batch writes itself.

    Hidden files and what systems leave behind are nobody's submission. Raises OSError where the folder can't be read.
    """
    but = {in_place(path) for path in but}
    names = {path.name for path in but}
    for part in _parts(top_of(folder)):
        if not is_folder(part):
            if part.name not in names or in_place(part) not in but:
                yield part
            continue
        found = None
        for found in _within(part):
            yield found
        if found is None:
            yield part


def in_place(file: Path) -> Path:
    """Where a file lies, without links on the way; a link itself is not followed."""
    return file.parent.resolve() / file.name


def kind(path: Path) -> str:
    """The end of a file's name, ".py"."""
    return path.suffix.lower()


def is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _parts(top: Path) -> Iterator[Path]:
    """What lies at the top; in nbgrader's tree what lies in each student's folder."""
    nbgraders = top.resolve().name == SUBMITTED
    for path in listed(top):
        try:
            inner = listed(path) if nbgraders and is_folder(path) else []
        except OSError:
            inner = []
        yield from inner or [path]


def _within(folder: Path) -> Iterator[Path]:
    """Of a student's folder what counts for itself, and folders that can't be read."""
    todo = [folder]
    while todo:
        path = todo.pop()
        if is_folder(path):
            try:
                todo += reversed(listed(path))
            except OSError:
                yield path
        elif os.path.islink(path) or kind(path) in (*GRADED, *ARCHIVES):
            yield path


def listed(folder: Path) -> list[Path]:
    """What lies in a folder, sorted, without what is nobody's submission. Raises OSError."""
    names = [name for name in os.listdir(folder) if name[0] != "." and name.lower() not in NOBODYS]
    return [folder / name for name in sorted(names)]
