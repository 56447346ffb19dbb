"""The report of similar answers of a batch, problem by problem."""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.table import Table

from classroom.similar import Answer, likenesses
from classroom.words import say
from practice.judging import catalogue

MOST_NAMES, MOST_ROWS = 8, 40  # that are shown
Row = tuple[str, int, str, str]  # problem, percent, whose, and whose; the last is empty where all are the same


def compare(sources: Iterable[tuple[str, str, bytes]], at_least: int, lang: str) -> Iterator[list[Row]]:
    """Rows for each problem. sources: (problem, student, source), problem by problem."""
    for number, group in groupby(sources, key=lambda row: row[0]):
        problem = catalogue.find(number)
        answers = [Answer(who, source.decode("utf-8", "replace")) for _, who, source in group]
        with contextlib.suppress(catalogue.BrokenProblem):  # an edition without solutions
            answers.append(Answer(say(lang, "worked_answer"), problem.reference()))
        found = likenesses(answers, problem.starter, at_least)
        yield [(number, alike.percent, ", ".join(alike.some), ", ".join(alike.others)) for alike in found]


def table(rows: list[Row], lang: str) -> Table:
    shown = Table(box=None, header_style="bold", show_edge=False, padding=(0, 2, 0, 0))
    for key, justify in (("problem", "left"), ("alike", "right"), ("student", "left"), ("and", "left")):
        shown.add_column(say(lang, key), justify=justify, overflow="fold")
    for problem, percent, some, others in rows[:MOST_ROWS]:
        shown.add_row(problem, f"{percent} %", short(some), short(others))
    if len(rows) > MOST_ROWS:
        shown.add_row("…", "", f"+ {len(rows) - MOST_ROWS}")
    return shown


def short(names: str) -> str:
    listed = names.split(", ")
    return ", ".join(listed[:MOST_NAMES]) + (f" … ({len(listed)})" if len(listed) > MOST_NAMES else "")
