"""Grades that are written down survive, and no batch mixes with another."""

import csv
import sqlite3
from pathlib import Path

import pytest
from handin import lying

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
    before = lying(file)
    with pytest.raises(CannotGrade) as caught, begin(file, **options):
        pass
    assert lying(file) == before
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
    assert refusal(file) == f"{file} holds 1 grade already; go on with --resume, or name another file with --out"


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


def drop_gone(file, rows: list[tuple[str, str]], seen: set[tuple[str, str]], whole: bool) -> list[tuple[str, str]]:
    """What is left of the rows of a batch that has `seen` this much."""
    with begin(file) as grades:
        for path, problem in rows:
            grades.write(Task("ann", "", path, problem, b"x = 1\n"), "aa", ACCEPTED)
        dropped = grades.drop_gone(seen, whole)
        left = list(grades.rows(["path", "problem"]))
    assert dropped == len(rows) - len(left)
    return left


@pytest.mark.parametrize("whole", [True, False])
def test_rows_of_files_that_are_gone_are_dropped(file, whole):
    rows = [("a/127.py", "127"), ("b/127.py", "127"), ("old.ipynb", "127"), ("old.zip", "")]
    assert drop_gone(file, rows, {("a/127.py", "127"), ("new.py", "")}, whole) == [("a/127.py", "127")]


def test_an_answer_that_its_notebook_has_no_longer_is_dropped(file):
    rows = [("a.IPYNB", "123"), ("a.IPYNB", "127"), ("b.ipynb", "")]
    seen = {("a.IPYNB", "127"), ("b.ipynb", "123")}
    assert drop_gone(file, rows, seen, whole=True) == [("a.IPYNB", "127")]


def test_a_pass_over_one_problem_drops_no_grade_of_another(file):
    rows = [("a.ipynb", "123"), ("b.py", "123"), ("b.py", "")]
    seen = {("a.ipynb", "127"), ("b.py", "127")}
    assert drop_gone(file, rows, seen, whole=False) == [("a.ipynb", "123"), ("b.py", "123")]


CELLS = {
    "=HYPERLINK(1)": "'=HYPERLINK(1)",
    "@x": "'@x",
    "+1": "'+1",
    "-1": "'-1",
    "＝1+1": "'＝1+1",
    "＋1": "'＋1",
    "－1": "'－1",
    "＠SUM(A1)": "'＠SUM(A1)",
    " =1": "' =1",
    "\u3000=1": "'\u3000=1",
    "\t=1": "'\ufffd=1",
    "\r=1": "'\ufffd=1",
    "\n=1": "'\n=1",
    "\x1b[31mred\x1b[0m": "\ufffd[31mred\ufffd[0m",
    "\x00\x7f\x9b=": "'\ufffd\ufffd\ufffd=",
    "赵, 一": "赵, 一",
    "a = 1 - 1": "a = 1 - 1",
    "two\nlines": "two\nlines",
}


def test_a_students_words_are_no_formula_in_a_spreadsheet_and_no_code(tmp_path):
    spreadsheet.write(tmp_path / "a.csv", ["who", "score"], [(text, -3) for text in CELLS])
    with open(tmp_path / "a.csv", encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["who", "score"], *([text, "-3"] for text in CELLS.values())]


@pytest.mark.parametrize("link", ["the same name", "another way", "symlink", "hard link", "beside", "a link's target"])
@pytest.mark.parametrize("there", [True, False])
def test_no_table_is_written_over_grades(file, monkeypatch, link, there):
    monkeypatch.chdir(file.parent)
    wanted = Path("table.csv")
    if there:
        file.write_bytes(b"grades")
    if link == "hard link":
        file.write_bytes(b"grades")
        wanted.hardlink_to(file)
    elif link == "symlink":
        wanted.symlink_to(file)
    elif link == "a link's target":
        file.with_name("real").write_bytes(b"grades")
        file.unlink(missing_ok=True)
        file.symlink_to("real")
        wanted = Path("real")
    else:
        ways = {"the same name": file, "another way": Path(file.parent.name, "..", "..", file.parent.name, file.name)}
        wanted = ways.get(link, file.with_name(file.name + "-wal"))
        Path(file.parent.name).mkdir()
    before = sorted(file.parent.iterdir())
    with pytest.raises(CannotGrade, match="would overwrite"):
        spreadsheet.check(wanted, store.files(file))
    assert sorted(file.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "why"),
    [("no/table.csv", "No such file"), ("folder", "Is a directory"), ("x" * 300, "too long"), ("file/t.csv", "")],
)
def test_a_table_that_can_not_be_written_is_refused_and_nothing_left_behind(tmp_path, name, why):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(CannotGrade, match="can't be written: .*" + why):
        spreadsheet.check(tmp_path / name, [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("content", [None, "student,score\n"])
def test_a_table_that_can_be_written_is_as_it_was_until_then(tmp_path, content):
    table = tmp_path / "table.csv"
    if content:
        table.write_text(content)
    spreadsheet.check(table, [tmp_path / "grades.sqlite3"])
    assert (table.read_text() if table.exists() else None) == content
