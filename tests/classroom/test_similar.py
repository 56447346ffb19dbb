"""Answers that are alike are found under whatever disguise; answers of one's own are not."""

import re

import pytest

from classroom.similar import Answer, Likeness, likenesses
from practice.judging import catalogue

PROBLEM = catalogue.find("127")
REFERENCE = PROBLEM.reference()
DISGUISES = {
    "renamed": lambda text: text.replace("_free", "_spare").replace("blocks", "pieces").replace("block", "piece"),
    "comments": lambda text: "# all my own work\n" + text.replace("\n    def", "\n    # next\n    def"),
    "blank lines": lambda text: text.replace("\n    def", "\n\n\n    def"),
    "docstrings": lambda text: re.sub('""".*?"""', '"""Mine."""', text, flags=re.DOTALL),
    "annotations": lambda text: text.replace(": int", "").replace(" -> None", ""),
}


def of(answers: dict[str, str], at_least: int = 60, given: str = "") -> list[Likeness]:
    return likenesses([Answer(who, source) for who, source in answers.items()], given, at_least)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguised_copy_is_the_same(disguise):
    copy = DISGUISES[disguise](REFERENCE)
    assert copy != REFERENCE
    assert of({"ann": REFERENCE, "bob": copy}) == [Likeness(100, ("ann", "bob"))]


def test_one_edit_and_padding_leave_most_of_it_alike():
    padded = REFERENCE.replace("def num_free", "def unused(self, a, b):\n        return a * b + 7\n\n    def num_free")
    [likeness] = of({"ann": REFERENCE, "bob": padded})
    assert likeness.some == ("ann",) and likeness.others == ("bob",) and 90 <= likeness.percent <= 100


@pytest.mark.parametrize("number", ["121", "122", "123", "124", "125", "126", "127", "132", "133", "139"])
def test_answers_that_were_written_apart_are_not_alike(number):
    problem = catalogue.find(number)
    answers = {path.stem: path.read_text(encoding="utf-8") for path in problem.bank("right")}
    assert len(answers) >= 3
    assert of(answers | {"reference": problem.reference()}, given=problem.starter) == []


def test_what_the_starter_gives_is_nobodys_copy():
    starter = "def given(a, b):\n    x = a + b * 3\n    y = a - b * 5\n    return [x, y, x * y, x - y, x + y]\n\n\n"
    ann = starter + "def mine(q):\n    return sorted(q, key=lambda item: (item[0], -item[1]))[::-1]\n"
    bob = starter + "def mine(q):\n    best = None\n    for i in q:\n        best = best or i\n    return [best]\n"
    assert of({"ann": ann, "bob": bob}, 30, given=starter) == []
    assert of({"ann": ann, "bob": bob}, 30) != []


def test_two_files_of_one_student_are_no_copy():
    answers = [Answer("ann", REFERENCE), Answer("ann", DISGUISES["comments"](REFERENCE))]
    assert likenesses(answers, "", 60) == []


EDITED = REFERENCE.replace("def num_free", "def unused(self, a, b):\n        return a * b + 7\n\n    def num_free")


def test_two_versions_of_one_student_are_no_pair_and_no_part_of_one():
    twice = [Answer("ann", REFERENCE), Answer("ann", EDITED)]
    assert likenesses(twice, "", 60) == []
    assert likenesses([*twice, Answer("bob", REFERENCE)], "", 60) == [Likeness(100, ("ann", "bob"))]


def test_two_students_are_told_once_and_at_their_most_alike():
    answers = [Answer("ann", REFERENCE), Answer("bob", EDITED), Answer("bob", DISGUISES["renamed"](EDITED) + "B = 1\n")]
    [likeness] = likenesses(answers, "", 60)
    assert {*likeness.some, *likeness.others} == {"ann", "bob"}
    assert likeness.percent == max(of({"ann": REFERENCE, "bob": answer.source})[0].percent for answer in answers[1:])


def test_who_has_several_answers_is_told_with_each_other_student():
    answers = [Answer("ann", REFERENCE), Answer("bob", REFERENCE), Answer("ann", EDITED), Answer("cy", EDITED)]
    told = [(likeness.some, likeness.others) for likeness in likenesses(answers, "", 60)]
    assert told == [(("ann", "bob"), ()), (("ann", "cy"), ()), (("bob",), ("cy",))]


@pytest.mark.parametrize("source", ["", "def", "x = '", "\0", "(" * 5000, "pass\n", "\N{LATIN SMALL LETTER I}=1;" * 3])
def test_what_can_not_be_read_or_is_too_short_is_like_nothing(source):
    assert of({"ann": source, "bob": source, "cy": REFERENCE}, 1) == []


def test_many_copies_are_one_line():
    answers = {f"s{n}": REFERENCE for n in range(300)}
    assert of(answers) == [Likeness(100, tuple(answers))]
