"""Grades of a batch in nbgrader's gradebook, where `nbgrader export` and the formgrader find them.

For batches over nbgrader's tree: a row knows its student and assignment, and `points-127` is the cell that its points
belong to. What nobody could judge is left for a person to grade.
"""

import warnings
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SAWarning

from classroom.batch.store import Store
from classroom.words import CannotGrade
from practice.judging.notebook import part

OPEN = ("IE", "SKIPPED")  # no fault of the student: the points stay open


def export(grades: Store, gradebook: Path) -> tuple[int, int]:
    """Write all grades of assignments that the gradebook knows; returns how many were written and how many were not.

    Of two answers of one student to the same cell the better one counts, as nothing says which was meant.
    """
    if not gradebook.is_file():
        raise CannotGrade("no_grades", file=gradebook)
    best: dict[tuple[str, str, str], tuple] = {}
    left_out = 0
    columns = ["student", "assignment", "problem", "verdict", "score", "max_score"]
    for student, assignment, problem, verdict, score, max_score in grades.rows(columns):
        if not assignment or not problem:
            left_out += 1
            continue
        known = best.setdefault((student, assignment, problem), (verdict, score, max_score))
        if score > known[1]:
            best[student, assignment, problem] = (verdict, score, max_score)
    written = 0
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{gradebook}") as book:
        warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own queries
        for (student, assignment, problem), row in best.items():
            written += _write(book, student, assignment, f"points-{problem}", *row)
        book.db.commit()
    return written, left_out + len(best) - written


def _write(book: Gradebook, student: str, assignment: str, cell: str, verdict: str, score: int, max_score: int) -> bool:
    """Whether the gradebook has such a cell."""
    try:
        notebooks = book.find_assignment(assignment).notebooks
    except MissingEntry:
        return False
    notebook = next((each.name for each in notebooks if cell in {known.name for known in each.grade_cells}), None)
    if notebook is None:
        return False
    book.update_or_create_student(student)
    book.update_or_create_submission(assignment, student)
    grade = book.find_grade(cell, notebook, assignment, student)
    judged = verdict not in OPEN
    grade.auto_score = part(score, max_score, grade.cell.max_score) if judged else None
    grade.needs_manual_grade = not judged and grade.manual_score is None
    return True
