"""Grades of a batch in nbgrader's gradebook, where `nbgrader export` and the formgrader find them.

For batches over nbgrader's tree: a row knows its student and assignment, and `points-127` is the cell that its points
belong to. What nobody could judge is left for a person to grade.
"""

import sqlite3
import warnings
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from rich.markup import escape
from rich.table import Table
from sqlalchemy.exc import OperationalError, SAWarning

from classroom.batch import spreadsheet, store
from classroom.batch.store import Store
from classroom.words import CannotGrade, say
from practice.judging.notebook import part
from practice.judging.show import plain_table

OPEN = ("IE", "SKIPPED")  # no fault of the student: the points stay open
WAIT_SECONDS = 5.0  # for others that write to the gradebook
COLUMNS = ["student", "assignment", "path", "problem", "verdict", "score", "max_score", "reason"]


@dataclass(frozen=True)
class Row:
    """A row of a batch, see `store.COLUMNS`."""

    student: str
    assignment: str
    path: str
    problem: str
    verdict: str
    score: int
    max_score: int
    reason: str


Left = tuple[Row, str]  # a row that was not written, and why


def export(grades: Store, gradebook: Path, lang: str) -> tuple[int, list[Left]]:
    """Write all grades of assignments that the gradebook knows; returns how many were written, and those left out.

    Of two answers of one student to the same cell the better one counts, as nothing says which was meant. Raises
    CannotGrade for what is no gradebook that can be written.
    """
    check(gradebook)
    rows = [Row(*values) for values in grades.rows(COLUMNS)]
    left = [(row, say(lang, "batch_said", reason=row.reason)) for row in rows if not row.problem]
    left += [(row, say(lang, "no_assignment")) for row in rows if row.problem and not row.assignment]
    best: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        if row.assignment and row.problem:
            known = best.setdefault((row.student, row.assignment, row.problem), row)
            best[row.student, row.assignment, row.problem] = row if row.score > known.score else known
    try:
        with warnings.catch_warnings(), Gradebook(f"sqlite:///{gradebook}?timeout={WAIT_SECONDS}") as book:
            warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own queries
            refused = [(row, why) for row in best.values() if (why := _write(book, row, lang))]
            book.db.commit()
    except OperationalError as error:
        raise CannotGrade("unwritable", file=gradebook, why=error.orig) from error
    return len(best) - len(refused), left + refused


def check(gradebook: Path) -> None:
    """Raises CannotGrade where a file is no gradebook that can be written now. Changes nothing."""
    store.check(gradebook)
    if not gradebook.is_file():
        raise CannotGrade("no_grades", file=gradebook)
    try:
        with closing(sqlite3.connect(f"{gradebook.resolve().as_uri()}?mode=rw", WAIT_SECONDS, uri=True)) as database:
            known = store.tables(database)
            database.execute("BEGIN IMMEDIATE")  # nbgrader itself would fail half-way where somebody else writes
    except sqlite3.OperationalError as error:
        raise CannotGrade("unwritable", file=gradebook, why=error) from error
    except sqlite3.DatabaseError as error:
        raise CannotGrade("no_gradebook", file=gradebook) from error
    if not {"assignment", "grade_cells", "submitted_assignment"} <= known:
        raise CannotGrade("no_gradebook", file=gradebook)
    spreadsheet.try_to_write(gradebook)


def table(left: list[Left], lang: str) -> Table:
    """Whose grades were not written, and why."""
    shown = plain_table(*(say(lang, key) for key in ("student", "file", "problem", "why")), overflow="fold")
    for row, why in left:
        shown.add_row(*map(escape, (row.student, row.path, row.problem or "?", why)))
    return shown


def _write(book: Gradebook, row: Row, lang: str) -> str:
    """Why the gradebook has no place for a grade; "" where it is written."""
    cell = f"points-{row.problem}"
    try:
        notebooks = book.find_assignment(row.assignment).notebooks
    except MissingEntry:
        return say(lang, "unknown_assignment", assignment=row.assignment)
    notebook = next((each.name for each in notebooks if cell in {known.name for known in each.grade_cells}), None)
    if notebook is None:
        return say(lang, "no_cell", assignment=row.assignment, cell=cell)
    book.update_or_create_student(row.student)
    book.update_or_create_submission(row.assignment, row.student)
    grade = book.find_grade(cell, notebook, row.assignment, row.student)
    judged = row.verdict not in OPEN
    grade.auto_score = part(row.score, row.max_score, grade.cell.max_score) if judged else None
    grade.needs_manual_grade = not judged and grade.manual_score is None
    return ""
