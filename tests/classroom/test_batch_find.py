"""What a batch finds in a folder: whose it is, which problem it answers, or why it can't be graded."""

import json
import os
from pathlib import Path

import pytest

from classroom.batch.find import MAX_NOTEBOOK_BYTES, tasks
from practice.judging import catalogue

POOL = "class BlockPool:\n    pass\n"


@pytest.fixture
def put(tmp_path):
    def write(name: str, content: str | dict = POOL) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return file

    return write


def found(folder: Path, **options) -> list[tuple]:
    return [(task.student, task.assignment, task.problem, task.note) for task in tasks(folder, "en", **options)]


def notebook(*cells: str) -> dict:
    made = [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": []} for cell in cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}


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
def test_the_name_says_whose_it_is_and_what_it_answers(put, tmp_path, name, student, problem):
    put(name)
    [(whose, _, number, note)] = found(tmp_path)
    assert (whose, number, note) == (student, problem, "")


@pytest.mark.parametrize("name", ["pool.py", "1270-x.py", "999-x.py", "v2127.py"])
def test_a_name_without_a_problem_is_told_what_to_do_and_graded_where_the_problem_is_given(put, tmp_path, name):
    put(name)
    [(_, _, number, note)] = found(tmp_path)
    assert number == "" and "--problem 127" in note
    [(_, _, number, note)] = found(tmp_path, only=catalogue.find("123"))
    assert (number, note) == ("123", "")


def test_of_a_course_folder_only_what_was_submitted(put, tmp_path):
    for step in ("source", "release", "submitted/ann", "autograded/ann", "feedback/ann"):
        put(f"{step}/ch3/ch3.ipynb", notebook(f"%%judge 123\n{POOL}"))
    assert found(tmp_path) == [("ann", "ch3", "123", "")]


def test_a_notebook_holds_any_number_of_answers(put, tmp_path):
    put("cy.ipynb", notebook(f"%%judge 123\n{POOL}", "%%judge 124\ndef slot_mapping(): pass\n"))
    assert [row[2] for row in found(tmp_path)] == ["123", "124"]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"cells": 3}', '{"cells": [1, null, {"source": {}}]}'])
def test_a_notebook_that_is_none_has_a_row_with_the_reason(put, tmp_path, content):
    put("cy.ipynb", content)
    [(student, _, number, note)] = found(tmp_path)
    assert (student, number) == ("cy", "") and note


def test_a_notebook_without_answers_has_a_row_with_the_reason(put, tmp_path):
    put("cy.ipynb", notebook("x = 1\n"))
    assert found(tmp_path) == [("cy", "", "", "no cell of it answers a problem")]


def test_a_link_is_not_followed(put, tmp_path):
    secret = put("../secret.py", "KEY = 1\n")
    (tmp_path / "127-eve.py").symlink_to(secret)
    (tmp_path / "eve").symlink_to(secret.parent)
    [task] = tasks(tmp_path, "en")
    assert task.source is None and task.note == "it is a link; hand in the file itself"


def test_what_is_too_large_is_not_read_and_told_with_both_sizes(put, tmp_path):
    put("127-a.py", "#" * ((1 << 20) + 1))
    with open(put("b.ipynb", ""), "wb") as file:
        file.truncate(MAX_NOTEBOOK_BYTES + 1)
    assert [note for *_, note in found(tmp_path)] == [
        "it has 1,048,577 bytes; at most 1,048,576 are read",
        "it has 33,554,433 bytes; at most 33,554,432 are read",
    ]


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "127-a.py")
    assert [note for *_, note in found(tmp_path)] == ["it is not a regular file"]


def test_hidden_files_and_caches_are_nobodys(put, tmp_path):
    for name in (".git/127.py", "ann/.ipynb_checkpoints/127.ipynb", "ann/__pycache__/127.py", "ann/.127.py"):
        put(name)
    put("ann/notes.txt")
    assert found(tmp_path) == []


def test_a_name_that_is_no_text_is_printable(tmp_path):
    (tmp_path / os.fsdecode(b"127-\xff.py")).write_text(POOL)
    [task] = tasks(tmp_path, "en")
    assert task.path == "127-\\udcff.py"
    task.path.encode()
