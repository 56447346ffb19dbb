"""Every message that is used exists, says the same in both languages, and none is left over."""

import ast
import string
from pathlib import Path

import pytest

from practice.judging import catalogue, drive
from practice.judging.messages import MESSAGES, say

JUDGING = Path(drive.__file__).parent
FILES = [*JUDGING.glob("*.py"), catalogue.ROOT / "judge.py", *(catalogue.ROOT / "classroom" / "autograde").glob("*.py")]
TREES = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
VERDICTS = {"AC", "WA", "RE", "TLE", "MLE", "OLE", "CE", "SKIPPED", "IE"}


def calls_of_say():
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "say":
                yield module, node


def reasons() -> set[str]:
    """Every `why` that is given to a failure."""
    given = {
        keyword.value.value
        for module in ("difference", "drive", "kernel")
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "why" and isinstance(keyword.value, ast.Constant)
    }
    table = {
        node.elts[1].value
        for node in ast.walk(TREES["drive"])
        if isinstance(node, ast.Tuple) and [getattr(e, "value", None) in VERDICTS for e in node.elts] == [1, 0, 0]
    }
    return given | table


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", MESSAGES)
def test_both_languages_say_something_with_the_same_placeholders(key):
    english, chinese = MESSAGES[key]
    assert english.strip() and chinese.strip()
    assert placeholders(english) == placeholders(chinese)
    assert "" not in placeholders(english)


def test_every_message_asked_for_by_name_exists_with_its_values():
    asked = [
        (node.args[1].value, {keyword.arg for keyword in node.keywords})
        for _, node in calls_of_say()
        if isinstance(node.args[1], ast.Constant)
    ]
    assert len(asked) > 20
    for key, values in asked:
        assert key in MESSAGES
        assert placeholders(MESSAGES[key][0]) <= values, key


def test_every_verdict_state_difficulty_and_reason_has_a_message():
    whys = reasons() - {"raised"}  # expected and got say it all
    assert {"call", "total", "memory", "output", "exit", "gone", "garbage", "import", "syntax", "missing"} <= whys
    levels = {problem.difficulty for problem in catalogue.all_problems()}
    assert VERDICTS | {"new", "tried", "solved"} | levels | {f"why_{why}" for why in whys} <= set(MESSAGES)


def test_no_message_is_left_over():
    words = {
        node.value
        for module, tree in TREES.items()
        if module != "messages"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    words |= VERDICTS | {f"why_{why}" for why in reasons()} | {"easy", "medium", "hard", "new"}
    assert sorted(set(MESSAGES) - words) == []


def test_values_are_filled_in():
    assert say("en", "no_file", file="x.py") == "x.py does not exist"
    assert say("zh", "no_file", file="x.py") == "x.py 不存在"
