"""What is said in Chinese is set as Chinese is set here: a space between a number and the word beside it."""

import re

import pytest

from classroom.words import WORDS, say
from practice.judging.messages import MESSAGES

TOUCHING = re.compile(r"[\d}](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])[\d{]")


@pytest.mark.parametrize("table", [WORDS, MESSAGES], ids=["classroom", "judge"])
def test_a_number_stands_apart_from_chinese(table):
    texts = {key: chinese.replace("{got}", "") for key, (_, chinese) in table.items()}  # words, not a number
    assert [key for key, text in texts.items() if TOUCHING.search(text)] == []


def test_of_one_nothing_is_said_in_the_plural():
    counted = [key for key, (english, _) in WORDS.items() if "{count" in english]
    assert len(counted) >= 9
    wrong = re.compile(r"\b1 (?:\w+s\b|\w+ (?:are|were)\b)|\b7 \w+ (?:is|was)\b")
    names = dict.fromkeys(["file", "worker", "all"], "…")
    texts = [say("en", key, count=count, **names) for key in counted for count in (1, 7)]
    assert [text for text in texts if wrong.search(text)] == []


@pytest.mark.parametrize(
    ("key", "one", "more"),
    [
        ("graded", "1 answer graded;", "2000 answers graded;"),
        ("dropped", "1 row was dropped:", "2000 rows were dropped:"),
        ("exported", "1 grade is in", "0 grades are in"),
    ],
)
def test_a_noun_goes_with_its_number(key, one, more):
    many = int(more.split()[0])
    assert say("en", key, count=1, file="f").startswith(one)
    assert say("en", key, count=many, file="f").startswith(more)
    assert say("zh", key, count=many, file="f").count(str(many)) == 1
