"""Plain data crosses the wire and comes back as it was; everything else arrives as a description of itself."""

import contextlib
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practice.judging.wire import MAX_DEPTH, MAX_ITEMS, MAX_TEXT, Foreign, Handle, TensorData, pack, unpack


def crossed(value):
    return unpack(json.loads(json.dumps(pack(value))))


def identical(a, b) -> bool:
    """Same types and same values all the way down; NaN is NaN, -0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if type(a) is float:
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if type(a) in (list, tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    if type(a) is dict:
        return len(a) == len(b) and all(identical(x, y) and identical(a[x], b[y]) for x, y in zip(a, b, strict=True))
    return a == b


edges = st.sampled_from([sign * (2**bits) + d for sign in (1, -1) for bits in (31, 53, 62) for d in (-1, 0, 1)])
ints = st.integers(-(2**63), 2**63 - 1) | edges | st.sampled_from([-(2**63), 2**63 - 1])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
hashable = st.none() | st.booleans() | ints | texts | st.binary(max_size=9) | st.floats(allow_nan=False)
hashable |= st.tuples(ints, texts)
plain = st.recursive(
    st.none() | st.booleans() | ints | st.floats() | texts | st.binary(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(hashable, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(plain)
@settings(max_examples=120)
def test_plain_data_comes_back_as_it_was(value):
    assert identical(crossed(value), value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, -0.0, 5e-324, 0.1])
def test_every_float_crosses(value):
    assert identical(crossed(value), value)


def test_a_handle_and_a_tensor_cross():
    assert crossed([Handle("pool")]) == [Handle("pool")]
    tensor = TensorData("bfloat16", (2, 0, 3), b"")
    assert crossed(tensor) == tensor
    assert crossed(TensorData("int64", (1,), bytes(8))) == TensorData("int64", (1,), bytes(8))


def test_a_lone_surrogate_is_spelled_out():
    """UTF-8 has no place for it; what it is stays readable."""
    assert crossed("a\ud800b") == "a\\ud800b"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2**63, "an int of 64 bits"),
        (-(2**63) - 1, "an int of 64 bits"),
        (1 << 5000, "an int of 5001 bits"),
        (1j, "a complex"),
        ({1}, "a set"),
        (range(3), "a range"),
        (bytearray(2), "a bytearray"),
        (print, "a builtin_function_or_method"),
        (type("Int", (int,), {})(1), "an Int"),
        (type("List", (list,), {})(), "a List"),
        (type("Str", (str,), {})("x"), "a Str"),
        (type("Float", (float,), {})(0.5), "a Float"),
        (type("Dict", (dict,), {})(), "a Dict"),
        (type("X" * 500, (), {})(), "a " + "X" * 60),
        ("x" * (MAX_TEXT + 1), f"a str of {MAX_TEXT + 1} characters"),
        (b"x" * (MAX_TEXT + 1), f"bytes of length {MAX_TEXT + 1}"),
        ([0] * (MAX_ITEMS + 1), f"a list with more than {MAX_ITEMS} items in all"),
    ],
    ids=lambda value: str(value)[:20] if type(value) is str else type(value).__name__,
)
def test_what_is_no_plain_data_arrives_as_a_description(value, said):
    assert crossed(value) == Foreign(said)
    assert crossed([(value,)]) == [(Foreign(said),)]


def test_the_limits_themselves_still_cross():
    deepest = 0
    for _ in range(MAX_DEPTH):
        deepest = [deepest]
    for value in ("x" * MAX_TEXT, [0] * MAX_ITEMS, deepest, 2**63 - 1, -(2**63)):
        assert crossed(value) == value


def test_items_are_counted_over_the_whole_value():
    shared = [0] * 1000
    got = crossed([shared] * 1000)
    assert got[0] == shared
    assert got[-1] == Foreign(f"a list with more than {MAX_ITEMS} items in all")


def test_a_list_that_holds_itself_ends():
    loop = []
    loop.append(loop)
    got = crossed(loop)
    for _ in range(MAX_DEPTH):
        [got] = got
    assert got == Foreign(f"a list nested deeper than {MAX_DEPTH}")


def test_an_object_with_a_hostile_class_is_not_asked_anything():
    class Hostile:
        def __getattribute__(self, name):
            raise AssertionError(name)

        __eq__ = __hash__ = __len__ = __iter__ = __repr__ = __getattribute__

    assert crossed(Hostile()) == Foreign("a Hostile")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("tdfbohTx") | st.text(max_size=2), inner, max_size=2)
        | st.builds(lambda dtype, shape, data: {"T": [dtype, shape, data]}, inner, inner, inner)
        | st.builds(lambda pairs: {"d": pairs}, st.lists(st.tuples(inner, inner).map(list), max_size=3))
    ),
    max_leaves=15,
)


@given(anything)
@settings(max_examples=200)
def test_unpacking_whatever_json_gives_a_value_or_a_value_error(value):
    with contextlib.suppress(ValueError):
        unpack(json.loads(json.dumps(value)))


@pytest.mark.parametrize(
    "level", [lambda v: [v], lambda v: {"t": [v]}, lambda v: {"d": [[0, v]]}], ids=["list", "tuple", "dict"]
)
def test_unpacking_what_is_nested_too_deep_is_a_value_error(level):
    """json and msgspec both read a nesting of 900."""
    value = 0
    for _ in range(900):
        value = level(value)
    with pytest.raises(ValueError):
        unpack(value)


@pytest.mark.parametrize(
    "value",
    [
        {"d": [[{"d": []}, 1]]},
        {"d": [[[], 1]]},
        {"d": [[1]]},
        {"d": [1]},
        {"T": [1, [2], ""]},
        {"T": ["float32", [True], ""]},
        {"T": ["float32", 3, ""]},
        {"T": ["float32", [1]]},
        {"f": "one"},
        {"f": 1},
        {"b": "*"},
        {"b": "é"},
        {"h": 1},
        {"o": None},
        {"z": 1},
        {"t": 1, "d": 2},
        {},
        0.5,
    ],
    ids=json.dumps,
)
def test_what_pack_never_says_is_a_value_error(value):
    with pytest.raises(ValueError):
        unpack(value)


def test_handles_are_looked_up_on_the_learners_side():
    pool = object()
    assert unpack([{"h": "pool"}], handles={"pool": pool})[0] is pool


@pytest.mark.parametrize(
    "forged",
    [
        {"T": ["float32", [1] * 17, ""]},
        {"T": ["float32", [2**63], ""]},
        {"T": ["float32", [2**4000], ""]},
        {"T": ["\x1b[2J", [1], ""]},
        {"T": ["float32", {"0": 1}, ""]},
        {"h": "\x1b[2J"},
        {"h": "a.b"},
        {"h": "x" * 61},
    ],
)
def test_a_forged_tensor_or_handle_is_no_value(forged):
    """Neither may it make the judge count for minutes, nor drive the learner's terminal."""
    with pytest.raises(ValueError):
        unpack(forged)


def test_what_is_unpacked_may_be_changed_and_the_packed_value_stays():
    """Several answers play the same program, one after another."""
    packed = [[1, 2], {"t": [[3]]}, [4]]
    rows, (row,), last = unpack(packed)
    rows.append(9), row.append(9), last.append(9)
    assert packed == [[1, 2], {"t": [[3]]}, [4]]
