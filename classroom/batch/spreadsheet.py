"""Tables as CSV, for spreadsheets."""

import csv
import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from classroom.words import CannotGrade

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # what a spreadsheet would compute, in either width


def check(file: Path, precious: Iterable[Path]) -> None:
    """Raises CannotGrade where no table can be written to `file`, or one would destroy a precious file.

    Links to a file are that file. Nothing is changed.
    """
    if other := next((each for each in precious if same(file, each)), None):
        raise CannotGrade("overwrites", file=file, other=other)
    try_to_write(file)


def same(one: Path, other: Path) -> bool:
    """Whether both names are one file, or would be."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def try_to_write(file: Path) -> None:
    """Raises CannotGrade where a file can't be written, or not be made."""
    try:
        if os.path.isdir(file) or os.path.isfile(file):
            open(file, "ab").close()
        elif not os.path.exists(file):
            target = Path(os.path.realpath(file))  # of a link that leads nowhere yet
            target.touch(exist_ok=False)
            target.unlink()
    except OSError as error:
        raise CannotGrade("unwritable", file=file, why=error.strerror) from error


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
    """A cell's value: of a text every control character but the end of a line is replaced, and no formula is left."""
    if not isinstance(value, str):
        return value
    plain = "".join("\N{REPLACEMENT CHARACTER}" if _drives(letter) else letter for letter in value)
    return (
        "'" + plain if plain.lstrip("\N{REPLACEMENT CHARACTER} \n\N{IDEOGRAPHIC SPACE}").startswith(FORMULA) else plain
    )


def _drives(letter: str) -> bool:
    return unicodedata.category(letter) == "Cc" and letter != "\n"
