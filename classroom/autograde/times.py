"""When something was handed in, as `nbgrader submit` or a person wrote it into timestamp.txt; and collecting it.

nbgrader stops at a time that it can't read. Here it is as if none were known: nobody is late, and feedback says so.
"""

import os
import shutil
import stat
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns, parse_utc

from classroom.autograde.copying import copy_plain_files

NAME = "timestamp.txt"
NOBODY = ""  # no student has this name


class Collect(ExchangeCollect):
    """ExchangeFactory.collect, for folders with any name and anything in them.

    Plain files are taken, and links are not followed. What is left out is told, and stops nobody else's work.
    nbgrader's own limit on a submission, max_dir_size (kB), holds for what is copied of it.
    """

    def init_src(self) -> None:
        survive(self.coursedir)  # times of what is there are compared with what comes
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]

    def _path_to_record(self, path: str) -> dict:
        """Who handed in what lies there, and when, as its name says. What is no such folder is nobody's, and displaces
        nothing."""
        try:
            record = super()._path_to_record(path)
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise ValueError("it is no folder")
        except (ValueError, OverflowError, OSError) as error:
            self.log.warning("Left out %s: %s", path, error)
            return {"username": NOBODY, "filename": os.path.basename(path), "timestamp": datetime.min}
        return record

    def do_copy(self, src: str, dest: str, log=None) -> None:
        about = self.coursedir
        ignored = ignore_patterns(about.ignore, about.include, about.max_file_size, self.log)
        os.makedirs(dest, exist_ok=True)
        copy_plain_files(src, dest, ignored, self._left_out, 1000 * about.max_dir_size)
        if about.groupshared:
            share(Path(dest))

    def _left_out(self, path: str, why: str) -> None:
        self.log.warning("Left out %s: %s", path, why)


def share(folder: Path) -> None:
    """Let the folder's group read and write all that was copied into it."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode & 0o7777 | (0o2770 if path.is_dir() else 0o660))


def handed_in_at(folder: Path) -> datetime | None:
    """The time in a folder's timestamp.txt; None without such a file, or an empty one. Raises ValueError."""
    path = folder / NAME
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise ValueError(f"{path} is no plain file")
    try:
        text = path.read_text(encoding="utf-8").strip() if path.exists() else ""
        return parse_utc(text) if text else None
    except (OSError, OverflowError) as error:
        raise ValueError(str(error)) from error


def is_known(folder: Path) -> bool:
    """Whether a folder's timestamp.txt, if there is one, can be read."""
    try:
        handed_in_at(folder)
    except ValueError:
        return False
    return True


def survive(coursedir: CourseDirectory) -> None:
    """Have nbgrader take a time that can't be read for none."""

    def existing(folder: str) -> datetime | None:
        try:
            return handed_in_at(Path(folder))
        except ValueError:
            coursedir.log.warning("No time that can be read: %s", Path(folder, NAME))
            return None

    coursedir.get_existing_timestamp = existing


def forget(folder: Path) -> None:
    """Empty the timestamp.txt of a graded folder where it can't be read: feedback would stop at it."""
    path = folder / NAME
    if is_known(folder):
        return
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.write_text("")
