"""Tables as CSV, for spreadsheets."""

import csv
from collections.abc import Iterable
from pathlib import Path

from classroom.words import CannotGrade

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def write(file: Path, header: list[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a table. What a student named or wrote is text, never a formula. Raises CannotGrade."""
    try:
        with open(file, "w", encoding="utf-8-sig", newline="") as out:  # with the mark that spreadsheets look for
            writer = csv.writer(out)
            writer.writerow(header)
            writer.writerows([as_text(value) for value in row] for row in rows)
    except OSError as error:
        raise CannotGrade("unwritable", file=file, why=error.strerror) from error


def as_text(value: object) -> object:
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA) else value
