"""Grades in one SQLite file, written as they come, so that a crash loses none."""

import contextlib
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from classroom.batch.find import Task
from classroom.batch.handed_in import NOTEBOOK
from classroom.words import CannotGrade

UNGRADED = "—"  # the verdict where there was nothing to judge
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE grade (
    path TEXT NOT NULL, problem TEXT NOT NULL, student TEXT NOT NULL, assignment TEXT NOT NULL,
    sha256 TEXT NOT NULL, verdict TEXT NOT NULL, score INTEGER NOT NULL, max_score INTEGER NOT NULL,
    reason TEXT NOT NULL, note TEXT NOT NULL, sandbox TEXT NOT NULL, seconds REAL NOT NULL,
    card TEXT NOT NULL, details TEXT NOT NULL,
    source BLOB NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (path, problem)
);
"""
BESIDE = (".lock", "-wal", "-shm", "-journal")  # what lies beside a file of grades, for a while or to stay
IN_CSV = ["student", "assignment", "path", "problem", "verdict", "score", "max_score", "reason", "note"]
COLUMNS = [*IN_CSV, "sandbox", "seconds", "sha256", "card", "details", "source", "at"]


class Store:
    """The grades of one folder; see `begun` and `stored`."""

    def __init__(self, database: sqlite3.Connection):
        self._database = database

    def done(self) -> dict[tuple[str, str], str]:
        """{(path, problem): sha256 of what was graded}; what the judge failed on or skipped is not among it."""
        query = "SELECT path, problem, sha256 FROM grade WHERE verdict NOT IN ('IE', 'SKIPPED')"
        rows = self._database.execute(query)
        return {(path, problem): sha256 for path, problem, sha256 in rows}

    def write(self, task: Task, sha256: str, row: dict) -> None:
        """Write a grade down. It takes the place of one for an earlier version of the same file."""
        known = {name: getattr(task, name) for name in ("student", "assignment", "path", "problem")}
        values = known | row | {"sha256": sha256, "at": time.time(), "source": task.source or b""}
        values["note"] = task.note if task.source is not None else ""  # else it is the reason
        columns, marks = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
        row = [values[name] for name in COLUMNS]
        self._database.execute(f"INSERT OR REPLACE INTO grade ({columns}) VALUES ({marks})", row)

    def drop_gone(self, seen: set[tuple[str, str]], whole: bool) -> int:
        """Drop the rows of files that are gone, and return how many there were. seen: every (path, problem) there is.

        Of a file that is there, what said why there is no answer goes as well, and if `seen` is the whole of the
        folder, not one problem's, answers that its notebook has no longer, and what was missing and is so no longer.
        """
        paths = {path for path, _ in seen}

        def gone(path: str, problem: str, verdict: str) -> bool:
            may_go = path.lower().endswith(NOTEBOOK) or verdict == UNGRADED
            return (path, problem) not in seen and (path not in paths or not problem or (whole and may_go))

        rows = [row[:2] for row in self.rows(["path", "problem", "verdict"]) if gone(*row)]
        self._database.executemany("DELETE FROM grade WHERE path = ? AND problem = ?", rows)
        return len(rows)

    def graded(self) -> int:
        """How many answers have a verdict."""
        [count] = self._database.execute("SELECT COUNT(*) FROM grade WHERE source != x''").fetchone()
        return count

    def rows(self, columns: list[str]) -> Iterator[tuple]:
        """Every grade, by path."""
        return self._database.execute(f"SELECT {', '.join(columns)} FROM grade ORDER BY path, problem")

    def counts(self) -> list[tuple[str, str, int, float]]:
        """(problem, verdict, how many, their mean score in percent)."""
        query = "SELECT problem, verdict, COUNT(*), AVG(100.0 * score / MAX(max_score, 1)) FROM grade"
        return self._database.execute(f"{query} GROUP BY problem, verdict").fetchall()

    def sources(self) -> Iterator[tuple[str, str, bytes]]:
        """(problem, student, source) of every answer that was judged, problem by problem."""
        query = "SELECT problem, student, source FROM grade WHERE source != x'' ORDER BY problem, path"
        return self._database.execute(query)


def files(file: Path) -> list[Path]:
    """Everything that grades in `file` take on disk."""
    return [file, *(file.with_name(file.name + end) for end in BESIDE)]


def check(file: Path) -> None:
    """Raises CannotGrade where something else than a file stands in its place. Changes nothing."""
    if os.path.exists(file) and not os.path.isfile(file):
        raise CannotGrade("no_regular_file", file=file)


@contextlib.contextmanager
def begun(file: Path, about: dict, resume: bool) -> Iterator[Store]:
    """A store to write to, for this process alone. about: what makes grades comparable: folder, seed, edition, ….

    Raises CannotGrade where grades are there already and `resume` isn't asked for, where those were given under other
    conditions, where another process is writing, and where no file can be. Whatever is refused meanwhile leaves no file
    behind that it made.
    """
    check(file)
    with only_one(file), none_left(file), connected(file) as database:
        if not tables(database):
            database.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA.split(";"):
                database.execute(statement)
            database.executemany("INSERT INTO about VALUES (?, ?)", [(k, json.dumps(v)) for k, v in about.items()])
            database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            database.execute("COMMIT")
        known = conditions(database, file)
        [count] = database.execute("SELECT COUNT(*) FROM grade").fetchone()
        if count and not resume:
            raise CannotGrade("grades_there", file=file, count=count)
        if name := next((name for name in about if known.get(name) != about[name]), None):
            raise CannotGrade("begun_otherwise", file=file, name=name, was=known.get(name), now=about[name])
        database.execute("PRAGMA journal_mode = WAL")
        yield Store(database)


@contextlib.contextmanager
def stored(file: Path) -> Iterator[Store]:
    """The grades that a batch has written. Raises CannotGrade for what is no file of grades."""
    check(file)
    if not file.is_file():
        raise CannotGrade("no_grades", file=file)
    with connected(file) as database:
        try:
            conditions(database, file)
        except sqlite3.DatabaseError as error:
            raise CannotGrade("other_file", file=file) from error
        yield Store(database)


@contextlib.contextmanager
def connected(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose every statement is a transaction."""
    try:
        with closing(sqlite3.connect(file, timeout=30.0, isolation_level=None)) as database:
            yield database
    except sqlite3.Error as error:
        raise CannotGrade("unwritable", file=file, why=error) from error


def tables(database: sqlite3.Connection) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def conditions(database: sqlite3.Connection, file: Path) -> dict:
    """Under which conditions the grades in a file were given. Raises CannotGrade where it holds something else."""
    [version] = database.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION or not {"about", "grade"} <= tables(database):
        raise CannotGrade("other_file", file=file)
    return {key: json.loads(value) for key, value in database.execute("SELECT key, value FROM about")}


@contextlib.contextmanager
def none_left(file: Path) -> Iterator[None]:
    """Take away a file of grades that was begun in here, if nothing can be graded after all."""
    there = os.path.lexists(file)
    try:
        yield
    except CannotGrade:
        for path in [] if there else files(file):
            path.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def only_one(file: Path) -> Iterator[None]:
    """Hold a lock beside `file`, which ends with this process whatever ends it."""
    beside = file.with_name(file.name + BESIDE[0])
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(beside))
        except BlockingIOError as error:
            raise CannotGrade("in_use", file=file) from error
        except OSError as error:
            raise CannotGrade("unwritable", file=file, why=error.strerror) from error
        yield


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock on a file, made for it, that goes in the end if nothing stands in it. Raises OSError."""
    with open(path, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not path.exists() or not os.path.samestat(os.fstat(lock.fileno()), path.stat()):
            raise BlockingIOError  # whoever held it has just taken it away, and another may hold the next
        try:
            yield
        finally:
            if not os.fstat(lock.fileno()).st_size:
                path.unlink(missing_ok=True)
