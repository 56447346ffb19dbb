"""What the learner has solved so far: one SQLite file in the user's data folder, keyed by the problem's stable number.

A problem and the one that stands in for it, 136 and 136b, are one: an accepted answer to either has solved both. Each
keeps its own attempts and hints.

Nothing here may stand in the way of a verdict: callers catch `Unavailable` and say so in one line.
"""

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path

from practice.judging.catalogue import counts_as

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY, problem INTEGER NOT NULL, verdict TEXT NOT NULL, score INTEGER NOT NULL,
    max_score INTEGER NOT NULL, sha256 TEXT NOT NULL, seconds REAL NOT NULL, at REAL NOT NULL
);
CREATE TABLE opened (problem INTEGER NOT NULL, what TEXT NOT NULL, level INTEGER NOT NULL, at REAL NOT NULL);
CREATE INDEX attempt_problem ON attempt (problem);
"""


class Unavailable(RuntimeError):
    """Progress can't be read or written; the text says why."""


def file() -> Path:
    """Where progress lives: JUDGE_DATA, else the platform's data folder for this user (XDG_DATA_HOME on Linux)."""
    if os.environ.get("JUDGE_DATA"):
        return Path(os.environ["JUDGE_DATA"], "progress.sqlite3")
    from platformdirs import user_data_path

    return user_data_path("paged-kv-cache-course", appauthor=False) / "progress.sqlite3"


@contextmanager
def _database():
    path = None
    try:
        path = file()
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=5.0, isolation_level=None)) as database:
            _migrate(database, path)
            database.execute("PRAGMA journal_mode = WAL")
            yield database
    except (sqlite3.Error, OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{path}: {error}" if path else str(error)) from error


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    [version] = database.execute("PRAGMA user_version").fetchone()
    if version == SCHEMA_VERSION:
        return
    if version > SCHEMA_VERSION:
        raise Unavailable(f"{path} was written by a later version of the course (schema {version})")
    database.execute("BEGIN IMMEDIATE")
    if database.execute("PRAGMA user_version").fetchone() == (0,):  # nobody else was quicker
        for statement in SCHEMA.split(";"):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def record(verdict) -> None:
    """Note a verdict on a learner's answer."""
    row = (verdict.problem.number, verdict.verdict, verdict.score, verdict.max_score, verdict.sha256, verdict.seconds)
    columns = "problem, verdict, score, max_score, sha256, seconds, at"
    with _database() as database:
        database.execute(f"INSERT INTO attempt ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, time.time()))


def states() -> dict[int, str]:
    """ "solved" or "tried" for every problem with an attempt, by the number under which it counts."""
    with _database() as database:
        found: dict[int, str] = {}
        for problem, solved in database.execute("SELECT problem, MAX(verdict = 'AC') FROM attempt GROUP BY problem"):
            number = counts_as(problem)
            found[number] = "solved" if solved or found.get(number) == "solved" else "tried"
        return found


def accepted(problem: int | str, sha256: str) -> bool:
    """Whether exactly this answer has been accepted."""
    query = "SELECT COUNT(*) FROM attempt WHERE problem = ? AND sha256 = ? AND verdict = 'AC'"
    with _database() as database:
        return database.execute(query, (problem, sha256)).fetchone() != (0,)


def summary() -> dict[int | str, dict]:
    """For every problem with an attempt: attempts, best score in percent, and when it was last tried."""
    query = "SELECT problem, COUNT(*), MAX(100 * score / MAX(max_score, 1)), MAX(at) FROM attempt GROUP BY problem"
    with _database() as database:
        return {
            problem: {"attempts": attempts, "best": best, "last": last}
            for problem, attempts, best, last in database.execute(query)
        }


def open_next(problem: int | str, what: str, most: int) -> int:
    """Note that one more level of `what` ("hint", "solution") is opened; returns the level, 1 to `most`."""
    with _database() as database:
        database.execute("BEGIN IMMEDIATE")
        query = "SELECT COALESCE(MAX(level), 0) FROM opened WHERE problem = ? AND what = ?"
        [level] = database.execute(query, (problem, what)).fetchone()
        level = min(level + 1, most)
        database.execute("INSERT INTO opened VALUES (?, ?, ?, ?)", (problem, what, level, time.time()))
        database.execute("COMMIT")
        return level
