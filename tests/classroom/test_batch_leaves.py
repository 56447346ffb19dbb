"""A batch that is refused leaves nothing behind, one that was killed nothing for long."""

import os
import socket
import tempfile
from pathlib import Path

import pytest
from handin import lying

from classroom.batch import cluster, gradebook, store
from classroom.batch.find import Task
from classroom.batch.run import ungraded
from classroom.words import CannotGrade

ABOUT = {"folder": "/class", "seed": 0}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "grades.sqlite3"


@pytest.mark.parametrize("there", [False, True])
def test_a_batch_that_is_refused_after_it_began_leaves_only_what_was_there(file, there):
    if there:
        with store.begun(file, ABOUT, resume=False) as grades:
            grades.write(Task("ann", "", "127-ann.py", "127", b"x = 1\n"), "aa", ungraded("", "AC"))
    before = lying(file).keys()
    with pytest.raises(CannotGrade), store.begun(file, ABOUT, resume=True):
        raise CannotGrade("no_workers", address="tcp://nowhere", seconds=1)
    assert lying(file).keys() == before
    assert graded(file) == there


def graded(file) -> int:
    if not file.exists():
        return 0
    with store.stored(file) as grades:
        return grades.graded()


def sockets(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.fixture(params=[Path.mkdir, os.mkfifo, sockets, lambda path: path.symlink_to("/")])
def something_else(request):
    """What is no file, under a name that is short enough for a socket."""
    with tempfile.TemporaryDirectory() as folder:
        request.param(Path(folder, "grades.sqlite3"))
        yield Path(folder, "grades.sqlite3")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_no_file_in_the_place_of_grades_is_refused(something_else, lang):
    before = lying(something_else).keys()
    begun = [store.begun(something_else, ABOUT, resume) for resume in (False, True)]
    for use in (*begun, store.stored(something_else)):
        with pytest.raises(CannotGrade) as refusal, use:
            pass
        due = {"en": f"{something_else} is not a regular file", "zh": f"{something_else} 不是普通文件"}
        assert refusal.value.text(lang) == due[lang]
    with pytest.raises(CannotGrade, match="is not a regular file"):
        gradebook.check(something_else)
    assert lying(something_else).keys() == before


def test_a_lock_goes_with_the_batch_and_one_with_something_in_it_stays(file):
    lock = file.with_name("grades.sqlite3.lock")
    with store.begun(file, ABOUT, resume=False):
        assert lock.exists()
    assert not lock.exists()
    lock.write_text("mine")
    with store.begun(file, ABOUT, resume=False):
        pass
    assert lock.read_text() == "mine"


def test_a_lock_that_was_just_taken_away_is_none(file):
    """Whoever opened it before would hold a file that nobody else sees."""
    lock = file.with_name("grades.sqlite3.lock")

    def gone(handle, how):
        lock.unlink()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.fcntl, "flock", gone)
        with pytest.raises(CannotGrade, match="another process is writing"), store.begun(file, ABOUT, resume=False):
            pass


def test_what_a_killed_batch_left_behind_goes_with_the_next_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("judge-dask-left", "judge-dask-young"):
        (tmp_path / name / "worker").mkdir(parents=True)
    os.utime(tmp_path / "judge-dask-left", (0, 0))
    (tmp_path / "judge-dask-file").write_text("x")
    (tmp_path / "others").mkdir()
    stay = {"judge-dask-young", "judge-dask-file", "others"}
    with cluster.folder_of_ones_own() as first:
        os.utime(first, (0, 0))
        with cluster.folder_of_ones_own() as second:
            assert {path.name for path in tmp_path.iterdir()} == {*stay, Path(first).name, Path(second).name}
    assert {path.name for path in tmp_path.iterdir()} == stay
