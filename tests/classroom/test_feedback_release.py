"""`nbgrader release_feedback` releases what can be found by a student, whatever the rest of the class handed in."""

import os
import subprocess
import sys

import pytest
from course import SOLVED, copied
from nbgrader.utils import notebook_hash

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]
SUBMITTED = {"timestamp.txt": "2026-03-02 10:00:00.000000 UTC", "submission_secret.txt": "a secret"}
LACKING = {  # student -> what is in the folder beside the notebook, and the files that are to blame
    "by hand": ({}, ["timestamp.txt", "submission_secret.txt"]),
    "no time": ({"submission_secret.txt": "another"}, ["timestamp.txt"]),
    "no secret": ({"timestamp.txt": SUBMITTED["timestamp.txt"]}, ["submission_secret.txt"]),
    "a,b": (
        {"timestamp.txt": SUBMITTED["timestamp.txt"], "submission_secret.txt": "\udcff"},
        ["submission_secret.txt"],
    ),
}


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory):
    """Two students who used the exchange, among others who did not, with feedback for all."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    course.exchange = course.root / "exchange"
    course.exchange.mkdir(mode=0o777)
    course.exchange.chmod(0o777)
    course.configure(f"c.Exchange.root = {str(course.exchange)!r}")
    beside = {"ada": SUBMITTED, "zoe": SUBMITTED | {"submission_secret.txt": "hers"}}
    for student, files in (beside | {student: files for student, (files, _) in LACKING.items()}).items():
        course.hand_in(student, SOLVED)
        for name, text in files.items():
            (course.folder(student) / name).write_bytes(os.fsencode(text))
    assert course.autograde()["success"]
    assert course.api.generate_feedback(course.chapter)["success"]
    return course


def nbgrader(course, *arguments: str) -> str:
    """What the command says; it must not fail."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    result = subprocess.run(command, cwd=course.root, capture_output=True, encoding="utf-8", timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def released(course) -> set[str]:
    return {path.name for path in (course.exchange / "paged-kv-cache" / "feedback").iterdir()}


def found_by(course, secret: str) -> str:
    """The name under which `nbgrader fetch_feedback` looks."""
    return f"{notebook_hash(secret=secret, notebook_id=course.chapter)}.html"


def test_feedback_is_released_to_all_who_can_find_it_and_the_others_are_named(course):
    said = nbgrader(course, "release_feedback", course.chapter)
    assert released(course) == {found_by(course, "a secret"), found_by(course, "hers")}
    for student, (_, names) in LACKING.items():
        folder = course.root / "feedback" / student / course.chapter
        assert f"Not released, for want of {' and '.join(names)}: the feedback in {folder}" in said
        assert (folder / f"{course.chapter}.html").exists()
    assert said.count("Not released") == len(LACKING)


def test_the_formgrader_releases_one_students_feedback_alike(course, caplog):
    secret = found_by(course, "hers")
    (course.exchange / "paged-kv-cache" / "feedback" / secret).unlink(missing_ok=True)
    for student in ("by hand", "no secret", "zoe"):
        result = course.api.release_feedback(course.chapter, student)
        assert result["success"], result
    assert caplog.text.count("Not released") == 2
    assert secret in released(course)
