"""Tensors in problems: made in transcripts, given to be written into, compared by closeness, told by their elements."""

import ast
import json
import struct

import pytest

from practice.judging import catalogue, examples, tensors
from practice.judging.compare import same
from practice.judging.failure import Failure
from practice.judging.show import label
from practice.judging.verdict import judge
from practice.judging.wire import TensorData


def made(expression: str) -> TensorData:
    return tensors.tensor(ast.parse(expression, mode="eval").body)


def floats(*numbers: float, dtype="float32", shape=None) -> TensorData:
    code = {"float32": "f", "float16": "e", "float64": "d"}[dtype]
    return TensorData(dtype, shape or (len(numbers),), struct.pack(f"<{len(numbers)}{code}", *numbers))


@pytest.mark.parametrize(
    "expression",
    [
        "torch.tensor([[1.0, 2.0], [3.0, 4.0]])",
        "torch.tensor([1, 2])",
        "torch.tensor(7)",
        "torch.tensor([[], []])",
        "torch.zeros(2, 3)",
        "torch.zeros((2, 0, 3))",
        "torch.full((2, 2), 7.5)",
        "torch.arange(6.0).reshape(2, 3)",
        "torch.arange(3, 9)",
        "torch.arange(9, 3, -2)",
        "torch.arange(8, dtype=torch.float16).view(2, 4)",
    ],
)
@pytest.mark.needs("torch")
def test_a_transcripts_tensor_is_the_one_that_torch_makes(expression):
    import torch

    ours, theirs = made(expression), eval(expression, {"torch": torch})
    assert (ours.dtype, ours.shape) == (str(theirs.dtype).removeprefix("torch."), tuple(theirs.shape))
    assert list(ours.numbers()) == theirs.reshape(-1).tolist()


@pytest.mark.parametrize(
    "expression",
    [
        "torch.tensor([[1], [2, 3]])",
        "torch.arange(6).reshape(4)",
        "torch.tensor(['a'])",
        "torch.zeros(2, dtype=torch.x)",
    ],
)
def test_what_is_no_tensor_is_a_bad_example(expression):
    with pytest.raises(examples.BadExample):
        examples.read(f">>> x = {expression}\n")


@pytest.mark.parametrize(
    "tensor",
    [
        floats(1, 2.5, shape=(1, 2)),
        floats(*range(3, 63), shape=(5, 4, 3)),
        floats(*[float("nan")] * 6, shape=(2, 3)),
        floats(7, 7, 7, dtype="float16"),
    ],
)
@pytest.mark.needs("torch")
def test_a_short_tensor_is_shown_as_one_would_type_it(tensor):
    import torch

    again = eval(repr(tensor), {"torch": torch})
    assert (f"torch.{tensor.dtype}", tensor.shape) == (str(again.dtype), tuple(again.shape))
    assert struct.pack(f"{again.numel()}d", *again.reshape(-1).tolist()) == struct.pack(
        f"{again.numel()}d", *tensor.numbers()
    )


def test_a_long_tensor_is_shown_by_its_shape():
    assert repr(floats(*[n * n for n in range(60)], shape=(3, 20))) == "<float32 tensor of shape (3, 20)>"
    assert repr(TensorData("float32", (2,), b"abc")) == "<float32 tensor of shape (2,)>"
    assert repr(TensorData("no such", (-1, -3), b"abc")) == "<no such tensor of shape (-1, -3)>"


@pytest.mark.parametrize(
    ("dtype", "due", "got", "close"),
    [
        ("float32", 1000.0, 1000.005, True),
        ("float32", 1000.0, 1000.05, False),
        ("float32", 0.0, 9e-6, True),
        ("float32", 0.0, 2e-5, False),
        ("float16", 1.0, 1.0009765625, True),
        ("float16", 1.0, 1.00390625, False),
        ("float64", 1.0, 1.0 + 1e-10, True),
        ("float64", 1.0, 1.0 + 1e-8, False),
        ("float32", float("nan"), float("nan"), True),
        ("float32", float("nan"), 0.0, False),
        ("float32", 0.0, float("nan"), False),
        ("float32", float("inf"), float("inf"), True),
        ("float32", float("inf"), 3e38, False),
        ("float32", 1.0, float("-inf"), False),
    ],
)
def test_elements_are_as_close_as_the_dtype_allows(dtype, due, got, close):
    assert same(floats(5.0, due, dtype=dtype), floats(5.0, got, dtype=dtype)) is close


def test_another_dtype_or_shape_or_length_is_never_the_same():
    assert not same(floats(1.0), floats(1.0, dtype="float64"))
    assert not same(floats(1.0, 2.0), floats(1.0, 2.0, shape=(2, 1)))
    assert not same(floats(1.0), TensorData("float32", (1,), b""))
    assert not same(floats(1.0), [1.0])


FILL = {
    "problem.toml": """
title = { en = "Fill", zh = "填" }
chapter = 1
difficulty = "easy"
entry = ["fill", "total"]
requires = ["torch"]

[reference]
files = ["practice/problems/903-fill/reference.py"]
""",
    "examples.txt": """>>> x = torch.zeros(2, 2)
>>> fill(x, 1, 5.0)
>>> x.tolist()
[[0.0, 0.0], [5.0, 5.0]]
>>> total(x, torch.tensor([[1.0, 2.0]])).tolist()
[[6.0, 7.0]]
""",
    "oracle.py": """
def fill(x, row, value):
    x[row] = value


def total(x, y):
    return (x.astype("float64").sum(axis=0) + y).astype("float32")
""",
    "tests.py": """
import numpy as np

from practice.judging import Group, Op, Plan, plans

from . import oracle


def play(answer, plan):
    x = answer.given("x", np.full((4, 3), np.nan, dtype="float32"))
    for n, op in enumerate(plan.ops):
        answer.fill(x, op.pick % 4, 10.0 + n)
    for row in range(4):
        answer.fill(x, row, 0.1 * row)
    answer.total(x, np.arange(1, 4, dtype="float32").reshape(1, 3))


GROUPS = [Group("all", {"en": "all", "zh": "全部"}, 90, plans({"any": 1}, (2, 5)), play, oracle, programs=6)]
""",
}
FILL_RIGHT = """
import torch
def fill(x, row, value):
    x[row] = value
def total(x, y):
    return x.sum(0) + y
"""


@pytest.fixture
def filled(house, children):
    """filled(source): the verdict on an answer to 903."""
    problem = catalogue.read(house.add("903-fill", FILL))
    return lambda source, **more: judge(problem, source.encode(), children=children, **more)


@pytest.mark.needs("torch")
def test_a_given_tensor_is_written_into_and_looked_at(filled):
    found = filled(FILL_RIGHT)
    assert (found.verdict, found.score) == ("AC", 100), found.failed


@pytest.mark.needs("torch")
def test_a_failure_names_the_elements_that_differ(filled):
    found = filled(FILL_RIGHT.replace("x[row] = value", "x[row, 1:] = value"))
    failure = found.shortest.failure
    assert failure.steps[0] in ("x = torch.full((2, 2), 0.0)", 'x = torch.full((4, 3), float("nan"))')
    assert "x[0, 0]" in failure.expected or "x[1, 0]" in failure.expected
    found = filled(FILL_RIGHT.replace("x.sum(0) + y", "x.sum(0) - y"), shrink_seconds=0)
    [named] = [check.failure for check in found.failed if not check.visible]
    assert named.expected == {"result[0, 0]": 1.6, "result[0, 1]": 2.6, "result[0, 2]": 3.6}
    assert named.got == {"result[0, 0]": -0.4, "result[0, 1]": -1.4, "result[0, 2]": -2.4}


@pytest.mark.needs("torch")
def test_writing_into_a_copy_changes_nothing(filled):
    found = filled(FILL_RIGHT.replace("x[row] = value", "x = x.clone(); x[row] = value"))
    assert found.verdict == "WA"


def test_labels_are_in_the_readers_language():
    assert label("result[0, 1]", "en") == "result of the last call[0, 1]"
    assert label("x[0, 1]", "zh") == "x[0, 1]"
    assert label("x ≠", "en") == "x: elements that differ"


def test_many_differing_elements_are_counted():
    from practice.judging.difference import _note

    failure = Failure("WA")
    _note(failure, "x", floats(*range(9)), floats(*[-1.0] * 9))
    assert list(failure.expected) == ["x[0]", "x[1]", "x[2]", "x[3]", "x ≠"]
    assert (failure.expected["x ≠"], failure.got["x ≠"]) == (0, 9)


@pytest.mark.needs("torch")
def test_a_tensor_of_thousands_of_dimensions_is_wrong_and_no_more(filled):
    found = filled(FILL_RIGHT.replace("return x.sum(0) + y", "return torch.zeros([1] * 3000)"))
    assert found.verdict == "WA"
    assert "3000 dimensions" in json.dumps(found.as_json("en"))
