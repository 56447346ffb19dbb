"""A problem on tensors: they cross both ways as dtype, shape and bytes, whatever the sandbox."""

import pytest

from practice.judging import catalogue
from practice.judging.verdict import judge

PROBLEM = {
    "problem.toml": """
title = { en = "Twice", zh = "两倍" }
chapter = 1
difficulty = "easy"
entry = ["twice"]
requires = ["torch"]

[reference]
files = ["practice/problems/902-twice/oracle.py"]
""",
    "examples.txt": ">>> twice(2)\n4\n",
    "oracle.py": "def twice(x):\n    return x + x\n",
    "tests.py": """
import torch

from practice.judging import Group, Op, Plan, plans

from . import oracle

DTYPES = [torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int64, torch.int32, torch.uint8]
SHAPES = [(3,), (2, 3), (0,), (2, 0, 4), (), (1, 1, 1)]


def play(answer, plan):
    for dtype in DTYPES:
        for shape in SHAPES:
            numbers = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
            answer.twice(numbers)
            answer.count(str(dtype))
    answer.twice(torch.arange(12).reshape(3, 4).T)  # not contiguous
    answer.twice(torch.tensor([float("inf"), -0.0, 1e-45]))


GROUPS = [Group("all", {"en": "all", "zh": "全部"}, 90, plans({}, (0, 0)), play, oracle, programs=1,
                always=[Plan({}, [])])]
""",
}
RIGHT = "import torch\ndef twice(x):\n    return x * 2\n"
MODES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("plain", marks=pytest.mark.slow),
]
pytestmark = pytest.mark.needs("torch")


@pytest.fixture(params=MODES)
def mode(request, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", request.param)
    return request.param


@pytest.fixture
def twice(house):
    return catalogue.read(house.add("902-twice", PROBLEM))


def test_tensors_cross_both_ways(twice, mode):
    found = judge(twice, RIGHT.encode())
    assert (found.sandbox, found.verdict, found.score) == (mode, "AC", 100), found.failed
    assert found.coverage["torch.bfloat16"] == 12


@pytest.mark.parametrize(
    ("body", "differs"),
    [
        ("x * 2 if x.dtype != torch.bfloat16 else x.float() * 2", "dtype"),
        ("x * 2 if x.numel() else torch.empty(0, dtype=x.dtype)", "shape"),
        ("(x * 2).tolist()", "type"),
        ("torch.nn.Parameter(x * 2) if x.is_floating_point() else x * 2", "type"),
        ("x * 3", "values"),
    ],
)
@pytest.mark.slow
def test_what_differs_from_the_tensor_that_is_due_is_wrong(twice, body, differs):
    source = f"import torch\ndef twice(x):\n    return x * 2 if type(x) is int else {body}\n"
    found = judge(twice, source.encode(), shrink_seconds=0)
    assert (found.verdict, found.score) == ("WA", 10), differs
