"""What is said in Chinese is set as Chinese is set here: a space between a number and the word beside it."""

import re

import pytest

from classroom.words import WORDS
from practice.judging.messages import MESSAGES

TOUCHING = re.compile(r"[\d}](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])[\d{]")


@pytest.mark.parametrize("table", [WORDS, MESSAGES], ids=["classroom", "judge"])
def test_a_number_stands_apart_from_chinese(table):
    texts = {key: chinese.replace("{got}", "") for key, (_, chinese) in table.items()}  # words, not a number
    assert [key for key, text in texts.items() if TOUCHING.search(text)] == []
