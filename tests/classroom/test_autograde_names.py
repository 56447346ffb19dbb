"""Names that nbgrader can't work with, as it looks for files by patterns: none of them costs others their grades."""

import os
import shutil
import subprocess
import sys

import pytest
from course import Course, copied

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]
ODD = ["[b]", "a*", "who?", "esc\x1b[31m", "two\nlines", os.fsdecode(b"\xff")]
PRINTED = ["[b]", "a*", "who?", "esc\\x1b[31m", "two\\x0alines", "\\udcff"]


def nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "nbgrader", *arguments, course.chapter]
    return subprocess.run(command, cwd=course.root, capture_output=True, encoding="utf-8", timeout=300)


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory):
    """Graded by nbgrader's commands: ann and b among students with odd names, one of them without a notebook."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    for student in ("ann", "b", *ODD):
        course.hand_in(student)
    (course.folder("ann") / "\x1b[31mred.txt").write_text("x")
    (course.folder("ann") / "\x1b[31mred link").symlink_to("/nowhere/at/all")
    course.folder("\x1b[32mempty")
    course.results = [nbgrader(course, command) for command in ("autograde", "generate_feedback")]
    return course


def test_the_others_are_graded_and_get_feedback(course):
    assert [done.returncode for done in course.results] == [0, 0], course.results[0].stderr
    for step in ("autograded", "feedback"):
        assert sorted(os.listdir(course.root / step)) == ["ann", "b"]


@pytest.mark.parametrize("name", [*PRINTED, "\\x1b[32mempty"])
def test_each_odd_name_is_told_in_one_line(course, name):
    lines = [line for line in course.results[0].stderr.splitlines() if f"/{name}/{course.chapter}. Rename" in line]
    assert len(lines) == 1 and "Not graded, for nbgrader can't work with" in lines[0]


def test_no_name_drives_the_terminal_in_the_log_of_any_command(course):
    for done, name in zip(course.results, ["red link", "red.txt"], strict=True):
        assert name in done.stderr
        assert all(letter.isprintable() or letter == "\n" for letter in done.stderr + done.stdout)


def test_nothing_is_warned_of_where_feedback_is_generated(course):
    assert "WARNING" not in course.results[1].stderr and "Warning" not in course.results[1].stderr


def test_whoever_is_graded_alone_is_not_mistaken_for_another(course):
    graded = course.root / "autograded" / "b" / course.chapter / f"{course.chapter}.ipynb"
    before = graded.stat().st_mtime_ns
    done = nbgrader(course, "autograde", "--student=[b]", "--force")
    assert done.returncode == 1 and "can't work with * ? [ or control characters" in done.stderr
    assert graded.stat().st_mtime_ns == before
    assert nbgrader(course, "autograde", "--student=[ab]*", "--force").returncode == 0
    assert graded.stat().st_mtime_ns > before


def test_a_notebook_may_have_a_pattern_for_a_name(generated, tmp_path):
    course, name = copied(generated, tmp_path), "part [1]*.ipynb"
    source = course.root / "source" / course.chapter
    (source / f"{course.chapter}.ipynb").rename(source / name)
    assert nbgrader(course, "generate_assignment", "--force").returncode == 0
    shutil.copy(course.root / "release" / course.chapter / name, course.folder("ann"))
    for arguments in (["autograde"], ["generate_feedback"], ["autograde", "--force"]):
        done = nbgrader(course, *arguments)
        assert done.returncode == 0, done.stderr
    assert (course.root / "feedback" / "ann" / course.chapter / "part [1]*.html").exists()
