"""Transcripts become programs; what can't be played is refused by name; and the standard library agrees with them."""

import doctest
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from practice.judging import catalogue
from practice.judging.examples import BadExample, read
from practice.judging.wire import Foreign, Handle, unpack

PROBLEMS = catalogue.all_problems()


def only_call(line: str):
    [program] = read(line)
    [call] = program.calls
    return call


@pytest.mark.parametrize(
    ("line", "shape", "args"),
    [
        (">>> pool = BlockPool(8)\n", ("pool", None, "BlockPool"), (8,)),
        (">>> f(1, 'a', [2, (3,)], {4: None})\n", (None, None, "f"), (1, "a", [2, (3,)], {4: None})),
        (">>> pool.free([0])\n", (None, "pool", "free"), ([0],)),
        (">>> b = a.fork()\n", ("b", "a", "fork"), ()),
        (">>> a = Sequence(pool, 4)\n", ("a", None, "Sequence"), (Handle("pool"), 4)),
        (">>> a.slot_mapping(range(3))\n", (None, "a", "slot_mapping"), ([0, 1, 2],)),
        (">>> a.slot_mapping(range(4, 0, -2))\n", (None, "a", "slot_mapping"), ([4, 2],)),
        (">>> f(-1, -0.5)\n", (None, None, "f"), (-1, -0.5)),
        (">>> f(\n...     1,\n... )\n", (None, None, "f"), (1,)),
    ],
)
def test_each_form_of_a_call(line, shape, args):
    call = only_call(line)
    assert (call.result, call.target, call.name) == shape
    assert tuple(map(unpack, call.args)) == args


def test_reading_a_field():
    call = only_call(">>> pool.ref_cnt\n[1, 0]\n")
    assert (call.target, call.name, call.args) == ("pool", "ref_cnt", None)
    assert call.expected() == ("ok", [1, 0], [])


@pytest.mark.parametrize(
    ("printed", "value"),
    [("", None), ("None", None), ("(0.4, 0.8)", (0.4, 0.8)), ("[(1, 2)]", [(1, 2)]), ("-1", -1), ("'x'", "x")],
)
def test_what_is_printed_is_the_answer_that_is_due(printed, value):
    assert only_call(f">>> f()\n{printed}\n").expected() == ("ok", value, [])


@pytest.mark.parametrize("said", ["MemoryError: need 3 blocks", "MemoryError", "MemoryError: a: b"])
def test_a_traceback_stands_for_its_exception(said):
    transcript = f">>> b.append(4)\nTraceback (most recent call last):\n  ...\n{said}\n"
    assert only_call(transcript).expected() == ("raised", "MemoryError", [])


def test_a_line_of_dashes_separates_programs():
    programs = read(">>> f()\n1\n>>> f()\n2\n---\n>>> g()\n3\n")
    assert [[call.name for call in program.calls] for program in programs] == [["f", "f"], ["g"]]


@pytest.mark.parametrize(
    "line",
    [
        "x + 1",
        "f(x + 1)",
        "f(*[1])",
        "f(n=3)",
        "f(1, n=3)",
        "f(g(1))",
        "a.b.c()",
        "f()[0]",
        "f().g()",
        "a, b.c = f()",
        "a = b = f()",
        "a.b = f()",
        "a: int = f()",
        "a += f()",
        "f(); g()",
        "import os",
        "for x in f(): pass",
        "pass",
        "lambda: 1",
        "f(",
    ],
)
def test_a_line_that_cannot_be_played_is_refused_and_quoted(line):
    with pytest.raises(BadExample) as error:
        read(f">>> {line}\n")
    assert repr(line) in str(error.value) or line in str(error.value)


@pytest.mark.parametrize("printed", ["<Box>", "one two", "Ellipsis", "{1, 2}", "x", "{[]: 1}"])
def test_an_answer_that_is_no_plain_value_is_refused(printed):
    """No learner's answer could ever be the same."""
    with pytest.raises(BadExample, match=r"f\(\)"):
        read(f">>> f()\n{printed}\n")


@pytest.mark.parametrize("transcript", [">>>f()\n1\n", ">>> f(\n...1)\n", "    >>> f()\n  1\n"])
def test_a_transcript_that_doctest_cannot_read_is_a_bad_example(transcript):
    with pytest.raises(BadExample):
        read(transcript)


def transcripts():
    for problem in PROBLEMS:
        text = (problem.folder / "examples.txt").read_text(encoding="utf-8")
        for number, part in enumerate(text.split("\n---\n")):
            marks = [pytest.mark.needs(name) for name in problem.requires]
            yield pytest.param(problem, part, id=f"{problem.number}-{number}", marks=marks)


@pytest.mark.parametrize(("problem", "part"), list(transcripts()))
def test_doctest_agrees_with_every_example(problem, part):
    """An independent route: the reference run line by line by the standard library."""
    if problem.kind == "kernel":
        return doctest_in_the_interpreter(problem, part)
    names = {name: __import__(name) for name in problem.requires}
    exec(problem.reference(), names)
    test = doctest.DocTestParser().get_doctest(part, names, f"{problem.number}", None, None)
    assert len(test.examples) >= 1
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    said = []
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


def doctest_in_the_interpreter(problem, part):
    """A kernel's source must be a file, and Triton be told of its interpreter before it is imported."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "answer.py").write_text(problem.reference(), encoding="utf-8")
        Path(folder, "part.txt").write_text(f">>> import torch\n>>> from answer import *\n{part}", encoding="utf-8")
        command = [sys.executable, "-m", "doctest", "part.txt"]
        environment = os.environ | {"TRITON_INTERPRET": "1", "PYTHONPATH": folder}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_doctest_does_look_at_the_type_of_an_exception():
    """What the test above rests on."""
    part = ">>> f()\nTraceback (most recent call last):\nMemoryError: none left\n"
    for kind, failures in ((MemoryError, 0), (ValueError, 1)):

        def f(kind=kind):
            raise kind("something else")

        test = doctest.DocTestParser().get_doctest(part, {"f": f}, "f", None, None)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        assert runner.run(test, out=lambda text: None).failed == failures


def test_every_example_has_an_answer_that_can_be_met():
    for problem in PROBLEMS:
        for program in read((problem.folder / "examples.txt").read_text(encoding="utf-8")):
            for call in program.calls:
                assert not isinstance(call.expected()[1], Foreign)
