"""The student edition: the course as a class gets it, with what judges and without what answers.

It keeps notebooks, library, problems with their public tests, and the judge. It leaves out the banks of mistakes and of
right answers, worked answers that stand in a problem's folder, and what only authors and teachers use. `paged` stays,
and with it the worked answers that the library itself is; a class that needs secrecy adds a private pack, see pack.py.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from practice.judging.catalogue import ROOT
from practice.judging.messages import Refusal

LEFT_OUT = ("tests", "benchmarks", "classroom", ".ci", ".github")
LEFT_OUT_OF_PROBLEMS = ("wrong", "right", "reference.py")
NOTE = """# Student edition

This copy of the course judges, but holds no solution files, no bank of mistakes and no tests of the course itself.
`make lab` and `python practice/judge.py` work as the README says; `make test` has nothing to run here.
"""


class CannotRelease(Refusal):
    """The edition can't be written there; the text says why."""


def release(out: Path) -> int:
    """Write the student edition to `out`, a folder that does not exist yet or is empty. Returns the number of files."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CannotRelease("not_empty", folder=out)
    if out.resolve().is_relative_to(ROOT):
        raise CannotRelease("inside_course", folder=out, root=ROOT)
    names = [name for name in course_files() if belongs(PurePosixPath(name))]
    out.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
    try:
        for name in names:
            (building / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, building / name)
        (building / "STUDENT-EDITION.md").write_text(NOTE, encoding="utf-8")
        building.chmod(0o755)
        os.replace(building, out)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    return len(names) + 1


def belongs(name: PurePosixPath) -> bool:
    """Whether a file of the course goes to students."""
    parts = name.parts
    if parts[0] in LEFT_OUT:
        return False
    return not (parts[:2] == ("practice", "problems") and len(parts) > 3 and parts[3] in LEFT_OUT_OF_PROBLEMS)


def course_files() -> list[str]:
    """The files that git tracks. Raises CannotRelease outside a git checkout, where nothing says what is the course."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotRelease("no_checkout", root=ROOT) from error
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
