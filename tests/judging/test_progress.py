"""Progress survives: processes that write at once, one that is killed, and a home for it on every platform."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from practice.judging import catalogue, progress

WRITER = """
import sys, time
from types import SimpleNamespace
from practice.judging import progress

start, rows = float(sys.argv[1]), int(sys.argv[2])
verdict = SimpleNamespace(
    problem=SimpleNamespace(number=127), verdict="WA", score=10, max_score=100, sha256="0" * 64, seconds=0.5
)
time.sleep(max(0.0, start - time.time()))
for number in range(rows):
    progress.record(verdict)
    print(number, flush=True)
"""


def verdict(number=127, result="WA"):
    problem = SimpleNamespace(number=number)
    return SimpleNamespace(problem=problem, verdict=result, score=0, max_score=100, sha256="0" * 64, seconds=0.1)


def writer(rows: int, delay: float = 0.0) -> subprocess.Popen:
    """A process that records `rows` verdicts and prints a line after each, from `delay` seconds on."""
    command = [sys.executable, "-c", WRITER, str(time.time() + delay), str(rows)]
    return subprocess.Popen(command, cwd=catalogue.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows() -> int:
    with sqlite3.connect(progress.file()) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("SELECT COUNT(*) FROM attempt").fetchone()[0]


def test_states_follow_the_best_verdict():
    assert progress.states() == {}
    for result in ("WA", "AC", "WA"):
        progress.record(verdict(127, result))
    progress.record(verdict(121, "RE"))
    assert progress.states() == {127: "solved", 121: "tried"}


def test_levels_go_up_one_by_one_to_the_last():
    assert [progress.open_next(127, "hint", 3) for _ in range(5)] == [1, 2, 3, 3, 3]
    assert progress.open_next(121, "hint", 3) == 1
    assert progress.open_next(127, "solution", 1) == 1


def test_an_attempt_is_kept_with_all_that_is_known_of_it():
    progress.record(verdict(127, "AC"))
    with sqlite3.connect(progress.file()) as database:
        row = database.execute("SELECT problem, verdict, score, max_score, sha256, seconds FROM attempt").fetchone()
        [at] = database.execute("SELECT at FROM attempt").fetchone()
    assert row == (127, "AC", 0, 100, "0" * 64, 0.1)
    assert time.time() - 3600 < at <= time.time()


def test_processes_that_write_at_once_lose_nothing():
    """From the very first moment, when the file is not there yet."""
    writers = [writer(25, delay=1.0) for _ in range(4)]
    for process in writers:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    assert rows() == 100


def test_a_killed_process_keeps_what_was_recorded():
    kept = 0
    for patience in (0.0, 0.01, 0.03):
        process = writer(100_000)
        process.stdout.readline()
        time.sleep(patience)
        process.send_signal(signal.SIGKILL)
        said = process.stdout.read().split()
        process.wait(), process.stdout.close(), process.stderr.close()
        assert rows() - kept >= 1 + len(said[:-1])  # the last line may be torn
        kept = rows()
        progress.record(verdict())
        kept += 1
    assert rows() == kept


def test_a_later_schema_is_refused_with_a_clear_line():
    progress.states()
    with sqlite3.connect(progress.file()) as database:
        database.execute(f"PRAGMA user_version = {progress.SCHEMA_VERSION + 1}")
    for use in (progress.states, lambda: progress.record(verdict()), lambda: progress.open_next(1, "hint", 3)):
        with pytest.raises(progress.Unavailable, match=r"later version of the course \(schema 2\)") as error:
            use()
        assert "\n" not in str(error.value)


def test_progress_lives_where_the_platform_keeps_data(monkeypatch, tmp_path):
    monkeypatch.delenv("JUDGE_DATA")
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
        assert progress.file() == tmp_path / "xdg" / "paged-kv-cache-course" / "progress.sqlite3"
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path / "mine"))
    assert progress.file() == tmp_path / "mine" / "progress.sqlite3"


def test_a_folder_that_is_not_there_yet_is_made(monkeypatch, tmp_path):
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path / "a" / "b"))
    progress.record(verdict())
    assert Path(os.environ["JUDGE_DATA"], "progress.sqlite3").is_file()
