"""What a batch finds in a folder: whose it is, which problem it answers, or why it can't be graded."""

import os
import re

import pytest
from handin import POOL, found, notebook, put

from classroom.batch.find import tasks
from practice.judging import catalogue
from practice.judging.submissions import MOST_OF_A_NOTEBOOK


@pytest.mark.parametrize(
    ("name", "student", "problem"),
    [
        ("127-bob.py", "bob", "127"),
        ("bob_127.py", "bob", "127"),
        ("bob lee-127-final.py", "bob lee final", "127"),
        ("127.py", "127", "127"),
        ("alice/127-block-pool-cow.py", "alice", "127"),
        ("alice/deep/er/123.py", "alice", "123"),
        ("赵一/123-block-pool.py", "赵一", "123"),
    ],
)
def test_the_name_says_whose_it_is_and_what_it_answers(tmp_path, name, student, problem):
    put(tmp_path, name)
    [(whose, _, number, note)] = found(tmp_path)
    assert (whose, number, note) == (student, problem, "")


@pytest.mark.parametrize("name", ["pool.py", "1270-x.py", "999-x.py", "v2127.py"])
def test_a_name_without_a_problem_is_told_what_to_do_and_graded_where_the_problem_is_given(tmp_path, name):
    put(tmp_path, name)
    [(_, _, number, note)] = found(tmp_path)
    assert number == "" and "--problem 127" in note
    [(_, _, number, note)] = found(tmp_path, only=catalogue.find("123"))
    assert (number, note) == ("123", "")


def test_of_a_course_folder_only_what_was_submitted(tmp_path):
    for step in ("source", "release", "submitted/ann", "autograded/ann", "feedback/ann"):
        put(tmp_path, f"{step}/ch3/ch3.ipynb", notebook(f"%%judge 123\n{POOL}"))
    assert found(tmp_path) == [("ann", "ch3", "123", "")]


def test_a_notebook_holds_any_number_of_answers(tmp_path):
    put(tmp_path, "cy.ipynb", notebook(f"%%judge 123\n{POOL}", "%%judge 124\ndef slot_mapping(): pass\n"))
    assert [row[2] for row in found(tmp_path)] == ["123", "124"]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"cells": 3}', '{"cells": [1, null, {"source": {}}]}'])
def test_a_notebook_that_is_none_has_a_row_with_the_reason(tmp_path, content):
    put(tmp_path, "cy.ipynb", content)
    [(student, _, number, note)] = found(tmp_path)
    assert (student, number) == ("cy", "") and note


def test_a_notebook_without_answers_has_a_row_with_the_reason(tmp_path):
    put(tmp_path, "cy.ipynb", notebook("x = 1\n"))
    assert found(tmp_path) == [("cy", "", "", "no cell of it answers a problem")]


def test_a_link_is_not_followed(tmp_path):
    secret = put(tmp_path, "../secret.py", "KEY = 1\n")
    (tmp_path / "127-eve.py").symlink_to(secret)
    (tmp_path / "eve").symlink_to(secret.parent)
    rows = list(tasks(tmp_path, "en"))
    assert [(task.path, task.student) for task in rows] == [("127-eve.py", "eve"), ("eve", "eve")]
    assert {(task.source, task.note) for task in rows} == {(None, "it is a link; hand in the file itself")}


def test_what_is_too_large_is_not_read_and_told_with_both_sizes(tmp_path):
    put(tmp_path, "127-a.py", "#" * ((1 << 20) + 1))
    with open(put(tmp_path, "b.ipynb", ""), "wb") as file:
        file.truncate(MOST_OF_A_NOTEBOOK + 1)
    assert [note for *_, note in found(tmp_path)] == [
        "it has 1,048,577 bytes; at most 1,048,576 are read",
        "it has 268,435,457 bytes; at most 268,435,456 are read",
    ]


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "127-a.py")
    assert [note for *_, note in found(tmp_path)] == ["it is not a regular file"]


def test_a_file_that_goes_while_the_batch_runs_has_a_row(tmp_path):
    put(tmp_path, "127-ann.py")
    put(tmp_path, "127-bob.py")
    rows = tasks(tmp_path, "en")
    next(rows)
    (tmp_path / "127-bob.py").unlink()
    assert [(task.path, task.source, task.note) for task in rows] == [
        ("127-bob.py", None, "it was there when the batch began, and is gone")
    ]


WORDS = re.compile(r"[A-Za-z]{3,}")
TERMS = {"ipynb", "xff", "problem", "UTF", "JSON", "list", "notebook", "txt", "zip"}  # names, and the option --problem


def test_reasons_speak_the_language_asked_for(tmp_path):
    for number, content in enumerate(["", "{", "[]", '{"cells": []}', "[" * 100_000, "9" * 5000]):
        put(tmp_path, f"nb{number}/a.ipynb", content)
    put(tmp_path, "nb6/a.ipynb", "").write_bytes(b"\xff")
    put(tmp_path, "nb7/a.ipynb", notebook(f"%%judge 123\n{catalogue.find('123').starter}", "%%judge 123\nx = 1\n"))
    for name in ("a.txt", "b.zip", "c.py", "d", "e/f.txt"):
        put(tmp_path, name)
    (tmp_path / "127-g.py").symlink_to("nowhere")
    notes = [task.note for task in tasks(tmp_path, "zh")]
    assert len(notes) == 14 and all(notes)
    assert {word for note in notes for word in WORDS.findall(note)} <= TERMS


def test_a_name_that_is_no_text_is_printable(tmp_path):
    (tmp_path / os.fsdecode(b"127-\xff.py")).write_text(POOL)
    [task] = tasks(tmp_path, "en")
    assert task.path == "127-\\udcff.py"
    task.path.encode()


def test_a_name_drives_no_terminal(tmp_path):
    (tmp_path / "127-\x1b[31mann\r\n.py").write_text(POOL)
    [task] = tasks(tmp_path, "en")
    assert task.path == "127-\\x1b[31mann\\x0d\\x0a.py" and task.student.isprintable()
