"""Is what the learner's code gave what was due? Values are compared by exact type, never by their own `==`."""

import math
from collections.abc import Iterator

from practice.judging.wire import ANYTHING, Between, Foreign, TensorData

# How far a number may be from what is due, × max(1, |due|): a tensor's rounding is not the learner's doing.
TOLERANCE = {"float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2}


def same(expected: object, got: object) -> bool:
    """Exact types: 1 is not True, a list is not a tuple. Some things are as good as what is due: a list where a tuple
    is due, a number within 1e-9 of a float or within stated bounds, and a tensor of the same dtype and shape whose
    elements are close."""
    if type(expected) is Between:
        return expected == ANYTHING or (type(got) in (float, int) and expected.least <= got <= expected.most)
    if type(expected) is float:
        try:
            return type(got) in (float, int) and math.isclose(expected, got, rel_tol=1e-9, abs_tol=1e-12)
        except OverflowError:
            return False  # an int beyond all floats
    if type(expected) is tuple and type(got) in (tuple, list):
        return len(expected) == len(got) and all(map(same, expected, got))
    if type(expected) is not type(got) or isinstance(got, Foreign):
        return False
    if type(expected) is list:
        return len(expected) == len(got) and all(map(same, expected, got))
    if type(expected) is dict:
        return same(list(expected.items()), list(got.items()))
    if isinstance(expected, TensorData):
        return expected == got or (comparable(expected, got) and not any(differing(expected, got)))
    return expected == got


def comparable(expected: object, got: object) -> bool:
    """Whether both are tensors, or both arrays, that can be compared element by element."""
    if not isinstance(expected, TensorData) or type(got) is not type(expected):
        return False
    return (expected.dtype, expected.shape) == (got.dtype, got.shape) and len(expected.data) == len(got.data)


def differing(expected: TensorData, got: TensorData) -> Iterator[tuple[tuple[int, ...], object, object]]:
    """(index, due, got) of every element that is too far from what is due; NaN is only as good as NaN."""
    tolerance = TOLERANCE.get(expected.dtype, 0)
    for place, (due, have) in enumerate(zip(expected.numbers(), got.numbers(), strict=True)):
        if due == have or (due != due and have != have):
            continue
        if not math.isfinite(due) or not abs(due - have) <= tolerance * max(1, abs(due)):
            yield _index(place, expected.shape), due, have


def _index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        place, last = divmod(place, size)
        index.append(last)
    return tuple(reversed(index))
