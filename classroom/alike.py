"""The report of similar answers of a batch, problem by problem."""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.markup import escape
from rich.table import Table

from classroom.similar import Answer, likenesses
from classroom.words import say
from practice.judging import catalogue
from practice.judging.show import plain_table

MOST_NAMES, MOST_ROWS = 8, 40  # that are shown
Row = tuple[str, int, tuple[str, ...], tuple[str, ...]]  # problem, percent, whose, and whose; see Likeness


def compare(sources: Iterable[tuple[str, str, bytes]], at_least: int, lang: str) -> Iterator[Row]:
    """The report, problem by problem. sources: (problem, student, source), problem by problem."""
    for number, group in groupby(sources, key=lambda row: row[0]):
        problem = catalogue.find(number)
        answers = [Answer(who, source.decode("utf-8", "replace")) for _, who, source in group]
        with contextlib.suppress(catalogue.BrokenProblem):  # an edition without solutions
            answers.append(Answer(say(lang, "worked_answer"), problem.reference()))
        for alike in likenesses(answers, problem.starter, at_least):
            yield number, alike.percent, alike.some, alike.others


def table(rows: list[Row], lang: str) -> Table:
    shown = plain_table(*(say(lang, key) for key in ("problem", "alike", "student", "and")), overflow="fold")
    shown.columns[1].justify = "right"
    for problem, percent, some, others in rows[:MOST_ROWS]:
        shown.add_row(problem, f"{percent} %", short(some), short(others))
    if len(rows) > MOST_ROWS:
        shown.add_row("…", "", f"+ {len(rows) - MOST_ROWS}")
    return shown


def short(names: tuple[str, ...]) -> str:
    return escape(", ".join(names[:MOST_NAMES])) + (f" … ({len(names)})" if len(names) > MOST_NAMES else "")
