"""What the judge makes of a child's answers, the honest and the mangled ones."""

import pytest
from fake_child import answered, call, frame, outcome_of, row

from practice.judging.program import Program
from practice.judging.wire import Handle

ONE = Program([call([0, 1])])


def ok(value, *state):
    return ["ok", value, list(state)]


def test_the_rows_that_are_due_are_no_failure():
    assert outcome_of(answered([ok([0, 1])]), ONE) is None


def test_a_list_where_a_tuple_is_due_is_no_failure():
    assert outcome_of(answered([ok([3, 4])]), Program([call((3, 4))])) is None


def test_the_first_call_that_differs_is_the_failure():
    program = Program([call(1), call(2), call(3)])
    failure = outcome_of(answered([ok(1), ok(5), ok(6)]), program)
    assert (failure.verdict, failure.step) == ("WA", 1)
    assert (failure.expected, failure.got) == ({"result": 2}, {"result": 5})
    assert failure.steps == ["f()", "f()"]


def test_every_field_that_differs_is_named():
    program = Program(
        [call(None, result="pool", args=[4]), call(None, target="pool", name="free")],
        watch=[("pool", ("num_free()", "ref_cnt", "copies"))],
    )
    program.calls[0].row = row(None, state=(4, [0], []))
    program.calls[1].row = row(None, state=(4, [0], []))
    failure = outcome_of(answered([ok(None, 4, [0], []), ok(None, 4, [1], {"t": []})]), program)
    assert failure.expected == {"pool.ref_cnt": [0], "pool.copies": []}
    assert failure.got == {"pool.ref_cnt": [1], "pool.copies": ()}
    assert failure.state == {"pool.num_free()": 4, "pool.ref_cnt": [1], "pool.copies": ()}
    assert failure.steps == ["pool = f(4)", "pool.free()"]


def test_fields_read_on_the_way_are_left_out_of_the_steps():
    program = Program([call(1), call(2, args=None), call(3, args=None)])
    failure = outcome_of(answered([ok(1), ok(2), ok(4)]), program)
    assert failure.steps == ["f()", "f"]


def test_an_exception_that_is_due_is_known_by_its_type():
    program = Program([call("MemoryError", "raised")])
    note = {"0": {"type": "MemoryError", "said": "none left"}}
    assert outcome_of(answered([["raised", "MemoryError", []]], notes=note), program) is None
    failure = outcome_of(answered([["raised", "ValueError", []]], notes={"0": {"type": "ValueError"}}), program)
    assert failure.verdict == "RE"
    failure = outcome_of(answered([ok(None)]), program)
    assert (failure.verdict, repr(failure.expected["result"])) == ("WA", "raises MemoryError")


def test_a_memory_error_that_is_not_due_is_a_wrong_answer():
    """The learner refused where there was room; that is no crash."""
    note = {"0": {"type": "MemoryError", "said": "none left", "line": 7, "where": "append"}}
    failure = outcome_of(answered([["raised", "MemoryError", []]], notes=note), ONE)
    assert failure.verdict == "WA"
    assert repr(failure.got["result"]) == "raises MemoryError: none left (line 7, in append)"


def test_what_would_end_a_process_is_a_runtime_error_by_any_name():
    note = {"0": {"type": "MemoryError", "leaves": True}}
    assert outcome_of(answered([["raised", "MemoryError", []]], notes=note), ONE).verdict == "RE"


def test_an_object_that_was_not_born_has_no_fields_to_compare():
    program = Program([call(None, result="pool", args=[4])], watch=[("pool", ("ref_cnt",))])
    program.calls[0].row = row(None, state=([0],))
    failure = outcome_of(answered([["raised", "TypeError", []]], notes={"0": {"type": "TypeError"}}), program)
    assert (failure.verdict, failure.step, list(failure.expected)) == ("RE", 0, ["result"])


@pytest.mark.parametrize(
    ("header", "verdict"),
    [
        ({"ended": "time", "call": 0}, "TLE"),
        ({"ended": "memory", "call": 0, "peak_mb": 300.5}, "MLE"),
        ({"ended": "output", "call": 0}, "OLE"),
        ({"ended": "early", "call": 0, "status": -11}, "RE"),
        ({"ended": "early", "call": 0, "status": -999}, "RE"),
        ({"ended": "syntax", "line": 3, "said": "invalid"}, "CE"),
        ({"ended": "anything else"}, "RE"),
    ],
)
def test_how_a_fork_ended_decides_the_verdict(header, verdict):
    assert outcome_of(frame(header), ONE).verdict == verdict


@pytest.mark.parametrize(("number", "step"), [(-1, -1), (0, 0), (5, 0), (-(2**63), -1), (2**63 - 1, 0)])
def test_a_call_number_is_held_within_the_program(number, step):
    failure = outcome_of(frame({"ended": "time", "call": number}), ONE)
    assert failure.step == step
    assert len(failure.steps) == step + 1


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [None],
        [1],
        ["ok"],
        [[]],
        [["ok"]],
        [["ok", 1]],
        [["ok", 1, [], 4]],
        [["ok", 1, [2]]],
        [["ok", 1, {}]],
        [[1, 1, []]],
        [[None, [0, 1], []]],
        [["OK", [0, 1], []]],
        [["ok", {"x": 1}, []]],
        [["ok", 0.5, []]],
        [["ok", {"t": [0, 1]}, []]],
        [["ok", {"h": "pool"}, []]],
        [["ok", [0, 1], None]],
        [["raised", [0, 1], []]],
        [["raised", {"d": []}, []]],
        [["raised", {"o": "MemoryError"}, []]],
        [["raised", None, []]],
        [["ok", 10**400, []]],
    ],
    ids=str,
)
def test_rows_that_are_not_the_ones_due_are_a_failure(rows):
    assert outcome_of(answered(rows), ONE).verdict in ("WA", "RE")


@pytest.mark.parametrize(
    "expected", [None, True, 7, 0.5, "a", (0.5, 1.0), [1], {1: 2}, Handle("a"), b"x"], ids=lambda value: repr(value)
)
@pytest.mark.parametrize(
    "got",
    [
        ["ok", 10**400, []],
        ["ok", {"t": [10**400, -(10**400)]}, []],
        ["raised", [1], []],
        ["raised", {"d": [[1, [2]]]}, []],
        ["raised", 10**400, []],
        ["ok", {"d": [[{"f": "nan"}, {"o": "x"}]]}, []],
        ["ok", {"T": ["float32", [-1], ""]}, []],
        ["ok", {"T": ["", [10**400], ""]}, []],
    ],
    ids=lambda got: str(got)[:24],
)
def test_forged_values_are_a_failure_whatever_is_due(expected, got):
    assert outcome_of(answered([got]), Program([call(expected)])).verdict in ("WA", "RE")


@pytest.mark.parametrize("whole", [b'{"answers": [%s]}', b"%s"], ids=["one answer", "all of it"])
@pytest.mark.parametrize(
    "part",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"{}, {}",
        b'{"rows": 1}',
        b'{"rows": {}}',
        b'{"rows": [1',
        b'{"rows": [["ok", [0, 1], []]], "notes": 1}',
        b'{"rows": [["raised", "X", []]], "notes": {"0": {"line": "x"}}}',
        b'{"missing": [1]}',
        b'{"failed": 1}',
        b'{"failed": {"line": 1e999}}',
        b'{"rows": [' + b"[" * 2000 + b"]" * 2000 + b"]}",
        b'{"rows": [["ok", ' + b"[" * 900 + b"]" * 900 + b", []]]}",
        b'{"rows": [["ok", \xff, []]]}',
        b'{"rows": [["ok", NaN, []]]}',
        b'{"rows": [["ok", ' + b"1" * 5000 + b", []]]}",
    ],
    ids=lambda part: repr(part[:40]),
)
def test_a_body_that_says_nothing_sensible_is_a_failure(part, whole):
    assert outcome_of(frame({"ended": "well"}, whole % part), ONE).verdict in ("WA", "RE", "CE")


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"ended": None},
        {"ended": 5},
        {"ended": "well", "call": "0"},
        {"ended": "well", "call": 2**64},
        {"ended": "well", "call": 10**400},
        {"ended": "time", "call": 1.5},
        {"ended": "well", "cpu": "fast"},
        {"ended": "early", "status": 10**30},
        {"ended": "memory", "peak_mb": 10**400},
        {"ended": "syntax", "line": 10**400},
        {"ended": "well", "printed": 3},
        {"hello": [3, 11, 2]},
    ],
    ids=lambda header: str(header)[:40],
)
def test_a_header_with_wrong_types_is_a_failure(header):
    assert outcome_of(frame(header), ONE).verdict in ("RE", "TLE", "MLE", "CE")


def test_a_child_that_ends_is_a_runtime_error():
    failure = outcome_of(answered([ok([0, 1])])[:-1], ONE)
    assert (failure.verdict, failure.why) == ("RE", "gone")


def test_a_child_that_falls_silent_is_too_slow():
    failure = outcome_of(answered([ok([0, 1])])[:-1], ONE, seconds=0.1, stays=True)
    assert (failure.verdict, failure.why) == ("TLE", "total")


def test_nothing_is_sent_when_the_time_is_up():
    failure = outcome_of(b"", ONE, seconds=-1.0, stays=True)
    assert (failure.verdict, failure.why) == ("TLE", "total")


def test_what_a_failure_says_is_short_even_if_the_child_says_a_lot():
    """It goes to a terminal, a notebook and a JSON line."""
    flood = "x" * 3_000_000
    for sent in (
        answered([], missing=[flood]),
        answered([], failed={"type": flood, "said": flood}),
        answered([["raised", "ValueError", []]], notes={"0": {"type": flood}}),
        frame({"ended": "syntax", "said": flood}),
        frame({"ended": "time", "printed": flood}),
        answered([["ok", {"o": flood}, []]]),
    ):
        failure = outcome_of(sent, ONE)
        assert len(failure.detail) + len(failure.printed) + len(str(failure.got)) < 10_000
