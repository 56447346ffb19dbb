"""Copying what was handed in: plain files, and nothing that a link in it leads to.

nbgrader follows links. With that a student can hand in what only the grader may read, and get it back as feedback; and
one link that leads nowhere, or a pipe, stops the collection for all, or costs a right answer its grade.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.utils import find_all_files, ignore_patterns

MOST_LEVELS = 30  # of folders in folders
NO_LIMIT = 1 << 62
Ignore = Callable[[str, list[str]], Iterable[str]]  # (folder, names in it) -> those to leave out without a word
Tell = Callable[[str, str], None]  # (path, why): something was left out


def copy_plain_files(src: str | Path, dest: str | Path, ignored: Ignore, tell: Tell, limit: int = NO_LIMIT) -> None:
    """Copy the plain files below src, of at most `limit` bytes together.

    Names are looked up in the folder that was opened, never by a path, which its owner could make lead elsewhere in the
    meantime.
    """
    left = limit
    walk = os.fwalk(src, follow_symlinks=False, onerror=lambda error: tell(str(error.filename), error.strerror))
    for path, folders, names, opened in walk:
        unwanted, relative = set(ignored(path, [*folders, *names])), os.path.relpath(path, src)
        wanted = [name for name in folders if name not in unwanted]
        folders[:] = [name for name in wanted if not _is_link(name, opened)]
        for name in sorted({*wanted} - {*folders}):
            tell(os.path.join(path, name), "it is a link")
        if len(Path(relative).parts) + 1 >= MOST_LEVELS:
            for name in folders:
                tell(os.path.join(path, name), f"more than {MOST_LEVELS} folders lie in each other")
            folders.clear()
        for name in sorted(set(names) - unwanted):
            try:
                Path(dest, relative).mkdir(parents=True, exist_ok=True)
                left -= copy_plain(name, opened, Path(dest, relative, name), left)
            except OSError as error:
                tell(os.path.join(path, name), error.strerror)


def copy_plain(name: str, folder: int, target: Path, limit: int) -> int:
    """Copy a plain file of an opened folder, of at most `limit` bytes. Returns its bytes. Raises OSError."""
    if _is_link(name, folder):
        raise OSError(0, "it is a link")
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with open(handle, "rb") as source:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(0, "it is no plain file")
        if about.st_size > limit:
            raise OSError(0, f"it has {about.st_size} bytes, {limit} are left for this submission")
        target.unlink(missing_ok=True)
        with target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    return about.st_size


def _is_link(name: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


class _PlainFiles(BaseConverter):
    """Of what lies beside a notebook copies plain files, and none that stands in the way of the course's own."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        source, dest = self._format_source(assignment_id, student_id), self._format_dest(assignment_id, student_id)
        original = self.coursedir.format_path(self.coursedir.source_directory, ".", assignment_id)
        ours = {Path(os.path.relpath(path, original)) for path in find_all_files(original)}
        ours |= {path.with_suffix(".html") for path in ours if path.suffix == ".ipynb"}  # which feedback will be
        folders_of_ours = {folder for path in ours for folder in path.parents}
        patterns = ignore_patterns(exclude=[*self.coursedir.ignore, "*.ipynb"])

        def tell(path: str, why: str) -> None:
            self.log.warning("Left out %s: %s", path, why)

        def ignored(path: str, names: list[str]) -> set[str]:
            unwanted, relative = set(patterns(path, names)), Path(os.path.relpath(path, source))
            for name in sorted({*names} - unwanted):
                is_folder = os.path.isdir(os.path.join(path, name))
                if relative / name in (ours if is_folder else folders_of_ours):
                    tell(os.path.join(path, name), "the assignment has something else of this name")
                    unwanted.add(name)
            return unwanted

        self.log.info("Copying the files beside the notebook, %s -> %s", source, dest)
        copy_plain_files(source, dest, ignored, tell)


class _Autograde(Autograde, _PlainFiles):
    """nbgrader's own, in which `_PlainFiles` does what `BaseConverter` did."""


def copy_only_plain_files(converter: Autograde) -> None:
    """Have nbgrader's converter copy plain files only; its command lets nobody choose another converter."""
    converter.__class__ = _Autograde
