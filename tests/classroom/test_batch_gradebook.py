"""Grades of a batch over nbgrader's tree stand in nbgrader's gradebook as if its own autograde had given them."""

import sqlite3

import pytest
from course import PARTIAL, SOLVED
from teacher import judge

from classroom.batch import store
from classroom.batch.find import Task
from classroom.batch.gradebook import export
from classroom.batch.run import ungraded
from classroom.words import CannotGrade

pytestmark = pytest.mark.slow

NOTEBOOK_GONE = "no .py and no .ipynb lies in it"


@pytest.mark.needs("bubblewrap")
def test_a_batch_gives_the_points_that_autograde_gives(course, tmp_path):
    course.hand_in("full", SOLVED)
    course.hand_in("partial", PARTIAL)
    course.hand_in("none")
    course.folder("empty")
    grades = tmp_path / "grades.sqlite3"
    done = judge("batch", course.root, "--out", grades, "--jobs", 1, "--scores-only")
    assert done.returncode == 0, done.stderr
    put = judge("gradebook", grades, course.root / "gradebook.db", "--lang", "en")
    assert (put.returncode, put.stderr) == (0, "")
    assert put.stdout.startswith("4 grades are in ")
    batch = {student: course.row(student)["points-127"] for student in ("full", "partial", "none", "empty")}
    assert batch == {"full": (10.0, False), "partial": (4.5, False), "none": (0.0, False), "empty": (0.0, False)}
    assert course.autograde()["success"]
    assert {student: course.row(student)["points-127"] for student in batch} == batch
    again = judge("gradebook", grades, course.root / "gradebook.db", "--lang", "en")
    assert again.stdout == put.stdout


@pytest.fixture
def grades(tmp_path):
    """Answers of which none has a place in the gradebook of the small course."""
    accepted = ungraded("", "AC") | {"score": 100, "max_score": 100}
    with store.begun(tmp_path / "grades.sqlite3", {}, resume=False) as made:
        made.write(Task("ann", "", "127-ann.py", "127", b"x = 1\n"), "a", accepted)
        made.write(Task("[b]", "91-no", "[b]/91-no/a.ipynb", "127", b"x = 1\n"), "b", accepted)
        made.write(Task("cy", "90-tiny", "cy/90-tiny/a.py", "123", b"x = 1\n"), "c", accepted)
        made.write(Task("di", "90-tiny", "di/90-tiny", "", None, NOTEBOOK_GONE), "d", ungraded(NOTEBOOK_GONE))
    return tmp_path / "grades.sqlite3"


def test_whose_grades_are_not_written_is_told_with_the_reason_and_nothing_changed(course, grades):
    database = course.root / "gradebook.db"
    put = judge("gradebook", grades, database, "--lang", "en")
    first, second, _, *lines = [line.rstrip() for line in put.stdout.splitlines()]
    assert (first, second) == (f"0 grades are in {database} now", "4 rows are not:")
    assert [line.split("  ")[0] for line in lines] == ["di", "ann", "[b]", "cy"]
    whys = [
        NOTEBOOK_GONE,
        "it lies in no folder of an assignment",
        "the gradebook has no assignment 91-no",
        "assignment 90-tiny has no cell points-123",
    ]
    assert all(line.endswith(why) for line, why in zip(lines, whys, strict=True)), lines
    with course.gradebook as book:
        assert book.students == []


def test_what_the_batch_said_is_quoted_where_another_language_is_spoken(course, grades):
    put = judge("gradebook", grades, course.root / "gradebook.db", "--lang", "zh")
    assert put.stdout.count(f"批量判题的说明：{NOTEBOOK_GONE}") == 1
    lines = [line.rstrip() for line in put.stdout.splitlines()]
    whys = ["不在作业的文件夹里", "成绩册里没有作业 91-no", "作业 90-tiny 里没有单元格 points-123"]
    assert all(line.endswith(why) for line, why in zip(lines[-3:], whys, strict=True)), lines


def contents(file) -> bytes | None:
    return file.read_bytes() if file.exists() else None


@pytest.mark.parametrize("what", ["nothing", "a text", "another database", "the grades"])
def test_what_is_no_gradebook_is_left_alone(grades, tmp_path, what):
    file = grades if what == "the grades" else tmp_path / "other.db"
    if what == "a text":
        file.write_text("student,score\n" * 100)
    if what == "another database":
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE assignment (x)")
    before = contents(file)
    put = judge("gradebook", grades, file, "--lang", "en")
    said = "does not exist" if what == "nothing" else "is no gradebook of nbgrader"
    assert (put.returncode, put.stderr) == (2, f"judge: {file} {said}\n")
    assert contents(file) == before


@pytest.mark.parametrize("lock", ["EXCLUSIVE", "IMMEDIATE"])
def test_a_gradebook_that_somebody_else_writes_to_is_one_line(course, grades, monkeypatch, lock):
    file = course.root / "gradebook.db"
    with store.begun(grades, {}, resume=True) as more:
        more.write(Task("ed", "90-tiny", "ed/90-tiny/a.py", "127", b"x = 1\n"), "e", ungraded("", "AC"))
    monkeypatch.setattr("classroom.batch.gradebook.WAIT_SECONDS", 0.1)
    with sqlite3.connect(file, isolation_level=None) as other, store.stored(grades) as found:
        other.execute(f"BEGIN {lock}")
        with pytest.raises(CannotGrade, match="can't be written: database is locked"):
            export(found, file, "en")
