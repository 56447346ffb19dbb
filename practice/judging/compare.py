"""Is what the learner's code gave what was due? Values are compared by exact type, never by their own `==`."""

import math

from practice.judging.wire import Foreign


def same(expected: object, got: object) -> bool:
    """Exact types: 1 is not True, a list is not a tuple. Two things are as good as what is due: a list where a tuple is
    due, and a number within 1e-9 of a float."""
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
    return expected == got
