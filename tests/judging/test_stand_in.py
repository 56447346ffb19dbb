"""136b stands in for 136 where that cannot run: a problem of its own that counts as the other."""

import json

import pytest
from house import DOUBLE, RIGHT, WRONG

from practice.judging import catalogue, progress

KERNEL = DOUBLE["problem.toml"].replace('entry = ["double"]', 'entry = ["double"]\nrequires = ["no_such_triton"]')


@pytest.fixture
def pair(house):
    """The house with 902, which needs what is not here, and 902b, which does not."""
    house.add("902-double-kernel", DOUBLE | {"problem.toml": KERNEL.replace("901-double", "902-double-kernel")})
    reference = {"problem.toml": DOUBLE["problem.toml"].replace("901-double", "902b-double-plain")}
    house.add("902b-double-plain", DOUBLE | reference)
    return house


def states(house) -> dict:
    return {row["number"]: row["state"] for row in json.loads(house.judge("list", "--json").stdout)}


def test_a_letter_belongs_to_the_number(pair):
    assert [problem.number for problem in catalogue.all_problems(pair.problems)] == [901, 902, "902b"]
    found = catalogue.find("902b", pair.problems)
    assert (found.number, found.counts_as, found.slug) == ("902b", 902, "double-plain")
    assert catalogue.find("902", pair.problems).number == 902


@pytest.mark.parametrize("name", ["90x2-double", "9b02-double"])
def test_what_is_no_number_is_told_with_its_folder(house, name):
    with pytest.raises(catalogue.BrokenProblem, match=name):
        catalogue.read(house.add(name, DOUBLE))


def test_here_is_to_solve_whichever_of_the_two_runs(pair):
    problems = catalogue.all_problems(pair.problems)
    assert [problem.number for problem in catalogue.for_this_machine(problems)] == [901, "902b"]
    both = [catalogue.read(pair.problems / name) for name in ("901-double", "902b-double-plain")]
    both.insert(1, catalogue.read(pair.add("902-runs-here", DOUBLE)))
    assert [problem.number for problem in catalogue.for_this_machine(both)] == [901, 902]


def test_a_skipped_problem_points_to_the_one_that_stands_in(pair):
    skipped = pair.judge("test", "902", pair.answer(RIGHT))
    assert skipped.returncode == 4
    assert "needs no_such_triton" in skipped.stdout
    assert (
        "902b Double asks for the same without it, and counts as this one: python judge.py start 902b" in skipped.stdout
    )
    assert "python judge.py start 902b" in pair.judge("test", "902", pair.answer(RIGHT), "--lang", "zh").stdout
    assert "start" not in pair.judge("test", "901", pair.answer(RIGHT)).stdout


def test_either_one_solved_is_solved_and_the_pair_counts_once(pair):
    assert pair.judge().stdout.startswith("0 of 2 problems solved")
    assert pair.judge("test", "902b", pair.answer(WRONG)).returncode == 1
    assert states(pair) == {901: "new", 902: "tried", "902b": "tried"}
    assert pair.judge("test", "902b", pair.answer(RIGHT)).returncode == 0
    assert states(pair) == {901: "new", 902: "solved", "902b": "solved"}
    assert pair.judge().stdout.startswith("1 of 2 problems solved")
    assert "1/2" in pair.judge("progress").stdout
    rows = {row["number"]: row for row in json.loads(pair.judge("progress", "--json").stdout)["problems"]}
    assert (rows["902b"]["attempts"], rows["902b"]["best"], rows[902]["attempts"]) == (2, 100, 0)
    assert pair.judge("solution", "902").returncode == 0


def test_hints_and_files_are_each_ones_own(pair):
    assert "Hint 1 of 3" in pair.judge("hint", "902b").stdout
    assert "Hint 1 of 3" in pair.judge("hint", "902").stdout
    pair.judge("start", "902b")
    assert [file.name for file in pair.workspace.iterdir()] == ["902b-double-plain.py"]


def test_an_attempt_at_one_does_not_undo_the_other_solved():
    from types import SimpleNamespace

    for number, result in (("136b", "AC"), (136, "WA"), (135, "WA")):
        problem = SimpleNamespace(number=number)
        about = {
            "problem": problem,
            "verdict": result,
            "score": 0,
            "max_score": 100,
            "sha256": "0" * 64,
            "seconds": 0.1,
        }
        progress.record(SimpleNamespace(**about))
    assert progress.states() == {136: "solved", 135: "tried"}
    assert set(progress.summary()) == {136, "136b", 135}


def test_136_has_a_stand_in_that_needs_no_triton():
    other = catalogue.find("136").stand_in
    assert other.number == "136b" and other.requires == ["numpy"]
    assert other.entry == catalogue.find("136").entry
    assert other.stand_in is None and catalogue.find("127").stand_in is None
