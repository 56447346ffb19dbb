"""A whole batch on this machine: every submission graded once, whoever is killed meanwhile."""

import os
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import dask
import psutil
import pytest
import teacher

from classroom.batch import cluster, store
from classroom.batch.find import Task
from classroom.batch.tables import Progress
from classroom.words import say
from practice.judging import catalogue
from practice.judging.verdict import judge
from practice.judging.warm import Children

PROBLEM = catalogue.find("123")
DASHBOARD = 8787  # the port of a Dask scheduler's web pages


def command(folder: Path, *more: object) -> list[str]:
    return teacher.command("batch", folder, "--out", folder.parent / "grades.sqlite3", *more)


def batch(folder: Path, *more: object) -> subprocess.CompletedProcess:
    return subprocess.run(command(folder, *more), capture_output=True, encoding="utf-8", timeout=300)


def rows(folder: Path, *columns: str) -> list[tuple]:
    with store.stored(folder.parent / "grades.sqlite3") as grades:
        return list(grades.rows(list(columns)))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "class"
    made.mkdir()
    return made


@pytest.fixture
def bank(folder):
    """A submission for every wrong/ and right/ answer to 123; returns what a serial run makes of each."""
    due, children = {}, Children()
    try:
        for path in [*PROBLEM.bank("right"), *PROBLEM.bank("wrong")]:
            file = folder / f"123-{path.stem}.py"
            file.write_bytes(path.read_bytes())
            verdict = judge(PROBLEM, file.read_bytes(), shrink_seconds=0, diagnose_seconds=0, children=children)
            due[file.name] = (verdict.verdict, verdict.score)
    finally:
        children.close()
    return due


def graded(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            return database.execute("SELECT COUNT(*) FROM grade").fetchone()[0]
    except sqlite3.Error:
        return 0


def started(folder: Path, least: int) -> subprocess.Popen:
    """A batch with two processes that has graded at least that many, and not all."""
    process = subprocess.Popen(command(folder, "--scores-only", "--jobs", 2), stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while graded(folder.parent / "grades.sqlite3") < least:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    return process


def workers(process: subprocess.Popen) -> list[psutil.Process]:
    return [child for child in psutil.Process(process.pid).children() if "spawn_main" in " ".join(child.cmdline())]


def test_each_submission_has_a_row_and_what_can_not_be_graded_a_reason(folder):
    answers = {
        "123-ann.py": PROBLEM.reference(),
        "123-bob.py": PROBLEM.starter,
        "123-cy.py": "def (",
        "123-sig.py": "import signal\nsignal.raise_signal(signal.SIGINT)\n" + PROBLEM.reference(),
        "pool.py": "x = 1\n",
        "eve.ipynb": "no notebook",
    }
    for name, source in answers.items():
        (folder / name).write_text(source, encoding="utf-8")
    done = batch(folder, "--jobs", 1, "--csv", folder.parent / "grades.csv")
    assert done.returncode == 0, done.stderr
    assert "4 answers graded" in done.stdout and "2 can't be graded" in done.stdout
    assert " 6/6 " in done.stderr
    table = rows(folder, "path", "verdict", "score", "reason")
    found = {path: (verdict, score, bool(reason)) for path, verdict, score, reason in table}
    assert found == {
        "123-ann.py": ("AC", 100, False),
        "123-bob.py": ("RE", 0, True),
        "123-cy.py": ("CE", 0, True),
        "123-sig.py": ("RE", 0, True),
        "pool.py": ("—", 0, True),
        "eve.ipynb": ("—", 0, True),
    }
    assert len((folder.parent / "grades.csv").read_text(encoding="utf-8-sig").splitlines()) == 7

    again = batch(folder, "--jobs", 1)
    assert again.returncode == 2 and "holds 6 grades already" in again.stderr


def test_what_is_gone_has_no_row_after_the_next_pass(folder):
    for name in ("123-ann.py", "123-bob.py"):
        (folder / name).write_text(PROBLEM.reference(), encoding="utf-8")
    (folder / "cy.zip").write_bytes(b"PK")
    own = ["--csv", folder / "grades.csv", "--out", folder / "grades.sqlite3"]  # the last --out counts
    assert batch(folder, "--jobs", 1, "--scores-only", *own).returncode == 0
    (folder / "123-bob.py").rename(folder / "123-bo.py")
    (folder / "cy.zip").rename(folder / "cy")
    (folder / "ann.ipynb").mkdir()
    done = batch(folder, "--jobs", 1, "--scores-only", "--resume", *own)
    with store.stored(folder / "grades.sqlite3") as grades:
        paths = [path for (path,) in grades.rows(["path"])]
    assert paths == ["123-ann.py", "123-bo.py", "ann.ipynb", "cy"]
    told = ["1 answer graded", "1 had been graded before", "2 can't be graded", "2 rows were dropped"]
    assert " 4/4 " in done.stderr
    assert done.returncode == 0 and all(text in done.stdout for text in told), done.stdout


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_grade(folder, bank):
    process = started(folder, 3)
    workers(process)[0].send_signal(signal.SIGKILL)
    assert process.wait(300) == 0
    assert {path: (verdict, score) for path, verdict, score in rows(folder, "path", "verdict", "score")} == bank


@pytest.mark.slow
def test_a_batch_that_is_killed_goes_on_where_it_was(folder, bank):
    process = started(folder, 3)
    left = workers(process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(left, timeout=30)
    assert alive == []
    before = rows(folder, "path", "verdict", "score", "at")
    assert 3 <= len(before) < len(bank)
    done = batch(folder, "--scores-only", "--jobs", 2, "--resume")
    assert done.returncode == 0, done.stderr
    after = rows(folder, "path", "verdict", "score", "at")
    assert set(before) <= set(after)
    assert {path: (verdict, score) for path, verdict, score, _ in after} == bank
    assert f"{len(before)} had been graded before" in done.stdout


def importing(worker: psutil.Process) -> bool:
    """Whether Python is up in it, so that an interrupt would be told."""
    return worker.memory_info().rss > 16 << 20


def in_the_foreground() -> None:
    """What runs in a shell's background is started without Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("when", ["workers start", "grading"])
@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_batch_that_is_ended_says_how_to_go_on(folder, bank, when, ended_by):
    """Ctrl-C as a terminal sends it, to every process in the foreground: the workers must not complain."""
    file = folder.parent / "grades.sqlite3"
    process = subprocess.Popen(
        command(folder, "--scores-only", "--jobs", 2),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=in_the_foreground,
    )
    while not (graded(file) if when == "grading" else any(map(importing, workers(process)))):
        assert process.poll() is None
        time.sleep(0.02)
    if ended_by == signal.SIGINT:
        os.killpg(process.pid, ended_by)
    else:
        process.send_signal(ended_by)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + ended_by
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("grading ")]
    assert lines == [f"judge: {say('en', 'broken_off', count=graded(file), file=file)}"]
    assert "--resume goes on" in lines[0]
    assert (graded(file) > 0) == (when == "grading")


@pytest.mark.slow
def test_answers_can_be_graded_by_a_dask_cluster(folder, bank):
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster:
        done = batch(folder, "--scores-only", "--scheduler", cluster.scheduler_address)
    assert done.returncode == 0, done.stderr
    assert {path: (verdict, score) for path, verdict, score in rows(folder, "path", "verdict", "score")} == bank


@pytest.mark.slow
def test_another_batch_or_cluster_on_this_machine_is_nothing_to_warn_of(folder):
    (folder / "123-ann.py").write_text(PROBLEM.starter)
    with socket.socket() as others:
        with suppress(OSError):  # if it is taken already, so much the better
            others.bind(("127.0.0.1", DASHBOARD))
            others.listen()
        done = batch(folder, "--scores-only", "--jobs", 1)
    assert done.returncode == 0
    assert "Warning" not in done.stderr


@pytest.mark.slow
def test_nobody_else_on_this_machine_gives_work_to_a_batch():
    """A Dask scheduler runs what it is told, under the name of who started it."""
    from distributed import Client
    from distributed.security import Security

    with cluster.workers(1, None, print) as client:
        address = client.scheduler.address
        assert client.submit(int, "7").result() == 7
        for other, security in ((address, Security.temporary()), (address.replace("tls:", "tcp:"), None)):
            with pytest.raises(OSError, match=r"TLS|closed|Timed out"):
                Client(other, timeout=3, security=security)


@pytest.mark.slow
def test_no_process_of_a_batch_notes_what_each_second_brings():
    """An hour of that is more than a class of a thousand answers."""
    name = "distributed.worker.profile.enabled"
    with cluster.workers(1, None, print) as client:
        found = [*client.run(dask.config.get, name).values(), client.run_on_scheduler(dask.config.get, name)]
    assert found == [False, False]


def test_the_bar_counts_answers(folder):
    tasks = [Task("", "", path, number, b"") for path, number in [("a", "1"), ("a", "2"), ("b", ""), ("a", "3")]]
    with Progress(2, "en") as progress:
        for task in tasks:
            progress.settled(task)
    [bar] = progress._bar.tasks
    assert (bar.completed, bar.total) == (4, 4)
