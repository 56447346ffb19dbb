"""The benchmarks' other graders run the same hidden tests: they must come to the same verdicts."""

import sys

import pytest

from practice.judging import catalogue

sys.path.insert(0, str(catalogue.ROOT / "benchmarks"))
from side_by_side import check

sys.path.pop(0)


def answer(source: str) -> dict:
    names: dict = {"__name__": "answer"}
    exec(source, names)
    return names


def test_the_reference_passes_every_group():
    problem = catalogue.find("123")
    for group in problem.groups:
        check(123, group.name, answer(problem.reference()))


def test_a_mistake_fails():
    path = next(path for path in catalogue.find("123").bank("wrong") if path.stem == "lowest_number_first")
    with pytest.raises(AssertionError):
        for group in catalogue.find("123").groups:
            check(123, group.name, answer(path.read_text(encoding="utf-8")))
