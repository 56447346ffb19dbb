"""A failing run frame by frame: one frame per call, with what was due and what came, as plain data for the replay."""

import json

import pytest
from fake_child import answered, call, outcome_of, row
from house import RIGHT, WRONG

import judge as front_door
import paged.widgets
from practice.judging import catalogue, notebook
from practice.judging.drive import Driver
from practice.judging.failure import Failure
from practice.judging.frames import frames
from practice.judging.program import Program, Recorder
from practice.judging.warm import Children
from practice.judging.wire import TensorData, pack

WATCH = [("pool", ("num_free()", "ref_cnt"))]
TENSOR = TensorData("float32", (2,), bytes(8))


def due(state: tuple, value: object, outcome: str = "ok", **more):
    """A call with what is due after it."""
    step = call(value, outcome, **more)
    step.row = row(value, outcome, state)
    return step


def pool_run(*steps) -> Program:
    """A run that begins with a pool of two blocks."""
    born = due((2, [0, 0]), None, result="pool", name="BlockPool", args=[2], kind="BlockPool")
    return Program([born, *steps], watch=WATCH)


def asks(name: str, *args, state: tuple, value: object = None, outcome: str = "ok"):
    return due(state, value, outcome, target="pool", name=name, args=list(args))


BORN = ["ok", None, [2, [0, 0]]]
PLAIN = {"result": None, "pool.num_free()": 2, "pool.ref_cnt": [0, 0]}


def test_one_frame_per_call_up_to_the_one_that_differs():
    program = pool_run(
        asks("allocate", 1, state=(1, [1, 0]), value=[0]),
        asks("allocate", 1, state=(0, [1, 1]), value=[1]),
        asks("allocate", 1, state=(0, [1, 1]), value=None),
    )
    rows = [BORN, ["ok", [0], [1, [1, 0]]], ["ok", [0], [1, [2, 0]]], ["ok", [1], [0, [2, 1]]]]
    assert frames(outcome_of(answered(rows), program)) == [
        {"call": "pool = BlockPool(2)", "expected": PLAIN, "got": PLAIN},
        {
            "call": "pool.allocate(1)",
            "expected": {"result": [0], "pool.num_free()": 1, "pool.ref_cnt": [1, 0]},
            "got": {"result": [0], "pool.num_free()": 1, "pool.ref_cnt": [1, 0]},
        },
        {
            "call": "pool.allocate(1)",
            "expected": {"result": [1], "pool.num_free()": 0, "pool.ref_cnt": [1, 1]},
            "got": {"result": [0], "pool.num_free()": 1, "pool.ref_cnt": [2, 0]},
        },
    ]


def test_an_exception_stands_where_the_result_would():
    program = pool_run(
        asks("append", 9, state=(2, [0, 0]), value="MemoryError", outcome="raised"),
        asks("free", [], state=(2, [0, 0])),
    )
    notes = {"2": {"type": "KeyError", "said": "'x'", "line": 3, "where": "free"}}
    rows = [BORN, ["raised", "MemoryError", [2, [0, 0]]], ["raised", "KeyError", [1, [0, 0]]]]
    found = frames(outcome_of(answered(rows, notes=notes), program))
    results = [(frame["expected"]["result"], frame["got"]["result"]) for frame in found]
    assert results == [(None, None), ("raises MemoryError", "raises MemoryError"), (None, "raises KeyError")]
    assert found[2]["got"] == {"result": "raises KeyError", "pool.num_free()": 1, "pool.ref_cnt": [0, 0]}


def test_an_object_that_was_never_born_has_no_fields_on_its_side():
    program = pool_run(asks("num_free", state=(2, [0, 0]), value=2))
    sent = answered([["raised", "NotImplementedError", []]], notes={"0": {"type": "NotImplementedError"}})
    assert frames(outcome_of(sent, program)) == [
        {"call": "pool = BlockPool(2)", "expected": PLAIN, "got": {"result": "raises NotImplementedError"}}
    ]


def test_what_is_no_plain_data_is_told_in_words():
    program = pool_run(asks("name", state=(2, [0, 0]), value="a"))
    rows = [BORN, ["ok", {"o": "a set"}, [{"d": [["a", 1]]}, {"t": [1, {"f": "0.5"}]}]]]
    [_, last] = frames(outcome_of(answered(rows), program))
    assert last["expected"]["result"] == "'a'"
    assert last["got"] == {"result": "<a set>", "pool.num_free()": "{'a': 1}", "pool.ref_cnt": (1, 0.5)}


@pytest.mark.parametrize(
    "failure",
    [
        Failure("TLE", 1, pool_run(), why="call", detail="1.0"),
        Failure("RE", 0, pool_run(), why="exit", detail="exit 0"),
        Failure("CE", why="syntax", detail="line 1"),
        Failure("TLE", why="total", detail="10.0"),
    ],
    ids=["endless", "left", "not parsed", "no time"],
)
def test_a_run_that_died_has_no_frames(failure):
    assert frames(failure) == []


@pytest.mark.parametrize("forged", [[BORN], [BORN, None], [BORN, ["ok", 1, []]]], ids=["short", "null", "no state"])
def test_rows_that_are_no_answer_end_the_frames(forged):
    failure = outcome_of(answered(forged), pool_run(asks("num_free", state=(2, [0, 0]), value=2)))
    assert failure.verdict == "RE"
    found = frames(failure)
    assert [frame["call"] for frame in found] == ["pool = BlockPool(2)", "pool.num_free()"][: len(found)]


def test_a_real_run_of_127():
    """Both sides of a fork use one list: it shows in the twin's table after the parent has grown."""
    problem = catalogue.find("127")
    group = problem.groups[-1]
    answer = Recorder(group.oracle, group.watch, group.names)
    parent = answer.Sequence(answer.BlockPool(8), 4)
    parent.fork()
    parent.append(1)
    source = (problem.folder / "wrong" / "fork_shares_the_list.py").read_text(encoding="utf-8")
    with Children(keep=False).lend(problem) as child:
        driver = Driver(problem, source, child)
        assert driver.load() is None
        failure = driver.run(answer.program)
    found = frames(failure)
    assert [frame["call"] for frame in found] == [
        "pool = BlockPool(8)",
        "a = Sequence(pool, 4)",
        "b = a.fork()",
        "a.append(1)",
    ]
    differing = [{name for name, value in frame["expected"].items() if frame["got"][name] != value} for frame in found]
    assert differing == [set(), set(), set(), {"b.block_table"}]
    assert found[-1]["expected"]["a.block_table"] == found[-1]["got"]["a.block_table"] == [0]
    assert (found[-1]["expected"]["b.block_table"], found[-1]["got"]["b.block_table"]) == ([], [0])


@pytest.mark.parametrize(
    "value",
    [{1, 2}, 0.1, b"x", (1, [2]), {"a": [1]}, "</script>", object(), [[]] * 9, 10**30, None, float("inf"), TENSOR],
    ids=lambda value: type(value).__name__,
)
def test_whatever_an_answer_returns_its_frames_are_json(value):
    program = pool_run(asks("num_free", state=(2, [0, 0]), value=2))
    sent = answered([BORN, ["ok", pack(value), [pack(value), pack([value])]]])
    found = frames(outcome_of(sent, program))
    assert [frame["call"] for frame in found] == ["pool = BlockPool(2)", "pool.num_free()"]
    assert [set(frame) for frame in json.loads(json.dumps(found))] == [{"call", "expected", "got"}] * 2


# judge.replay()


@pytest.fixture
def shown(monkeypatch):
    """What `judge.replay()` gives to the widget."""
    calls = []
    monkeypatch.setattr(paged.widgets, "replay", lambda frames, lang=None: calls.append((frames, lang)) or "a widget")
    return calls


@pytest.mark.parametrize(
    ("lang", "line"),
    [("en", "The last verdict has no run to step through."), ("zh", "上一次判题没有可以重放的调用。")],
)
def test_before_any_verdict_there_is_nothing_to_replay(monkeypatch, capsys, shown, lang, line):
    monkeypatch.setattr(notebook, "last", None)
    monkeypatch.setenv("LANG_EDITION", lang)
    assert front_door.replay() is None
    assert capsys.readouterr().out == line + "\n"
    assert shown == []


@pytest.mark.parametrize(
    "cell", [RIGHT, "def double(x:\n", "import os\nos._exit(0)\n"], ids=["right", "syntax", "leaves"]
)
def test_after_a_verdict_without_a_run_there_is_nothing_to_replay(book, capsys, shown, cell):
    book.judge(cell)
    capsys.readouterr()
    assert front_door.replay() is None
    assert "no run to step through" in capsys.readouterr().out
    assert shown == []


def test_a_failing_run_is_replayed_as_the_verdict_shows_it(book, shown):
    book.judge(WRONG)
    assert front_door.replay() == "a widget"
    [(given, lang)] = shown
    assert lang == "en"
    assert [frame["call"] for frame in given] == notebook.last.shortest.failure.steps
    assert given[-1]["expected"] == {"result": given[-1]["got"]["result"] * 2}


def test_the_next_verdict_takes_the_place_of_the_last(book, capsys, shown):
    book.judge(WRONG)
    book.judge(RIGHT)
    assert front_door.replay() is None
    assert shown == []
