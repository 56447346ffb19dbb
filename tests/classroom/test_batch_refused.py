"""A batch that can't be is refused in one line with exit status 2, before anything is done."""

import socket
import socketserver
import threading
from pathlib import Path

import pytest
import teacher
import typer

from classroom import commands
from classroom.batch import cluster
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
        (["--jobs", "0"], "the value of --jobs can't be used: Input should be greater than or equal to 1"),
        (["--out", "."], ". is not a regular file"),
        (["--out", ".."], ".. is not a regular file"),
        (["--out", "/"], "/ is not a regular file"),
        (["--out", ""], ". is not a regular file"),
        (["--out", ".", "--lang", "zh"], "judge: . 不是普通文件"),
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


@pytest.mark.parametrize("notes", [False, True])
@pytest.mark.parametrize(
    ("lang", "said"), [("en", "--pack is {!r}, which holds no pack: "), ("zh", "--pack 是 {!r}，里面不是私有测试包：")]
)
def test_a_folder_that_holds_no_pack_is_refused_before_anything_is_graded(folder, tmp_path, notes, lang, said):
    (folder / "123-ann.py").write_text("x = 1\n")
    (tmp_path / "pack").mkdir()
    if notes:
        (tmp_path / "pack" / "notes.txt").write_text("x")
    done = batch(folder, "--pack", tmp_path / "pack", "--lang", lang)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith(f"judge: {said.format(str(tmp_path / 'pack'))}")
    assert not (tmp_path / "grades.sqlite3").exists()


NOT_DASK = {"en": "what answers at {} is no Dask scheduler", "zh": "{} 有应答，但不是 Dask 调度器"}
GREETINGS = {
    "HTTP": b"HTTP/1.0 400 Bad Request\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "SMTP": b"220 mail ESMTP\r\n",
}


@pytest.mark.parametrize("lang", NOT_DASK)
@pytest.mark.parametrize("greeting", GREETINGS.values(), ids=GREETINGS)
def test_a_port_where_something_else_answers_is_said_to_be_so(lang, greeting):
    class Talks(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(greeting)
            self.request.recv(1000)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talks) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(CannotGrade) as refusal, cluster.workers(1, address, lambda *_, **__: None):
            pass
        server.shutdown()
    assert refusal.value.text(lang) == NOT_DASK[lang].format(address)


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
