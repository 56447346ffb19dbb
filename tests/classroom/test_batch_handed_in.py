"""Whatever was handed in has a row; what systems leave behind and what the batch writes has none."""

import os
import subprocess
from pathlib import Path

import pytest
from handin import POOL, found, notebook, put

from classroom.batch.find import tasks
from classroom.batch.handed_in import NOBODYS
from practice.judging import catalogue

LEFT_BEHIND = [
    ".git/127.py",
    ".DS_Store",
    "__MACOSX/ann/._127.py",
    "__MACOSX/127.py",
    "__pycache__/127.py",
    "Thumbs.db",
]


@pytest.mark.parametrize("name", [*LEFT_BEHIND, "timestamp.txt", ".ipynb_checkpoints/127.ipynb", ".127.py"])
def test_what_systems_leave_behind_is_nobodys(tmp_path, name):
    for folder in ("", "ann/", "ann/work/"):
        put(tmp_path, folder + name)
    put(tmp_path, "ann/127.py")
    assert found(tmp_path) == [("ann", "", "127", "")]


KINDS = {
    "127-ann.zip": "it is an archive, .zip: unpack it",
    "127-ann.tar.GZ": "it is an archive, .gz: unpack it",
    "127-ann.txt": "it is a .txt; only .py and .ipynb are graded",
    "127-ann.py.txt": "it is a .txt; only .py and .ipynb are graded",
    "127-ann.docx": "it is a .docx; only .py and .ipynb are graded",
    "ann": "its name does not end in .py or .ipynb; nothing else is graded",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_another_kind_has_a_row_that_says_what_to_do(tmp_path, name):
    put(tmp_path, name)
    [task] = tasks(tmp_path, "en")
    assert (task.path, task.source, task.note) == (name, None, KINDS[name])
    assert task.student.startswith("ann")


@pytest.mark.parametrize("name", ["127-ann.PY", "127-ann.Py"])
def test_an_end_in_capitals_is_the_same_end(tmp_path, name):
    put(tmp_path, name)
    assert found(tmp_path) == [("ann", "", "127", "")]


def test_a_notebook_with_its_end_in_capitals_is_read(tmp_path):
    put(tmp_path, "cy.IPYNB", notebook(f"%%judge 123\n{POOL}"))
    assert found(tmp_path) == [("cy", "", "123", "")]


@pytest.mark.parametrize("inside", ["", "notes.txt", "a/b/c/picture.png", "__pycache__/127.py", ".127.py"])
def test_a_folder_without_answers_has_a_row(tmp_path, inside):
    (tmp_path / "j.doe" / "empty").mkdir(parents=True)
    if inside:
        put(tmp_path, f"j.doe/{inside}")
    assert found(tmp_path) == [("j.doe", "", "", "no .py and no .ipynb lies in it")]


def test_of_a_folder_with_answers_archives_and_links_have_rows_and_other_files_none(tmp_path):
    for name in ("ann/127.py", "ann/notes.txt", "ann/data/x.csv", "ann/data/rest.zip"):
        put(tmp_path, name)
    (tmp_path / "ann" / "data" / "123.py").symlink_to(tmp_path / "ann" / "127.py")
    assert [task.path for task in tasks(tmp_path, "en")] == ["ann/127.py", "ann/data/123.py", "ann/data/rest.zip"]


@pytest.mark.parametrize("folder", ["", "submitted"])
def test_in_nbgraders_tree_each_assignment_of_each_student_has_a_row(tmp_path, folder):
    put(tmp_path, "submitted/ann/ch3/ch3.ipynb", notebook(f"%%judge 123\n{POOL}"))
    put(tmp_path, "submitted/ann/ch5/timestamp.txt")
    put(tmp_path, "submitted/bob/ch3/notes.txt")
    (tmp_path / "submitted" / "cy").mkdir()
    nothing = "no .py and no .ipynb lies in it"
    assert found(tmp_path / folder) == [
        ("ann", "ch3", "123", ""),
        ("ann", "ch5", "", nothing),
        ("bob", "ch3", "", nothing),
        ("cy", "", "", nothing),
    ]


def test_what_the_batch_writes_itself_is_nobodys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("127-ann.py", "grades.sqlite3", "grades.csv", "ann/grades.csv"):
        put(tmp_path, name)
    own = [Path("grades.sqlite3"), tmp_path / "x" / ".." / "grades.csv"]
    Path("x").mkdir()
    for folder in (tmp_path, Path()):
        assert [task.path for task in tasks(folder, "en", but=own)] == ["127-ann.py", "ann", "x"]


def test_a_folder_that_is_nested_deeper_than_python_recurses_is_read(tmp_path):
    deep = tmp_path / "ann" / "/".join("d" * 1500)
    subprocess.run(["mkdir", "-p", deep], check=True)
    try:
        (deep / "127.py").write_text(POOL)
        assert found(tmp_path) == [("ann", "d", "127", "")]
    finally:
        subprocess.run(["rm", "-r", tmp_path / "ann"], check=True)


def test_a_folder_that_can_not_be_read_has_a_row(tmp_path, monkeypatch):
    put(tmp_path, "ann/closed/127.py")
    put(tmp_path, "bob/127.py")
    listed = os.listdir

    def listdir(folder):
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(os, "listdir", listdir)
    note = "it can't be read: you have no permission"
    assert found(tmp_path) == [("ann", "closed", "", note), ("bob", "", "127", "")]


@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
@pytest.mark.parametrize("name", NOBODYS)
def test_the_readme_names_what_is_nobodys(page, name):
    assert f"`{name}`" in (catalogue.ROOT / "classroom" / page).read_text(encoding="utf-8").lower()
