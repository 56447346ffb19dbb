"""A folder is a problem, whatever it holds; what it lacks is said with the name of the file."""

import pytest
from house import DOUBLE

from practice.judging import catalogue
from practice.judging.catalogue import BrokenProblem, UnknownProblem, strip_imports


def test_a_problem_is_found_by_number_slug_and_folder(house):
    for wanted in ("901", " 901 ", "double", "901-double"):
        assert catalogue.find(wanted, house.problems).number == 901


@pytest.mark.parametrize("wanted", ["", "90", "9011", "Double", "*", "../901-double"])
def test_what_is_no_problem_names_those_that_are(house, wanted):
    house.add("77-other", DOUBLE)
    with pytest.raises(UnknownProblem, match=r"^77, 901$"):
        catalogue.find(wanted, house.problems)


def test_only_folders_with_a_problem_toml_are_problems(house):
    (house.problems / "905-empty").mkdir()
    (house.problems / "__pycache__").mkdir()
    house.add("no-number", DOUBLE)
    assert [problem.number for problem in catalogue.all_problems(house.problems)] == [901]


@pytest.mark.parametrize("key", ["title", "chapter", "difficulty", "entry", "reference"])
def test_a_missing_key_is_named_with_its_file(house, key):
    text = DOUBLE["problem.toml"].replace("[reference]", "[other]") if key == "reference" else DOUBLE["problem.toml"]
    lines = [line for line in text.splitlines() if not line.startswith(key)]
    folder = house.add("905-lacks", DOUBLE | {"problem.toml": "\n".join(lines)})
    with pytest.raises(BrokenProblem, match=rf"905-lacks/problem.toml: .*{key}"):
        catalogue.read(folder)


def test_an_unknown_limit_is_named(house):
    folder = house.add("905-limits", DOUBLE | {"problem.toml": DOUBLE["problem.toml"] + "\n[limits]\nseconds = 1\n"})
    with pytest.raises(BrokenProblem, match=r"unknown limits .*seconds"):
        catalogue.read(folder)


def test_limits_are_changed_one_by_one(house):
    folder = house.add("905-limits", DOUBLE | {"problem.toml": DOUBLE["problem.toml"] + "\n[limits]\nmemory_mb = 99\n"})
    limits = catalogue.read(folder).limits
    assert (limits["memory_mb"], limits["call_seconds"]) == (99, 1.0)


def test_the_worked_answer_is_one_file_without_imports_of_the_library():
    worked = catalogue.find("127").reference()
    assert "from paged" not in worked and "import paged" not in worked
    names: dict = {}
    exec(worked, names)
    pool = names["BlockPool"](2)
    names["Sequence"](pool, 4).append(5)
    assert pool.num_free() == 0


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("from paged.pool import BlockPool\nx = 1\n", "x = 1\n"),
        ("from paged.pool import (\n    BlockPool,\n)\nx = 1\n", "x = 1\n"),
        ("from paged import A\nfrom math import inf\n", "from math import inf\n"),
        ("from pagedlike import A\n", "from pagedlike import A\n"),
    ],
)
def test_imports_between_the_librarys_files_are_left_out(source, left):
    assert strip_imports(source, "paged") == left
