"""A batch that can't be is refused in one line with exit status 2, before anything is done."""

import socket
from pathlib import Path

import pytest
import teacher
import typer

from classroom import commands
from classroom.words import CannotGrade, say


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "class"
    made.mkdir()
    return made


def batch(folder: Path, *more: object):
    return teacher.judge("batch", folder, "--out", folder.parent / "grades.sqlite3", *more)


def test_a_scheduler_without_workers_is_waited_for_in_so_many_words(monkeypatch):
    from distributed import LocalCluster

    from classroom.batch import cluster

    monkeypatch.setattr(cluster, "WORKER_SECONDS", 0.1)
    told = []
    with LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as dask:
        address = dask.scheduler_address
        with (
            pytest.raises(CannotGrade, match=r"has no worker after 0\.1 seconds"),
            cluster.workers(1, address, lambda *key, **values: told.append(say("en", *key, **values))),
        ):
            pass
    assert told == [f"no worker at {address} yet; waiting 0.1 seconds for one, then nothing is graded"]


@pytest.mark.parametrize(
    ("csv", "said"),
    [
        ("grades.sqlite3", "would overwrite"),
        ("grades.sqlite3-wal", "would overwrite"),
        ("class/123-ann.py", "would overwrite"),
        ("class/../class/123-ann.py", "would overwrite"),
        ("link.csv", "would overwrite"),
        ("no/table.csv", "can't be written"),
        ("class", "can't be written"),
    ],
)
@pytest.mark.parametrize("resume", [False, True])
def test_a_table_that_can_not_be_is_refused_before_anything_is_done(folder, csv, said, resume):
    (folder / "123-ann.py").write_text("x = 1\n")
    (folder.parent / "link.csv").symlink_to(folder / "123-ann.py")
    if resume:
        (folder.parent / "grades.sqlite3").write_bytes(b"grades")
    before = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()}
    done = batch(folder, "--csv", folder.parent / csv, *["--resume"] * resume)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1) and said in done.stderr, done.stderr
    assert {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()} == before


def test_no_flag_of_any_command_looks_as_if_it_took_a_value():
    for name, of in typer.main.get_command(commands.app).commands.items():
        context = typer.Context(of)
        flags = [option for option in of.params if getattr(option, "is_flag", False)]
        assert [(name, flag.name) for flag in flags if flag.display_type_rich(context)] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "no Dask scheduler answers at tcp://127.0.0.1:1"),
        (["--scheduler", ""], "no Dask scheduler answers at "),
        (["--scheduler", "nonsense://x"], "no Dask scheduler answers at nonsense://x"),
        (["--jobs", "0"], "greater than or equal to 1"),
        (["--problem", "999"], "there is no problem 999"),
    ],
)
def test_what_can_not_be_done_is_one_line_and_exit_2(folder, options, said):
    (folder / "123-ann.py").write_text("x = 1\n")
    done = batch(folder, *options)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr
    assert [path.name for path in folder.parent.iterdir()] == ["class"]


def test_a_folder_without_submissions_is_one_line_and_exit_2(folder):
    done = batch(folder)
    assert (done.returncode, done.stderr) == (2, f"judge: {folder} holds no .py and no .ipynb\n")
    done = batch(folder / "no")
    assert (done.returncode, done.stderr) == (2, f"judge: {folder / 'no'} is no folder\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise SystemExit('nobody may read this')", "123-more/tests.py:1: RuntimeError"),
        ("\nGROUPS = [", "123-more/tests.py:2: SyntaxError"),
        ("groups = []", "AttributeError"),
    ],
)
def test_a_pack_whose_tests_can_not_be_loaded_is_refused_before_anything_is_graded(tmp_path, text, why):
    folder, pack, out = tmp_path / "class", tmp_path / "pack", tmp_path / "grades.sqlite3"
    (pack / "123-more").mkdir(parents=True)
    (pack / "123-more" / "tests.py").write_text(text)
    folder.mkdir()
    (folder / "123-ann.py").write_text("x = 1\n")
    done = teacher.judge("batch", folder, "--out", out, "--pack", pack)
    assert done.returncode == 2
    assert (done.stdout, done.stderr) == ("", f"judge: the tests in the pack's 123-more can't be used: {why}\n")
    assert not out.exists()


SILENT = {
    "en": "no Dask scheduler answers at {}: no answer within 10 s",
    "zh": "{} 没有 Dask 调度器应答：10 秒内没有回应",
}


@pytest.mark.slow
@pytest.mark.parametrize("lang", SILENT)
def test_a_port_that_takes_connections_and_says_nothing_is_no_scheduler(folder, lang):
    (folder / "123-ann.py").write_text("x = 1\n")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        done = batch(folder, "--scheduler", address, "--lang", lang)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"judge: {SILENT[lang].format(address)}\n"
