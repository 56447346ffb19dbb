"""Answers are found in notebooks that students have done all sorts of things to, and what was odd is remarked."""

import json
import re

import pytest
from house import DOUBLE, RIGHT, WRONG

from practice.judging import catalogue
from practice.judging.submissions import Remark, answer, answers_in, counted_in, parse

JUDGED = f"%%judge 901\n{RIGHT}"


def code(source, **nbgrader) -> dict:
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": nbgrader} if nbgrader else {}}


def book(*cells) -> dict:
    cells = [code(cell) if isinstance(cell, str) else cell for cell in cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


@pytest.fixture
def take(double):
    """take(*cells) -> (source of the answer to 901 or None, keys of the remarks)."""

    def take(*cells, wanted=()):
        submission = answers_in(book(*cells), wanted, problems=[double])
        return submission.answers.get(901), [remark.key for remark in submission.remarks]

    return take


# the cell that holds the answer


def test_a_judged_cell_is_taken_as_it_stands(take):
    assert take("import judge\n", JUDGED + "\nprint(double(2))  # a trial\n") == (
        RIGHT + "\nprint(double(2))  # a trial\n",
        [],
    )


@pytest.mark.parametrize("name", ["901", "double", "901-double", "901  ", "901\r"])
def test_it_may_name_the_problem_in_any_way_that_the_judge_takes(take, name):
    assert take(f"%%judge {name}\n{RIGHT}") == (RIGHT, [])


def test_blank_lines_before_the_magic_are_none_of_the_answer(take):
    assert take("\n\n" + JUDGED) == (RIGHT, [])


def test_the_source_of_a_cell_may_be_a_list_of_lines(take):
    assert take(code(JUDGED.splitlines(keepends=True))) == (RIGHT, [])


def test_a_cell_that_nbgrader_knows_needs_no_magic(take):
    assert take("x = 1", code(RIGHT, grade_id="answer-901", solution=True)) == (RIGHT, [])


def test_a_cell_stripped_of_its_metadata_needs_none(take):
    assert take(code(JUDGED), "judge.points(901, 10)") == (RIGHT, [])


def test_an_answer_without_any_mark_is_gathered_where_it_is_asked_for(take):
    gathered = "FACTOR = 2\n\ndef double(x):\n    return FACTOR * x\n"
    cells = ("FACTOR = 2", "print('trial')", "def double(x):\n    return FACTOR * x\n")
    assert take(*cells, "judge.points(901, 10)") == (gathered, ["answer_gathered"])
    assert take(*cells, "judge.check( 901 )") == (gathered, ["answer_gathered"])
    assert take(*cells, code("0.0", grade_id="points-901", grade=True)) == (gathered, ["answer_gathered"])
    assert take(*cells, wanted=[901]) == (gathered, ["answer_gathered"])
    assert take(*cells) == (None, [])


# more cells than one


def test_of_copies_the_last_that_was_worked_on_counts(take):
    untouched, wrong = f"%%judge 901\n{DOUBLE['starter.py']}", f"%%judge 901\n{WRONG}"
    assert take(wrong, JUDGED, untouched) == (RIGHT, ["answer_of_several"])
    assert take(JUDGED, wrong) == (WRONG, ["answer_of_several"])


def test_the_remark_names_the_cell_that_counts(double):
    wrong = code(f"%%judge 901\n{WRONG}", grade_id="answer-901")
    copy = code(JUDGED, grade_id="answer-901")
    [remark] = answers_in(book("x = 1", wrong, copy), problems=[double]).remarks
    assert remark == Remark("answer_of_several", 901, {"count": 2, "place": 3})
    assert remark.text("en") == "901: 2 cells are marked as the answer; the one that counts is cell 3 of the notebook"
    assert remark.text("zh").startswith("901: 有 2 个单元格")


def test_a_test_cell_that_was_copied_edited_or_retyped_changes_nothing(take):
    tests = ["judge.points(901, 10)", "10", {"cell_type": "markdown", "source": "judge.points(901, 10)"}]
    tests += [code("1/0", grade_id="points-901"), code("judge.points(901, 10)", grade_id="points-901")]
    assert take(JUDGED, *tests) == (RIGHT, [])


@pytest.mark.parametrize("kind", ["markdown", "raw", "heading"])
def test_an_answer_in_a_cell_of_another_type_is_taken_from_there(take, kind):
    assert take({"cell_type": kind, "source": JUDGED}) == (RIGHT, ["answer_no_code"])
    assert take({"cell_type": kind, "source": f"%%judge 901\n{WRONG}"}, JUDGED) == (RIGHT, [])


def test_the_untouched_starter_is_taken_and_remarked(take):
    assert take(f"%%judge 901\n\n{DOUBLE['starter.py']}\n") == (
        "\n" + DOUBLE["starter.py"] + "\n",
        ["answer_untouched"],
    )


def test_a_problem_that_stands_in_for_another_is_one_of_its_own(house, double):
    other = catalogue.read(house.add("901b-double-otherwise", DOUBLE))
    cells = ["%%judge 901\ndef double(x): pass\n", f"%%judge 901b\n{RIGHT}", "judge.points('901b', 10)"]
    submission = answers_in(book(*cells), problems=[double, other])
    assert submission.answers == {901: "def double(x): pass\n", "901b": RIGHT}
    assert submission.remarks == []
    unmarked = answers_in(book(code(RIGHT, grade_id="answer-901b")), problems=[double, other])
    assert unmarked.answers == {"901b": RIGHT}


def test_an_answer_to_the_stand_in_counts_where_nobody_worked_on_the_problem(house, double, monkeypatch):
    other = catalogue.read(house.add("901b-double-otherwise", DOUBLE))
    monkeypatch.setattr(catalogue, "all_problems", lambda folder=None: [double, other])
    starter, own, instead = f"%%judge 901\n{DOUBLE['starter.py']}", f"%%judge 901\n{WRONG}", f"%%judge 901b\n{RIGHT}"
    assert counted_in([starter, instead], double) == (other, RIGHT)
    assert counted_in([instead], double) == (other, RIGHT)
    assert counted_in([own, instead], double) == (double, WRONG)
    assert counted_in([starter], double) == (double, DOUBLE["starter.py"])
    assert counted_in([starter, f"%%judge 901b\n{DOUBLE['starter.py']}"], double) == (double, DOUBLE["starter.py"])
    assert counted_in([WRONG], double) == (double, WRONG)
    assert counted_in(["x = 1"], double) == (double, None)


# what it uses of other cells


def test_what_the_answer_uses_of_other_cells_comes_before_it(take):
    assert take("FACTOR = 2\nOTHER = 1 / 0", "%%judge 901\ndef double(x):\n    return FACTOR * x\n")[0] == (
        "FACTOR = 2\n\ndef double(x):\n    return FACTOR * x\n"
    )


def test_a_definition_before_the_answer_goes_before_one_after_it(take):
    cell = "%%judge 901\ndef double(x):\n    return FACTOR * x + ZERO\n"
    assert take("FACTOR = 2", cell, "FACTOR = 3\nZERO = 0")[0].split("\n\n")[:2] == ["FACTOR = 2", "ZERO = 0"]


def test_a_trial_elsewhere_does_not_replace_what_the_answer_defines(take):
    assert take(JUDGED, "def double(x):\n    return 3 * x\n", "from paged import double")[0] == RIGHT


def test_what_other_cells_add_to_the_answer_comes_after_it(take):
    cells = ("%%judge 901\nclass double: pass", "def one(self): return 1\ndouble.one = one", "double.two = 2")
    assert take(*cells)[0] == "def one(self): return 1\n\nclass double: pass\n\ndouble.one = one\n\ndouble.two = 2\n"


def test_names_of_python_itself_are_no_reason_to_look_elsewhere(take):
    assert take("sum = 1", "%%judge 901\ndef double(x):\n    return sum([x, x])\n")[0] == (
        "def double(x):\n    return sum([x, x])\n"
    )


def test_an_answer_that_is_no_python_is_taken_as_it_stands(take):
    assert take("x = 1", "%%judge 901\ndef double(x:\n") == ("def double(x:\n", [])


def test_the_notebook_itself_takes_the_same(double):
    cells = ["", "FACTOR = 2", "%%judge 901\ndef double(x):\n    return FACTOR * x\n", "double(2)"]
    assert answer(cells, double) == answers_in(book(*cells), problems=[double]).answers[901]
    assert answer(["def double(x): return 1"], double) == "def double(x): return 1\n"


# what can't be taken


def test_a_missing_answer_is_remarked_with_the_names_that_are_missing(double):
    submission = answers_in(book("x = 1", "judge.points(901, 10)"), problems=[double])
    assert submission.answers == {}
    assert submission.remarks == [Remark("answer_missing", 901, {"names": "double"})]


def test_an_unknown_problem_is_remarked(take):
    assert take("%%judge 999\nx = 1") == (None, ["unknown_problem"])


def test_an_answer_too_large_to_judge_is_remarked(take):
    assert take("%%judge 901\n#" + "x" * (1 << 20)) == (None, ["answer_too_large"])


def test_a_long_cell_elsewhere_is_not_searched(take):
    assert take("FACTOR = 2" + " " * 100_000, "%%judge 901\ndef double(x): return FACTOR\n")[0] == (
        "def double(x): return FACTOR\n"
    )


@pytest.mark.parametrize(
    "cell",
    ["(" * 50_000, "x = '\ud800'", "x = '\x00'", "-" * 50_000 + "1", "%a\n" * 6000, "\\\n" * 9000, "f'{'"],
    ids=["brackets", "half a pair", "null", "signs", "magics", "joined lines", "half a string"],
)
def test_a_hostile_cell_is_survived(take, cell):
    assert take(cell, JUDGED, cell)[0] == RIGHT
    assert take(cell, "%%judge 901\ndef double(x): return FACTOR\n", cell)[0] == "def double(x): return FACTOR\n"
    assert take(code(cell, grade_id="answer-901"))[0] is not None


@pytest.mark.parametrize(
    "notebook",
    [
        {},
        {"cells": None},
        {"cells": "text"},
        {"cells": [None, 1, "text", [], {}]},
        {"cells": [{"cell_type": "code", "source": 7, "metadata": []}]},
        {"worksheets": [None, {"cells": 3}]},
    ],
)
def test_what_is_no_notebook_is_said_to_be_none(double, notebook):
    submission = answers_in(notebook, [901], problems=[double])
    assert submission.answers == {}
    assert [remark.key for remark in submission.remarks] == ["no_notebook"]


def test_odd_metadata_is_survived(double):
    cells = [{"cell_type": "code", "source": JUDGED, "metadata": odd} for odd in ([], {"nbgrader": 3}, None)]
    cells += [code("x", grade_id=["answer-901"]), code("x", grade_id="answer-" + "9" * 5000)]
    assert answers_in({"cells": cells}, problems=[double]).answers == {901: RIGHT}


def test_a_notebook_of_nbformat_3_has_its_cells_in_worksheets(double):
    cell = {"cell_type": "code", "input": JUDGED}
    assert answers_in({"nbformat": 3, "worksheets": [{"cells": [cell]}]}, problems=[double]).answers == {901: RIGHT}


@pytest.mark.parametrize(
    "raw",
    [b"", b"\xff\xfe", b"[1, 2]", b"[" * 100_000, b'{"cells": ' + b"9" * 5000 + b"}", b"PK\x03\x04"],
    ids=["empty", "no text", "a list", "nested", "a number", "zip"],
)
def test_a_file_that_is_no_notebook_says_why(raw):
    [remark] = parse(raw).remarks
    assert remark.key == "no_notebook"
    assert remark.text("en").startswith("this is no notebook that can be read: ")


def test_a_file_with_a_byte_order_mark_is_read():
    assert parse(b"\xef\xbb\xbf" + json.dumps(book(JUDGED)).encode()) == book(JUDGED)


# the course's own notebooks


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_exercise_is_found_in_the_chapters(lang):
    for path in sorted((catalogue.ROOT / "notebooks" / lang).glob("*.ipynb")):
        source = (catalogue.ROOT / "notebooks" / "src" / path.stem).with_suffix(".md").read_text(encoding="utf-8")
        submission = answers_in(parse(path.read_bytes()))
        assert sorted(map(str, submission.answers)) == sorted(re.findall(r"^<!-- exercise: (\w+)", source, re.M))
        for number, taken in submission.answers.items():
            assert taken.strip() == catalogue.find(str(number)).starter.strip()
            assert Remark("answer_untouched", number) in submission.remarks
