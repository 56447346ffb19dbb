"""Grades that are written down survive, and no batch mixes with another."""

import csv
import sqlite3

import pytest

from classroom.batch import spreadsheet, store
from classroom.batch.find import Task
from classroom.batch.run import ungraded
from classroom.words import CannotGrade

ABOUT = {"folder": "/class", "seed": 0}
TASK = Task("ann", "", "127-ann.py", "127", b"x = 1\n", "a note")
ACCEPTED = ungraded("", "AC") | {"score": 100, "max_score": 100}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "grades.sqlite3"


def begin(file, resume=False, **about):
    return store.begun(file, ABOUT | about, resume)


def refusal(file, **options) -> str:
    before = file.read_bytes()
    with pytest.raises(CannotGrade) as caught, begin(file, **options):
        pass
    assert file.read_bytes() == before
    return str(caught.value)


def test_what_was_written_is_there_when_the_batch_goes_on(file):
    with begin(file) as grades:
        grades.write(TASK, "aa", ACCEPTED)
    with begin(file, resume=True) as grades:
        assert grades.done() == {("127-ann.py", "127"): "aa"}
    with store.stored(file) as grades:
        assert list(grades.rows(["student", "verdict", "score", "note", "source"])) == [
            ("ann", "AC", 100, "a note", b"x = 1\n")
        ]


@pytest.mark.parametrize("verdict", ["IE", "SKIPPED"])
def test_what_was_not_judged_is_tried_again(file, verdict):
    with begin(file) as grades:
        grades.write(TASK, "aa", ungraded("why", verdict))
        assert grades.done() == {}


def test_a_later_version_of_a_file_takes_the_place_of_the_earlier(file):
    with begin(file) as grades:
        grades.write(TASK, "aa", ACCEPTED)
        grades.write(TASK, "bb", ungraded("", "WA"))
        assert list(grades.rows(["verdict", "sha256"])) == [("WA", "bb")]


def test_grades_are_never_overwritten_unasked(file):
    with begin(file) as grades:
        grades.write(TASK, "aa", ACCEPTED)
    assert refusal(file) == f"{file} holds 1 grades already; go on with --resume, or name another file with --out"


def test_a_batch_that_has_graded_nothing_may_begin_again(file):
    for _ in range(2):
        with begin(file):
            pass


def test_a_batch_does_not_go_on_under_other_conditions(file):
    with begin(file) as grades:
        grades.write(TASK, "aa", ACCEPTED)
    assert refusal(file, resume=True, seed=7) == f"{file} was begun with another seed, 0; now it is 7"


def test_two_batches_do_not_write_to_one_file(file):
    with begin(file):
        assert refusal(file, resume=True) == f"another process is writing to {file}"


def test_a_database_of_something_else_is_left_alone(file):
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE grade (x)")
    assert refusal(file, resume=True) == f"{file} holds something else than grades of this version of the course"


def test_a_file_that_is_no_database_is_left_alone(file):
    file.write_text("student,score\n" * 100)
    assert "not a database" in refusal(file, resume=True)
    with pytest.raises(CannotGrade, match="something else than grades"), store.stored(file):
        pass


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CannotGrade, match="can't be written: No such file"), begin(tmp_path / "no" / "grades.sqlite3"):
        pass


def test_grades_that_are_not_there_are_said_and_not_made(file):
    with pytest.raises(CannotGrade, match="does not exist"), store.stored(file):
        pass
    assert not file.exists()


def test_a_students_words_are_no_formula_in_a_spreadsheet(tmp_path):
    spreadsheet.write(tmp_path / "a.csv", ["who", "score"], [("=HYPERLINK(1)", -3), ("@x", 1), ("赵, 一", 2)])
    with open(tmp_path / "a.csv", encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["who", "score"], ["'=HYPERLINK(1)", "-3"], ["'@x", "1"], ["赵, 一", "2"]]
