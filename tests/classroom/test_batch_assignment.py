"""In a course of nbgrader each problem of an assignment has a row of each student, be it answered or not."""

import pytest
from handin import POOL, found, notebook, put

from classroom.batch.find import tasks
from classroom.batch.handed_in import files
from classroom.batch.run import ungraded
from classroom.batch.store import begun
from classroom.batch.tables import Progress
from classroom.words import say
from practice.judging import catalogue

ASSIGNMENT = "ch3"
OPEN = say("en", "not_answered", assignment=ASSIGNMENT)


def original(*names: str) -> dict:
    """An assignment's notebook as nbgrader keeps it: cells with these names."""
    book = notebook(*names)
    for cell, name in zip(book["cells"], names, strict=True):
        cell["metadata"] = {"nbgrader": {"grade_id": name}}
    return book


@pytest.fixture(params=["source", "release"])
def course(tmp_path, request):
    put(tmp_path, f"{request.param}/{ASSIGNMENT}/a.ipynb", original("intro-03", "answer-123", "points-123"))
    put(tmp_path, f"{request.param}/{ASSIGNMENT}/b.ipynb", original("points-124", "points-136", "points-999"))
    return tmp_path


def rows(course, **options) -> dict[str, list[tuple[str, str]]]:
    """student -> (problem, note) of each row."""
    of: dict[str, list] = {}
    for student, _, problem, note in found(course, **options):
        of.setdefault(student, []).append((problem, note))
    return of


def test_what_nobody_answered_is_told_as_missing(course):
    answer = notebook(f"%%judge 123\n{POOL}")
    put(course, f"submitted/ann/{ASSIGNMENT}/a.ipynb", answer)
    put(course, f"submitted/bob/{ASSIGNMENT}/124.py")
    put(course, f"submitted/cy/{ASSIGNMENT}/notes.txt")
    put(course, f"submitted/di/{ASSIGNMENT}/a.ipynb", "{")
    put(course, f"submitted/ed/{ASSIGNMENT}/a.ipynb", notebook(f"%%judge 136b\n{POOL}", f"%%judge 124\n{POOL}"))
    put(course, f"submitted/ed/{ASSIGNMENT}/123.py")
    missing = {number: (number, OPEN) for number in ("123", "124", "136")}
    for folder in (course, course / "submitted"):
        of = rows(folder)
        assert sorted(of["ann"]) == [("123", ""), missing["124"], missing["136"]]
        assert sorted(of["bob"]) == [missing["123"], ("124", ""), missing["136"]]
        assert sorted(of["cy"]) == [("", "no .py and no .ipynb lies in it"), *missing.values()]
        assert [problem for problem, _ in sorted(of["di"])] == ["", *missing]
        assert sorted(of["ed"]) == [("123", ""), ("124", ""), ("136b", "")]


def test_where_one_problem_is_graded_only_that_is_missed(course):
    put(course, f"submitted/ann/{ASSIGNMENT}/notes.txt")
    assert [problem for problem, _ in rows(course, only=catalogue.find("124"))["ann"]] == ["", "124"]
    assert [problem for problem, _ in rows(course, only=catalogue.find("127"))["ann"]] == [""]


@pytest.mark.parametrize("folder", ["class/ann/ch3", "submitted/ann/ch4", "submitted/ann"])
def test_where_no_assignment_is_known_nothing_is_missed(course, folder):
    put(course, f"{folder}/123.py")
    assert rows(course / folder.split("/")[0]) == {"ann": [("123", "")]}


def test_it_is_told_in_the_language_asked_for(course):
    put(course, f"submitted/ann/{ASSIGNMENT}/123.py")
    assert {task.note for task in tasks(course, "zh")} == {"", say("zh", "not_answered", assignment=ASSIGNMENT)}


def test_the_bar_ends_where_the_rows_end(course):
    put(course, f"submitted/ann/{ASSIGNMENT}/123.py")
    put(course, f"submitted/cy/{ASSIGNMENT}/notes.txt")
    with Progress(len(list(files(course))), "en") as progress:
        for task in tasks(course, "en"):
            progress.settled(task)
    [bar] = progress._bar.tasks
    assert bar.completed == bar.total == 3 + 4


def test_what_is_missing_no_longer_has_no_row_after_the_next_whole_pass(course):
    put(course, f"submitted/ann/{ASSIGNMENT}/123.py")

    def left(only=None) -> list[str]:
        """The problems with a row after a pass."""
        with begun(course / "grades.sqlite3", {}, resume=True) as grades:
            found = list(tasks(course, "en", only))
            for task in found:
                grades.write(task, "", ungraded(task.note, "AC" if task.source else "—"))
            grades.drop_gone({(task.path, task.problem) for task in found}, whole=only is None)
            return [f"{problem} {verdict}" for problem, verdict in grades.rows(["problem", "verdict"])]

    assert left() == ["123 AC", "124 —", "136 —"]
    assert left(only=catalogue.find("123")) == ["123 AC", "124 —", "136 —"]
    put(course, f"submitted/ann/{ASSIGNMENT}/124.py")
    assert left() == ["123 AC", "124 AC", "136 —"]
