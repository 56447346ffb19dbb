"""The reasons in a batch's table are those that `judge.py test` shows, on one line, in the language asked for."""

import re

import pytest

from classroom.batch.grade import CHILDREN, grade
from practice.judging import catalogue
from practice.judging.verdict import judge

PROBLEM = catalogue.find("121")
REFERENCE = PROBLEM.reference()
FUNCTION = PROBLEM.entry[0]


def within(statement: str) -> str:
    """The reference, with a statement that runs in each call of its first function."""
    wrapped = f"\n_due = {FUNCTION}\n\n\ndef {FUNCTION}(*args, **named):\n    import os\n    {statement}\n"
    return REFERENCE + wrapped + "    return _due(*args, **named)\n"


ANSWERS = {
    "wrong": within("return 12345"),
    "raises": within("raise KeyError('k')"),
    "ends": within("os._exit(3)"),
    "endless": within("while True: pass"),
    "prints": within("print('x' * 5_000_000)"),
    "forks": "import os\nos.fork()\n" + REFERENCE,
    "writes to the pipe": """
import os
for fd in range(3, 64):
    try:
        os.write(fd, b"x")
    except OSError:
        pass
"""
    + REFERENCE,
    "syntax": "def (",
    "endless load": "while True: pass\n",
    "lacks names": "x = 1\n",
    "no package": "import numpy\n",
    "encoding": "# Größe\n".encode("latin-1"),
}
SAID = {
    "wrong": "got 12345",
    "raises": "but it raises KeyError: 'k' (line",
    "ends": "the process ended during this call: exit 3",
    "endless": "one call took longer than 1.0 s",
    "prints": "more than 1048576 bytes of output",
    "forks": "the code may have forked",
    "writes to the pipe": "written into the judge's own pipe",
    "syntax": "syntax error, line 1: invalid syntax",
    "endless load": "loading the file took longer than 1.0 s",
    "lacks names": "the file does not define",
    "no package": "numpy is not there",
    "encoding": "the file is not UTF-8: byte 5 (0xf6)",
}
IN_CHINESE = {
    "wrong": "实际 12345",
    "raises": "却抛出 KeyError",
    "ends": "进程在这次调用中结束",
    "endless": "单次调用超过",
    "prints": "输出超过",
    "forks": "可能用了 fork",
    "writes to the pipe": "管道里写了东西",
    "syntax": "语法错误",
    "endless load": "加载文件超过",
    "lacks names": "文件没有定义",
    "no package": "这里没有 numpy",
    "encoding": "文件不是 UTF-8",
}


@pytest.fixture(scope="module", autouse=True)
def children():
    yield
    CHILDREN.close()


def row(source: str | bytes, lang: str) -> dict:
    source = source if isinstance(source, bytes) else source.encode()
    return grade("121", source, {"lang": lang, "seed": 0, "shrink_seconds": 0.0, "diagnose_seconds": 0.0})


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize(("lang", "said"), [("en", SAID), ("zh", IN_CHINESE)], ids=["en", "zh"])
def test_a_reason_says_in_plain_words_what_went_wrong(name, lang, said):
    found = row(ANSWERS[name], lang)
    assert said[name] in found["reason"] and "\n" not in found["reason"], found["reason"]
    if lang == "zh":
        assert not re.search(r"\b(the|took|longer|expected|got|passed)\b", found["reason"])


@pytest.mark.parametrize("name", ["wrong", "raises", "ends"])
def test_a_reason_names_the_groups_that_failed(name):
    failed = [check.title["en"] for check in judge(PROBLEM, ANSWERS[name].encode()).failed]
    assert row(ANSWERS[name], "en")["reason"].startswith(f"not passed: {' · '.join(failed)}; ")


def test_an_accepted_answer_has_no_reason():
    assert row(REFERENCE, "en")["reason"] == ""


def test_a_long_value_is_cut():
    assert len(row(within("return list(range(1000))"), "en")["reason"]) < 1000
