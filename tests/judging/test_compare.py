"""What counts as the same: exact types, a list for a tuple, floats within 1e-9, and NaN never."""

import math

import pytest

from practice.judging.compare import same
from practice.judging.wire import Foreign, TensorData

nan = math.nan


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (None, None),
        (True, True),
        (1, 1),
        (2**63 - 1, 2**63 - 1),
        ("a", "a"),
        (b"a", b"a"),
        ([1, [2]], [1, [2]]),
        ((1, 2), (1, 2)),
        ((1, 2), [1, 2]),  # a list is as good as a tuple
        ([(0, 1)], [[0, 1]]),
        (1.0, 1),  # and a number as good as a float
        (0.1 + 0.2, 0.3),
        (1e300, 1e300 * (1 + 1e-12)),
        (0.0, 1e-15),
        (0.0, -0.0),
        (math.inf, math.inf),
        ({1: (2,)}, {1: [2]}),
        (TensorData("int64", (1,), bytes(8)), TensorData("int64", (1,), bytes(8))),
    ],
)
def test_same(expected, got):
    assert same(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, True),
        (0, False),
        (True, 1),
        (None, False),
        (None, 0),
        (1, 1.0),
        (1, "1"),
        ("a", b"a"),
        ([1, 2], (1, 2)),  # a tuple is no list
        ([], None),
        ([], ()),
        ([1], [1, 1]),
        ([1, 1], [1]),
        ([1], [True]),
        ((1,), [True]),
        (1.0, True),
        (1.0, "1.0"),
        (1.0, 1.0 + 1e-8),
        (0.0, 1e-9),
        (nan, nan),
        (1.0, nan),
        (nan, 1.0),
        ([nan], [nan]),
        (math.inf, -math.inf),
        (math.inf, 1e308),
        ({1: 1}, {1: True}),
        ({1: 1}, [1]),
        ({1: 1, 2: 2}, {1: 1}),
        ({1: 1}, {True: 1}),
        ({1: 1}, {1.0: 1}),
        ({(1,): 1}, {(True,): 1}),
        ({nan: 1}, {float("nan"): 1}),
        (Foreign("a Box"), Foreign("a Box")),
        ([Foreign("a Box")], [Foreign("a Box")]),
        ({Foreign("a Box"): 1}, {Foreign("a Box"): 1}),
        (0.5, Foreign("a Box")),
        (TensorData("int64", (1,), bytes(8)), TensorData("int64", (1, 1), bytes(8))),
        (TensorData("int64", (1,), bytes(8)), TensorData("float64", (1,), bytes(8))),
    ],
)
def test_not_same(expected, got):
    assert not same(expected, got)


@pytest.mark.parametrize("huge", [10**400, -(10**400)], ids=["positive", "negative"])
@pytest.mark.parametrize("expected", [0.5, math.inf, nan])
def test_a_number_beyond_all_floats_is_not_the_float_that_is_due(expected, huge):
    assert not same(expected, huge)
