"""Grades of a batch over nbgrader's tree stand in nbgrader's gradebook as if its own autograde had given them."""

import pytest
from course import PARTIAL, SOLVED
from teacher import judge


@pytest.mark.needs("bubblewrap")
def test_a_batch_gives_the_points_that_autograde_gives(course, tmp_path):
    course.hand_in("full", SOLVED)
    course.hand_in("partial", PARTIAL)
    course.hand_in("none")
    grades = tmp_path / "grades.sqlite3"
    done = judge("batch", course.root, "--out", grades, "--jobs", 1, "--scores-only")
    assert done.returncode == 0, done.stderr
    put = judge("gradebook", grades, course.root / "gradebook.db", "--lang", "en")
    assert (put.returncode, put.stderr) == (0, "")
    assert put.stdout.startswith("3 grades are in ")
    batch = {student: course.row(student)["points-127"] for student in ("full", "partial", "none")}
    assert batch == {"full": (10.0, False), "partial": (4.5, False), "none": (0.0, False)}
    assert course.autograde()["success"]
    assert {student: course.row(student)["points-127"] for student in batch} == batch
    again = judge("gradebook", grades, course.root / "gradebook.db", "--lang", "en")
    assert again.stdout == put.stdout


@pytest.mark.needs("bubblewrap")
def test_what_belongs_to_no_assignment_is_counted_and_changes_nothing(course, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "127-ann.py").write_text("x = 1\n")
    grades, database = tmp_path / "grades.sqlite3", course.root / "gradebook.db"
    assert judge("batch", folder, "--out", grades, "--jobs", 1).returncode == 0
    put = judge("gradebook", grades, database, "--lang", "en")
    assert put.stdout.splitlines()[0] == f"0 grades are in {database} now"
    assert put.stdout.splitlines()[1].startswith("1 are not: ")
    with course.gradebook as book:
        assert book.students == []


def test_a_gradebook_that_is_not_there_is_not_made(course, tmp_path):
    from classroom.batch import store

    with store.begun(tmp_path / "grades.sqlite3", {}, resume=False):
        pass
    put = judge("gradebook", tmp_path / "grades.sqlite3", tmp_path / "no.db", "--lang", "en")
    assert (put.returncode, put.stderr) == (2, f"judge: {tmp_path / 'no.db'} does not exist\n")
    assert not (tmp_path / "no.db").exists()
