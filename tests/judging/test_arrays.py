"""Problems on numpy: arrays cross as arrays, and are no tensors."""

import ast
import json

import pytest
from house import DOUBLE

from practice.judging import catalogue, examples, tensors
from practice.judging.compare import same
from practice.judging.verdict import judge
from practice.judging.wire import ArrayData, TensorData, pack, packed, unpack

SCALE = DOUBLE | {
    "problem.toml": """
title = { en = "Scale", zh = "缩放" }
chapter = 1
difficulty = "easy"
entry = ["scale", "clear"]
requires = ["numpy"]

[reference]
files = ["practice/problems/903-scale/reference.py"]

[limits]
address_mb = 4096
""",
    "examples.txt": """>>> x = np.arange(4, dtype=np.float32).reshape(2, 2)
>>> scale(x, 2.0).tolist()
[[0.0, 2.0], [4.0, 6.0]]
>>> clear(x)
>>> x.tolist()
[[0.0, 0.0], [0.0, 0.0]]
""",
    "oracle.py": """
def scale(x, by):
    return (x * by).astype(x.dtype)


def clear(x):
    x[...] = 0
""",
    "tests.py": """
import numpy as np

from practice.judging import Group, plans

from . import oracle


def play(answer, plan):
    x = answer.given("x", np.arange(1, 4, dtype=plan.dtype))
    answer.scale(x, 0.5)
    answer.clear(x)


GROUPS = [
    Group(
        "any",
        {"en": "any", "zh": "任意"},
        90,
        plans({"any": 1}, (2, 4), dtype=["float32", "float16"]),
        play,
        oracle,
        programs=4,
        arrays=True,
    )
]
""",
}
RIGHT = "def scale(x, by):\n    return (x * by).astype(x.dtype)\n\n\ndef clear(x):\n    x[...] = 0\n"


@pytest.fixture
def scale(house):
    """scale(source): the verdict on an answer to a problem that requires numpy alone."""
    pytest.importorskip("numpy")
    problem = catalogue.read(house.add("903-scale", SCALE))
    return lambda source: judge(problem, source.encode())


def test_arrays_go_to_an_answer_and_come_back(scale):
    found = scale(RIGHT)
    assert (found.verdict, found.score) == ("AC", 100), [(c.name, c.failure) for c in found.checks]


@pytest.mark.parametrize(
    ("edit", "got"),
    [
        (("(x * by).astype(x.dtype)", "x + by"), "result[0]"),
        (("(x * by).astype(x.dtype)", "(x * by).astype('float64')"), "result"),
        (("(x * by).astype(x.dtype)", "(x * by).tolist()"), "result"),
        (("x[...] = 0", "x = x * 0"), "x[0]"),
    ],
)
def test_a_wrong_element_dtype_or_kind_is_named(scale, edit, got):
    found = scale(RIGHT.replace(*edit))
    assert found.verdict == "WA"
    assert got in found.failed[-1].failure.got


def test_arrays_are_shown_as_one_would_type_them(scale):
    [*_, last] = scale(RIGHT.replace("x * by", "x + by")).failed
    assert last.failure.steps[0] == "x = np.array([1.0, 2.0, 3.0], dtype=np.float32)"
    assert json.dumps(last.as_json("en"))


def test_a_transcripts_array_is_the_one_that_numpy_makes():
    numpy = pytest.importorskip("numpy")
    for expression in (
        "np.array([[1.0, 2.0]])",
        "np.array([1, 2], dtype=np.int32)",
        "np.zeros((2, 3))",
        "np.full((2, 2), 7.5, dtype=np.float16)",
        "np.arange(6.0).reshape(2, 3)",
    ):
        ours = tensors.tensor(ast.parse(expression, mode="eval").body)
        theirs = eval(expression, {"np": numpy})
        assert type(ours) is ArrayData
        assert (ours.dtype, ours.shape, ours.data) == (theirs.dtype.name, theirs.shape, theirs.tobytes())
        again = eval(repr(ours), {"np": numpy})
        assert (again.dtype, again.tolist()) == (theirs.dtype, theirs.tolist())


def test_a_transcript_knows_by_np_what_its_lists_stand_for():
    [torch, numpy] = examples.read(">>> f(torch.zeros(1)).tolist()\n[1.0]\n---\n>>> f(np.zeros(1)).tolist()\n[1.0]\n")
    assert type(torch.calls[0].expected()[1]) is TensorData
    assert type(numpy.calls[0].expected()[1]) is ArrayData


def test_an_array_is_no_tensor_though_all_its_elements_are_right():
    array, tensor = ArrayData("float32", (1,), b"\0\0\x80\x3f"), TensorData("float32", (1,), b"\0\0\x80\x3f")
    assert same(array, unpack(pack(array))) and same(tensor, unpack(pack(tensor)))
    assert not same(array, tensor) and not same(tensor, array)


def test_an_array_is_not_mistaken_for_the_bytes_it_holds():
    numpy = pytest.importorskip("numpy")
    known = {}
    array = numpy.array([97], "uint8")
    for value in (b"a", array, b"a", [array], [b"a"]):
        assert unpack(json.loads(packed(value, known))) == unpack(pack(value))
