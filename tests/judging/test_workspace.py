"""The learner's file is written in one step and never lost."""

import os
import threading

import pytest

from practice.judging import workspace


@pytest.fixture(autouse=True)
def own_workspace(house, monkeypatch):
    monkeypatch.setattr(workspace, "WORKSPACE", house.workspace)


def names(house) -> list[str]:
    return sorted(os.listdir(house.workspace))


def test_an_answer_is_saved_under_number_and_slug(double, house):
    file = workspace.save(double, "# 行\nx = 1\n")
    assert file == house.workspace / "901-double.py"
    assert file.read_text(encoding="utf-8") == "# 行\nx = 1\n"
    assert names(house) == ["901-double.py"]
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_reader_sees_the_old_file_or_the_new_one(double):
    texts = {letter: letter * 200_000 for letter in "ab"}
    file = workspace.save(double, texts["a"])
    done = threading.Event()

    def write():
        for letter in "ba" * 40:
            workspace.save(double, texts[letter])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    while not done.is_set():
        seen.add(file.read_text())
    writer.join()
    assert seen <= set(texts.values())


@pytest.mark.parametrize("broken", ["os.replace", "os.chmod"])
def test_what_goes_wrong_half_way_leaves_the_old_file_and_no_rubbish(double, house, monkeypatch, broken):
    workspace.save(double, "old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(OSError, match="disk full"):
        workspace.save(double, "new")
    monkeypatch.undo()
    assert (house.workspace / "901-double.py").read_text() == "old"
    assert names(house) == ["901-double.py"]


def test_a_text_that_cannot_be_written_leaves_the_old_file_and_no_rubbish(double, house):
    workspace.save(double, "old")
    with pytest.raises(UnicodeEncodeError):
        workspace.save(double, "\ud800")
    assert names(house) == ["901-double.py"]
    assert (house.workspace / "901-double.py").read_text() == "old"


def test_start_tells_what_it_did(double, house):
    file = house.workspace / "901-double.py"
    assert workspace.start(double) == (file, None, True)
    file.write_text("work")
    assert workspace.start(double) == (file, None, False)
    again, backup, written = workspace.start(double, reset=True)
    assert (again, written, backup.read_text()) == (file, True, "work")
    assert file.read_text() == double.starter
