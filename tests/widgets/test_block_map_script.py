"""Lines of the block map's script: what is a call, what is refused before anything runs, and what each one does."""

import pytest

from paged import BlockPool
from paged.sequence import Sequence
from paged.widgets import block_map
from paged.widgets.block_map_script import Call, Name, ScriptError, parse


def calls(widget: object) -> list[str]:
    return [frame["call"] for frame in widget._frames[1:]]


def test_a_script_is_a_list_of_calls() -> None:
    script = "# two\na.append(5); b = a.fork()\n\nx = pool.allocate(-3)\npool.free([0, 2])\npool.free(x)\nS(pool, 4)"
    assert parse(script) == [
        Call(2, None, "a", "append", (5,)),
        Call(2, "b", "a", "fork", ()),
        Call(4, "x", "pool", "allocate", (-3,)),
        Call(5, None, "pool", "free", ([0, 2],)),
        Call(6, None, "pool", "free", (Name("x"),)),
        Call(7, None, "S", "", (Name("pool"), 4)),
    ]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("a.append(", "syntax"),
        ("a.append(5\x00)", "syntax"),
        ("(" * 9999, "syntax"),
        ("import os", "no_call"),
        ("x = 3", "no_call"),
        ("x = y = a.fork()", "no_call"),
        ("x.y = a.fork()", "no_call"),
        ("a", "no_call"),
        ("[a.fork() for i in x]", "no_call"),
        ("a.b.c()", "no_call"),
        ("a.fork()()", "no_call"),
        ("(lambda: 1)()", "no_call"),
        ("a.append(n=5)", "by_name"),
        ("a.append(*x)", "no_argument"),
        ("a.append(2 + 3)", "no_argument"),
        ("a.append(True)", "no_argument"),
        ("a.append(5.0)", "no_argument"),
        ("a.append('5')", "no_argument"),
        ("a.append(a.num_tokens)", "no_argument"),
        ("pool.free([x])", "no_argument"),
        ("pool.free([[0]])", "no_argument"),
        ("a.__init__(pool, 4)", "unknown_method"),
        ("pool.append(1)", "unknown_method"),
        ("a.share([1])", "unknown_method"),
    ],
)
def test_what_is_no_plain_call_is_refused_with_its_line(line: str, key: str) -> None:
    with pytest.raises(ScriptError) as refused:
        parse(f"a.append(1)\n{line}")
    assert refused.value.key == key
    assert refused.value.line == 2 or "(" * 9999 in line or "\x00" in line


def test_long_scripts_are_refused_with_their_size() -> None:
    with pytest.raises(ScriptError, match=r"too_many .*201"):
        parse("a.fork()\n" * 201)
    with pytest.raises(ScriptError, match=r"too_long .*20001"):
        parse("#" * 20_001)


def test_what_is_wrong_with_a_whole_script_is_said_of_no_line() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    with pytest.raises(ValueError, match=r"^201 calls are too many for one script, the limit is 200\.$"):
        widget.run("pool.num_free()\n" * 201)


def test_nothing_runs_if_one_line_cannot_be_read() -> None:
    pool = BlockPool(8)
    widget = block_map(pool, Sequence, "en")
    with pytest.raises(ValueError, match=r"Line 2: “print” is not a call"):
        widget.run("pool.allocate(3)\nprint")
    assert pool.num_free() == 8
    assert calls(widget) == []


def test_builtins_are_names_that_nobody_knows() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    for line in ("eval(1)", "exec(1)", "open(0)", "__import__(1)", "breakpoint()"):
        with pytest.raises(ValueError, match="is not known here"):
            widget.run(line)


def test_the_lines_before_an_unknown_name_have_run() -> None:
    pool = BlockPool(8)
    widget = block_map(pool, Sequence, "en")
    with pytest.raises(ValueError, match=r"Line 2: y is not known here; known are pool, x\."):
        widget.run("x = pool.allocate(3)\npool.free(y)\npool.allocate(1)")
    assert calls(widget) == ["x = pool.allocate(3)"]
    assert pool.num_free() == 5


def test_results_without_a_name_get_one() -> None:
    widget = block_map(BlockPool(64), Sequence, "en")
    widget.run("Sequence(pool, 4)\na.append(3)\na.fork()\nb.fork()\npool.allocate(1)\npool.allocate(1)")
    assert calls(widget) == [
        "a = Sequence(pool, 4)",
        "a.append(3)",
        "b = a.fork()",
        "c = b.fork()",
        "x = pool.allocate(1)",
        "y = pool.allocate(1)",
    ]
    widget.run("pool.allocate(1)\n" * 8)
    assert [call.split()[0] for call in calls(widget)[6:]] == ["z", "u", "v", "w", "x1", "y1", "z1", "u1"]


def test_a_name_that_holds_blocks_is_not_given_away() -> None:
    pool = BlockPool(8)
    widget = block_map(pool, Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(9)\nx = pool.allocate(2)")
    for line in ("a = a.fork()", "a = pool.allocate(1)"):
        with pytest.raises(ValueError, match="a still holds 3 blocks"):
            widget.run(line)
    with pytest.raises(ValueError, match="x still holds 2 blocks"):
        widget.run("x = a.fork()")
    for name in ("pool", "Sequence"):
        with pytest.raises(ValueError, match=f"{name} cannot be the name of a result"):
            widget.run(f"{name} = pool.allocate(1)")
    assert pool.ref_cnt == [1] * 5 + [0] * 3
    widget.run("pool.free(x)\nx = a.fork()\na.free()\na = pool.allocate(1)")
    assert widget.shown["tables"] == {"x": [0, 1, 2], "a": [5]}


def test_an_allocation_shares_and_frees_under_its_name() -> None:
    pool = BlockPool(8)
    widget = block_map(pool, lang="en")
    widget.run("x = pool.allocate(3)\ny = pool.allocate(2)\npool.share(x)\npool.free([4, 0])\npool.free(x)")
    assert widget.shown["tables"] == {"x": [1, 2], "y": [3]}
    assert widget.shown["ref_cnt"] == pool.ref_cnt == [0, 1, 1, 1, 0, 0, 0, 0]
    assert widget.shown["free_queue"] == [5, 6, 7, 4, 0]


def test_what_a_call_returns_is_said() -> None:
    widget = block_map(BlockPool(4), Sequence, "en")
    widget.run("a = Sequence(pool, 2)\na.append(3)\na.slot_mapping([0, 2])\npool.num_free()\npool.allocate(9)")
    said = [tuple(frame["outcome"]) for frame in widget._frames[3:]]
    assert said[:2] == [("returned", {"result": "[0, 2]"}), ("returned", {"result": "2"})]
    assert said[2][0] == "none"
    with pytest.raises(ValueError, match="append returns nothing to keep"):
        widget.run("x = a.append(1)")
