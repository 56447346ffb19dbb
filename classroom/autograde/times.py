"""When something was handed in, as `nbgrader submit` or a person wrote it into timestamp.txt.

nbgrader stops at a time that it can't read. Here it is as if none were known: nobody is late, and feedback says so.
"""

import shutil
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc

NAME = "timestamp.txt"


class Collect(ExchangeCollect):
    """ExchangeFactory.collect, which compares what comes with the times of what is there."""

    def init_src(self) -> None:
        survive(self.coursedir)
        super().init_src()


def handed_in_at(folder: Path) -> datetime | None:
    """The time in a folder's timestamp.txt; None without such a file, or an empty one. Raises ValueError."""
    path = folder / NAME
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
        if is_known(Path(folder)):
            return handed_in_at(Path(folder))
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
