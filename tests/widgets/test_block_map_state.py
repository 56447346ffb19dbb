"""What the block map shows of pools and sequences: the library's, other correct ones, and unfinished ones."""

import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from traitlets import TraitError

from paged import BlockPool
from paged.sequence import Sequence
from paged.widgets import block_map
from paged.widgets.block_map_text import TEXT

PROBLEMS = Path(__file__).parents[2] / "practice" / "problems"
PARALLEL = "a = Sequence(pool, 4)\na.append(6)\nb = a.fork()\nb.append(1)"


def answer(problem: str, name: str) -> ModuleType:
    """A correct or a wrong answer to a problem, as a module."""
    path = PROBLEMS / problem / name
    spec = importlib.util.spec_from_file_location(f"answer_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def answers(problem: str) -> list[str]:
    return [f"right/{path.name}" for path in sorted((PROBLEMS / problem / "right").glob("*.py"))]


def frames(widget: object) -> list[dict]:
    return widget._frames


def contents(widget: object) -> dict[int, list]:
    """The runs of each block after the last step, put together from all of them."""
    return {int(block): runs for frame in frames(widget) for block, (_, runs) in frame["blocks"].items()}


def test_copy_on_write_moves_the_tokens_and_then_writes() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    widget.run(PARALLEL)
    assert frames(widget)[-1] == {
        "call": "b.append(1)",
        "outcome": ["done", {}],
        "trace": "",
        "blocks": {"1": [1, [["a", 4, 2]]], "2": [1, [["a", 4, 2], ["b", 6, 1]]]},
        "owners": {"b": [[0, 2], 7, 0, 1, []]},
        "free": 5,
        "took": 1,
        "tail": [],
        "copied": [[1, 2]],
    }
    assert widget.shown == {
        "call": "b.append(1)",
        "num_free": 5,
        "ref_cnt": [2, 1, 1, 0, 0, 0, 0, 0],
        "free_queue": [3, 4, 5, 6, 7],
        "tables": {"a": [0, 1], "b": [0, 2]},
        "num_tokens": {"a": 6, "b": 7},
    }


def test_freed_blocks_keep_their_tokens_until_they_are_handed_out_again() -> None:
    widget = block_map(BlockPool(3), Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(6)\na.free()")
    assert contents(widget) == {0: [["a", 0, 4]], 1: [["a", 4, 2]], 2: []}
    widget.run("b = Sequence(pool, 4)\nb.append(5)")
    assert contents(widget) == {0: [["b", 4, 1]], 1: [["a", 4, 2]], 2: [["b", 0, 4]]}


def test_the_handbook_s_queue() -> None:
    widget = block_map(BlockPool(8), lang="en")
    widget.run("x = pool.allocate(3)\ny = pool.allocate(2)\npool.free(x)\nz = pool.allocate(4)")
    assert frames(widget)[-1]["outcome"] == ["returned", {"result": "[5, 6, 7, 0]"}]
    assert widget.shown["free_queue"] == [1, 2]
    widget.frame = 3
    assert widget.shown["free_queue"] == [5, 6, 7, 0, 1, 2]


def test_contents_follow_the_slots_of_random_programs() -> None:
    """Beside the map a memory of its own: slots from slot_mapping, copies block by block."""
    rng = random.Random(127)
    for _ in range(20):
        block_size = rng.choice([1, 2, 3, 4, 16])
        pool = BlockPool(rng.randint(4, 24))
        widget = block_map(pool, Sequence, "en", block_size)
        widget.run(f"a = Sequence(pool, {block_size})")
        memory: dict[int, tuple[str, int]] = {}
        for _ in range(30):
            sequences = widget._desk.sequences
            name = rng.choice(list(sequences))
            sequence, copies = sequences[name], len(pool.copies)
            verb = rng.choice(["append"] * 4 + ["fork", "free"])
            tokens = sequence.num_tokens
            taken = {block for each in sequences.values() for block in each.block_table}
            widget.run(f"{name}.{verb}({rng.randint(1, 9) if verb == 'append' else ''})")
            fresh = {block for each in sequences.values() for block in each.block_table} - taken
            memory = {slot: token for slot, token in memory.items() if slot // block_size not in fresh}
            for old, new in pool.copies[copies:]:
                for offset in range(block_size):
                    if old * block_size + offset in memory:
                        memory[new * block_size + offset] = memory[old * block_size + offset]
            for position in range(tokens, sequence.num_tokens):
                memory[sequence.slot_mapping([position])[0]] = (name, position)
            shown = {
                block * block_size + offset: token
                for block, page in enumerate(widget._states[-1][1].contents)
                for offset, token in enumerate(page)
                if token
            }
            assert shown == memory
            assert widget.shown["free_queue"] == list(pool.free_queue)
            assert widget.shown["ref_cnt"] == pool.ref_cnt
            assert widget.shown["num_free"] == pool.num_free()
            assert widget.shown["tables"] == {key: each.block_table for key, each in sequences.items()}
            assert not any(owner[2] for frame in frames(widget) for owner in frame["owners"].values())


@pytest.mark.parametrize("name", answers("127-block-pool-cow"))
def test_any_correct_pool_and_sequence_will_do(name: str) -> None:
    learner = answer("127-block-pool-cow", name)
    widget = block_map(learner.BlockPool(8), learner.Sequence, "en")
    widget.run(f"{PARALLEL}\na.append(30)\na.free()")
    widget.run("a.free()")
    assert [frame["outcome"][0] for frame in frames(widget)] == ["start", *["done"] * 4, "raised", "done"]
    assert frames(widget)[-2]["outcome"][1]["error"] == "MemoryError"
    assert frames(widget)[-2]["trace"] == "untouched"
    assert widget.shown["free_queue"] == [3, 4, 5, 6, 7, 1]
    assert widget.shown["tables"] == {"a": [], "b": [0, 2]}
    assert contents(widget)[2] == [["a", 4, 2], ["b", 6, 1]]


@pytest.mark.parametrize("name", answers("127-block-pool-cow"))
def test_the_block_size_is_found_out_where_a_sequence_keeps_it_under_another_name(name: str) -> None:
    learner = answer("127-block-pool-cow", name)
    pool = learner.BlockPool(8)
    sequences = {"one": learner.Sequence(pool, 3), "two": learner.Sequence(pool, 3)}
    sequences["one"].append(5)
    assert block_map(pool, sequences, "en").block_size == 3
    assert sequences["one"].num_tokens == 5
    assert pool.num_free() == 6


@pytest.mark.parametrize("name", answers("123-block-pool"))
def test_a_pool_without_share_and_copies_will_do(name: str) -> None:
    pool = answer("123-block-pool", name).BlockPool(8)
    widget = block_map(pool, lang="en")
    widget.run("x = pool.allocate(3)\ny = pool.allocate(2)\npool.free(x)\npool.allocate(4)\npool.allocate(3)")
    assert frames(widget)[-1]["outcome"][0] == "none"
    assert frames(widget)[-1]["trace"] == "untouched"
    assert (widget.shown["free_queue"], widget.shown["num_free"]) == ([1, 2], 2)
    assert widget.shown["tables"]["z"] == [5, 6, 7, 0]
    with pytest.raises(ValueError, match="this pool has no share"):
        widget.run("pool.share(y)")
    assert widget._can == {"bare": True, "maker": "", "share": False}


def test_a_fork_that_never_copies_loses_tokens() -> None:
    learner = answer("127-block-pool-cow", "wrong/never_copies.py")
    widget = block_map(learner.BlockPool(8), learner.Sequence, "en")
    widget.run(PARALLEL)
    assert not any(owner[2] for owner in frames(widget)[-1]["owners"].values())
    widget.run("a.append(2)")
    assert contents(widget)[1] == [["a", 4, 4]]
    assert frames(widget)[-1]["owners"]["b"] == [[0, 1], 7, 1, 1, []]
    assert "Tokens of b that are not where its table points: 1." in widget._repr_mimebundle_()[0]["text/html"]


def test_a_refused_call_that_leaves_a_trace_is_told_apart() -> None:
    learner = answer("127-block-pool-cow", "wrong/keeps_blocks_when_refused.py")
    widget = block_map(learner.BlockPool(4), learner.Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(30)")
    assert (frames(widget)[-1]["outcome"][0], frames(widget)[-1]["trace"]) == ("raised", "touched")


class Stubborn(BlockPool):
    """It does not let itself be copied, and it raises what nobody expects."""

    def __deepcopy__(self, memo: dict) -> None:
        raise RuntimeError("no")

    def share(self, blocks: list[int]) -> None:
        raise ZeroDivisionError("division by zero")


def test_an_order_that_cannot_be_found_out_is_not_known() -> None:
    widget = block_map(Stubborn(4), lang="en")
    widget.run("x = pool.allocate(1)\npool.share(x)\npool.free(x)")
    assert widget.shown["free_queue"] is None
    assert widget.shown["tables"] == {"x": [0]}
    assert frames(widget)[-1]["outcome"] == ["raised", {"error": "ZeroDivisionError", "message": "division by zero"}]
    assert TEXT["en"]["queue_unknown"] in widget._repr_mimebundle_()[0]["text/html"]


def test_looking_prints_nothing_and_takes_nothing(capsys: pytest.CaptureFixture) -> None:
    learner = answer("127-block-pool-cow", "right/prints_while_working.py")
    pool = learner.BlockPool(4)
    capsys.readouterr()
    block_map(pool, lang="en")
    assert capsys.readouterr().out == ""
    assert pool.num_free() == 4


class Unfinished:
    """The starter of 123, with the first line done."""

    def __init__(self, num_blocks: int):
        self.ref_cnt = [0] * num_blocks

    def num_free(self) -> int:
        raise NotImplementedError("123: num_free")

    def allocate(self, n: int) -> object:
        return {"blocks": n}

    def free(self, blocks: list[int]) -> None:
        self.ref_cnt = None


def test_an_unfinished_pool_is_shown_as_far_as_it_goes() -> None:
    widget = block_map(Unfinished(3), lang="en")
    assert (widget.shown["num_free"], widget.shown["free_queue"]) == (None, None)
    widget.run("pool.allocate(1)")
    assert frames(widget)[-1]["outcome"] == ["odd", {"result": "{'blocks': 1}", "wanted": "list"}]
    widget.run("pool.free([0])")
    assert widget.shown["ref_cnt"] == [-1, -1, -1]
    assert "—" in widget._repr_mimebundle_()[0]["text/html"]
    assert widget.figure()._repr_png_().startswith(b"\x89PNG")


def test_the_first_exception_ends_a_script() -> None:
    widget = block_map(BlockPool(2), Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(30)\na.append(1)")
    assert [frame["call"] for frame in frames(widget)] == ["", "a = Sequence(pool, 4)", "a.append(30)"]
    assert widget.shown["num_free"] == 2


def test_what_other_cells_have_done_is_a_step_of_its_own() -> None:
    pool = BlockPool(8)
    a = Sequence(pool, 4)
    widget = block_map(pool, [a], "en")
    a.append(5)
    widget.run("b = a.fork()")
    assert [frame["outcome"][0] for frame in frames(widget)] == ["start", "outside", "done"]
    assert frames(widget)[1]["owners"] == {"a": [[0, 1], 5, 0, 0, []]}
    widget.look()
    assert len(frames(widget)) == 3
    a.free()
    widget._repr_mimebundle_()
    assert widget.shown["tables"] == {"a": [], "b": [0, 1]}


def test_sequences_that_exist_already_have_their_tokens() -> None:
    pool = BlockPool(8)
    a = Sequence(pool, 4)
    a.append(6)
    b = a.fork()
    b.append(3)
    widget = block_map(pool, {"parent": a, "child": b}, "en")
    assert contents(widget) == {
        **{block: [] for block in range(4, 8)},
        0: [["parent", 0, 4]],
        1: [["parent", 4, 2]],
        2: [["child", 4, 4]],
        3: [["child", 8, 1]],
    }
    widget.run("child.append(1)")
    assert not any(owner[2] for frame in frames(widget) for owner in frame["owners"].values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((object(),), "this one lacks num_free, allocate, free, ref_cnt"),
        ((BlockPool(1025),), "1 to 1,024 blocks, ref_cnt has 1,025"),
        ((BlockPool(4), {"pool": Sequence(BlockPool(4), 4)}), "'pool' cannot be the name"),
        ((BlockPool(4), {"a b": Sequence(BlockPool(4), 4)}), "'a b' cannot be the name"),
        ((BlockPool(4), [3]), "a is no sequence: .* got int"),
        ((BlockPool(4), [Sequence(BlockPool(4), 4)]), "sequences of another pool: a"),
        ((BlockPool(4), Sequence, "en", 0), "block_size is 1 to 4,096 tokens, got 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        block_map(*arguments)


def test_blocks_of_two_sizes_are_refused() -> None:
    pool = BlockPool(4)
    with pytest.raises(ValueError, match="not 2 and 4 tokens"):
        block_map(pool, [Sequence(pool, 4), Sequence(pool, 2)])
    with pytest.raises(ValueError, match="not 4 and 8 tokens"):
        block_map(pool, Sequence(pool, 4), block_size=8)


def test_frame_stays_within_the_steps_and_new_steps_are_shown() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    widget.run(PARALLEL)
    assert widget.frame == 4
    for outside in (-1, 5):
        with pytest.raises(TraitError, match=f"{outside} is outside 0 to 4"):
            widget.frame = outside
    widget.frame = 1
    widget.run("a.free()")
    assert widget.frame == 5


def test_five_hundred_steps_are_kept() -> None:
    widget = block_map(BlockPool(4), Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(5)")
    for _ in range(3):
        widget.run("pool.num_free()\n" * 200)
    assert len(frames(widget)) == 500
    assert frames(widget)[0]["blocks"]["0"] == [1, [["a", 0, 4]]]
    assert frames(widget)[0]["queue"] == [2, 3]
    assert widget.frame == 499


def test_messages_from_the_browser_run_and_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    sent = []
    monkeypatch.setattr(widget, "send", lambda content: sent.append(content))
    widget._on_message(widget, {"run": "a = Sequence(pool, 4)"}, [])
    widget._on_message(widget, {"run": "nonsense"}, [])
    widget._on_message(widget, {"other": 1}, [])
    assert sent == [{"done": True}] * 2
    assert widget._problem == {"key": "no_call", "line": 1, "values": {"code": "nonsense"}}
    widget._on_message(widget, {"run": "a.append(1)"}, [])
    assert widget._problem == {}


def test_a_step_costs_little_to_send_in_a_large_pool() -> None:
    widget = block_map(BlockPool(256), Sequence, "en", 16)
    widget.run("a = Sequence(pool, 16)\na.append(3000)\nb = a.fork()\nb.append(1)")
    assert len(repr(frames(widget)[-1])) < 2_500


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        fields = [sorted(re.findall(r"{\w+}", text)) for text in (english, TEXT["zh"][key])]
        assert fields[0] == fields[1], key


def test_importing_the_block_map_loads_nothing_heavy() -> None:
    heavy = "anywidget ipywidgets matplotlib numpy torch"
    code = f"import sys; from paged.widgets import block_map; print([m for m in '{heavy}'.split() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
