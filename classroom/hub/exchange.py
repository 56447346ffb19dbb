"""The folders through which nbgrader passes assignments on, one per course, closed to everyone outside it.

    exchange/            root     1777   nbgrader insists that everyone may write here; nobody can touch another's entry
    exchange/COURSE      grader   0750   the course's group and nobody else
      outbound/          grader   2750   released assignments, to read
      inbound/           grader   1730   submissions: students put theirs in, and can neither list nor remove any
      feedback/          grader   2710   feedback, to read by whoever knows its name: a hash of the submission's secret

With other modes, `nbgrader release_assignment` either fails or opens the folder again.
"""

import os
import shutil
from pathlib import Path

from classroom.hub.settings import Course

ROOT_MODE, COURSE_MODE = 0o1777, 0o750
FOLDERS = {"outbound": 0o2750, "inbound": 0o1730, "feedback": 0o2710}


def prepare(exchange: Path, courses: tuple[Course, ...]) -> None:
    """Make what is missing and put modes and owners right; files in it stay. Needs root.

    Raises LookupError where an account or a course's group does not exist.
    """
    _folder(exchange, ROOT_MODE)
    for course in courses:
        _folder(exchange / course.name, COURSE_MODE, course)
        for name, mode in FOLDERS.items():
            _folder(exchange / course.name / name, mode, course)


def _folder(path: Path, mode: int, course: Course | None = None) -> None:
    path.mkdir(parents=True, exist_ok=True)
    if course:
        shutil.chown(path, course.grader, course.group)
    os.chmod(path, mode)  # after chown, which clears the bit that hands the group on
