"""What the replay compares and draws, on runs written out by hand; tests/browser has the live view."""

import re
import subprocess
import sys

import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from static_words import Page
from traitlets import TraitError
from widgets.replay_runs import KILLED, NEVER_COPIES, RESULTS_ONLY, TWO_POOLS, crowd, frame, large, pool, sequence

from paged.widgets import replay
from paged.widgets.replay_frames import Run
from paged.widgets.replay_text import TEXT


def part(view: dict, name: str) -> list[dict]:
    """Both sides of a field: expected, got."""
    who, _, label = name.rpartition(".")
    [row] = [row for row in view["rows"] if row["name"] == (who or label)]
    [sides] = [part["sides"] for part in row["parts"] if part["label"] == label]
    return sides * 2 if len(sides) == 1 else sides


def texts(side: dict) -> list[str]:
    return ["absent" if item.get("absent") else item["text"] for item in side["items"]]


def marked(side: dict, mark: str) -> list[int]:
    return [n for n, item in enumerate(side["items"]) if item.get(mark)]


def cells(side: dict) -> dict[int, tuple]:
    """Ref count and owners by block; the gaps by their first block."""
    return {
        item["block"]: (item["text"], *[name for name, _, _ in item["owners"]])
        for item in side["items"]
        if "block" in item
    }


def gaps(side: dict) -> list[tuple]:
    return [(*item["gap"], item["owned"]) for item in side["items"] if "gap" in item]


def one_field(want: object, have: object, name: str = "x.field") -> list[dict]:
    return part(Run([{"call": "x.f()", "expected": {name: want}, "got": {name: have}}]).views()[0], name)


def test_the_last_call_differs_where_the_shared_block_was_not_copied() -> None:
    view = Run(NEVER_COPIES).views()[-1]
    assert view["differs"] == ["pool.num_free()", "pool.ref_cnt", "pool.copies", "b.block_table"]
    want, have = part(view, "pool.ref_cnt")
    assert cells(want) == {0: ("1",), 1: ("2", "a", "b"), 2: ("1", "a"), 3: ("1", "b"), 4: ("0",), 5: ("0",)}
    assert cells(have) == {0: ("1",), 1: ("2", "a", "b"), 2: ("2", "a", "b"), 3: ("0",), 4: ("0",), 5: ("0",)}
    assert marked(want, "differs") == marked(have, "differs") == [2, 3]
    assert [texts(side) for side in part(view, "pool.copies")] == [["2 → 3"], ["absent"]]
    want, have = part(view, "b.block_table")
    assert (texts(want), texts(have)) == (["1", "3"], ["1", "2"])
    assert marked(want, "differs") == marked(have, "differs") == [1]


def test_blocks_without_owners_are_free_and_those_held_by_hand_are_not() -> None:
    want, _ = part(Run(NEVER_COPIES).views()[-1], "pool.ref_cnt")
    assert [item["block"] for item in want["items"] if item["free"]] == [4, 5]


def test_calls_before_the_last_are_as_expected() -> None:
    views = Run(NEVER_COPIES).views()
    assert [view["differs"] for view in views[:-1]] == [[]] * 5
    assert all(len(part["sides"]) == 1 for view in views[:-1] for row in view["rows"] for part in row["parts"])


def test_only_what_a_call_has_changed_is_new_and_each_side_has_its_own_past() -> None:
    views = Run(NEVER_COPIES).views()
    assert marked(part(views[0], "pool.ref_cnt")[0], "new") == []
    assert marked(part(views[1], "pool.ref_cnt")[0], "new") == [0]
    assert marked(part(views[4], "pool.ref_cnt")[0], "new") == [1, 2]  # the fork
    want, have = part(views[5], "pool.ref_cnt")
    assert (marked(want, "new"), marked(have, "new")) == ([2, 3], [])
    assert part(views[5], "b.num_tokens")[1].get("new")
    assert not part(views[5], "a.num_tokens")[1].get("new")


def test_objects_appear_when_they_are_born_pools_first() -> None:
    names = [[row["name"] for row in view["rows"]] for view in Run(TWO_POOLS).views()]
    assert names[0] == ["result", "pool"]
    assert names[2] == ["result", "pool", "pool2", "a"]
    assert names[5] == ["result", "pool", "pool2", "a", "b"]


def test_a_sequence_shows_in_the_pool_that_it_was_made_with() -> None:
    state = pool(2, [1, 1, 0, 0], []) | pool(1, [1, 1], [], "pool2")
    state |= sequence("a", 2, [0, 1]) | sequence("b", 2, [0, 1]) | sequence("c", 2, [0, 1])
    calls = ["b = Sequence(pool2, 1)", "a = Sequence(pool, 1)", "c = b.fork()"]
    [*_, view] = Run([frame(call, None, state) for call in calls]).views()
    assert cells(part(view, "pool.ref_cnt")[0])[1] == ("1", "a")
    assert cells(part(view, "pool2.ref_cnt")[0])[1] == ("1", "b", "c")


def test_a_value_of_another_kind_differs_as_a_whole() -> None:
    view = Run(TWO_POOLS).views()[-1]
    want, have = part(view, "pool2.ref_cnt")
    assert (want["differs"], have["differs"], texts(have)) == (True, True, ["a dict"])
    assert marked(want, "differs") == []
    want, have = one_field([1, 2], (1, 2))
    assert (want["differs"], want["brackets"], have["differs"], have["brackets"]) == (True, "[]", True, "()")


@pytest.mark.parametrize(("want", "have"), [(1, True), (0, None), ("1", 1), ([], {}), ([0.5], [0.6]), ({1: 2}, {1: 3})])
def test_different_values_differ(want: object, have: object) -> None:
    assert all(side.get("differs") or marked(side, "differs") for side in one_field(want, have))


@pytest.mark.parametrize(
    ("want", "have"), [(0.1 + 0.2, 0.3), (1.0, 1), ((0, 1), [0, 1]), ([(2, 3)], [[2, 3]]), ({1: (2,)}, {1: [2]})]
)
def test_equivalent_values_do_not_differ(want: object, have: object) -> None:
    assert not any(side.get("differs") or marked(side, "differs") for side in one_field(want, have))


def test_a_result_differs_at_its_own_items() -> None:
    views = Run(RESULTS_ONLY).views()
    assert [row["name"] for view in views for row in view["rows"]] == ["result"] * 3
    assert [view["differs"] for view in views] == [[], ["result"], ["result"]]
    assert [marked(side, "differs") for side in part(views[1], "result")] == [[2], [2]]
    assert texts(part(views[2], "result")[1]) == ["raises ZeroDivisionError: division by zero (line 4)"]


def test_a_call_without_an_answer_says_so_and_marks_nothing() -> None:
    last = Run(KILLED).views()[-1]
    assert (last["answered"], last["differs"]) == (False, [])
    sides = [side for row in last["rows"] for part in row["parts"] for side in part["sides"]]
    assert not any(side.get("differs") or marked(side, "differs") for side in sides)
    assert [bool(side.get("missing")) for side in part(last, "pool.ref_cnt")] == [False, True]
    assert "no answer" in repr(replay(KILLED))
    assert Run([{**KILLED[1], "got": "garbage"}]).views()[0]["answered"] is False


def test_a_field_that_only_one_side_has_differs() -> None:
    view = Run([{"call": "f()", "expected": {"x.a": 1, "x.b": 2}, "got": {"x.a": 1, "x.c": 3}}]).views()[0]
    assert view["differs"] == ["x.b", "x.c"]
    assert [bool(side.get("missing")) for side in part(view, "x.b")] == [False, True]
    assert [bool(side.get("missing")) for side in part(view, "x.c")] == [True, False]


def test_a_large_pool_is_drawn_around_what_differs_and_states_the_rest() -> None:
    want, have = part(Run(large()).views()[-1], "pool.ref_cnt")
    assert list(cells(want)) == [*range(8), 4092, 4093, 4094]
    assert gaps(want) == [(8, 4091, 0), (4095, 4095, 0)]
    assert [item["block"] for item in have["items"] if item.get("differs")] == [5, 4093]


def test_at_most_64_cells_are_drawn_the_same_ones_in_every_frame() -> None:
    views = Run(large(4096, 3000)).views()
    drawn = [list(cells(side)) for view in views for side in part(view, "pool.ref_cnt")]
    assert all(blocks == drawn[0] for blocks in drawn)
    assert len(drawn[0]) == 64
    assert {0, 2999, 3000, 4092, 4093} <= set(drawn[0])
    assert sum(last - first + 1 for first, last, _ in gaps(part(views[-1], "pool.ref_cnt")[0])) == 4096 - 64


def test_pools_of_64_blocks_are_drawn_whole() -> None:
    assert [len(cells(part(Run(large(n, 1)).views()[-1], "pool.ref_cnt")[0])) for n in (64, 65)] == [64, 11]


def test_blocks_left_out_are_counted_where_they_differ_or_are_not_there() -> None:
    frames = [frame("pool.share([])", None, pool(0, [1] * 100, []), pool__ref_cnt=[1] * 10)]
    want, have = part(Run(frames).views()[0], "pool.ref_cnt")
    [*_, gap] = [item for item in want["items"] if "gap" in item]
    assert gap == {"gap": [43, 99], "owned": 57, "absent": False, "differs": 57}
    [*_, gap] = [item for item in have["items"] if "gap" in item]
    assert gap == {"gap": [43, 99], "owned": 0, "absent": True, "differs": 57}


def test_a_block_twice_in_a_table_and_one_owned_by_the_wrong_sequence_stand_out() -> None:
    state = pool(0, [1, 1], []) | sequence("a", 1, [0]) | sequence("b", 1, [1])
    frames = [frame("b.append(1)", None, state, b__block_table=[0, 0])]
    want, have = part(Run(frames).views()[0], "pool.ref_cnt")
    assert have["items"][0]["owners"] == [["a", 0, 1], ["b", 1, 2]]
    assert marked(want, "differs") == marked(have, "differs") == [0, 1]  # though ref_cnt is as it should be
    assert Run(frames).views()[0]["differs"] == ["b.block_table"]


def test_long_lists_keep_their_ends_and_what_differs() -> None:
    want, have = one_field([*range(2000)], [*range(1000), -1, *range(1001, 2000)], "a.block_table")
    shown = [item.get("text", f"{item.get('more')} more") for item in have["items"]]
    assert shown[:2] + shown[-1:] == ["0", "1", "1999"]
    assert "-1" in shown
    assert len(shown) < 30
    assert sum(item.get("more", 1) for item in have["items"]) == 2000
    assert len(marked(want, "differs")) == 1


def test_long_words_lose_their_middle() -> None:
    view = Run([{"call": f"pool.free({[*range(999)]})", "expected": {"result": "x" * 9999 + "end"}}]).views()[0]
    assert re.fullmatch(r"pool\.free\(\[0, 1, .* … .*, 998\]\)", view["call"])
    [text] = texts(part(view, "result")[0])
    assert text.endswith("end")
    assert max(len(view["call"]), len(text)) <= 240


def test_twelve_sequences_have_a_colour_each() -> None:
    [*_, view] = Run(crowd()).views()
    assert [(row["name"], row["colour"]) for row in view["rows"][2:]] == list(
        zip("abcdefghijkl", range(12), strict=True)
    )
    assert view["differs"] == ["pool.copies"]


@pytest.mark.parametrize("frames", [[], [{"call": "f()"}], [{"expected": {}}], [{"call": "f()", "expected": [1]}]])
def test_frames_that_lack_their_call_or_their_values_are_refused(frames: list) -> None:
    with pytest.raises(ValueError, match=r"frame"):
        replay(frames)


def test_it_opens_on_the_last_call_and_frame_stays_within_the_run() -> None:
    widget = replay(NEVER_COPIES, lang="en")
    assert widget.frame == 5
    for outside in (-1, 6):
        with pytest.raises(TraitError, match=str(outside)):
            widget.frame = outside
    assert widget.frame == 5
    with pytest.raises(TraitError, match="fr"):
        replay(NEVER_COPIES, lang="fr")


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        fields = [sorted(re.findall(r"{\w+}", text)) for text in (english, TEXT["zh"][key])]
        assert fields[0] == fields[1], key


def page_of(html: str) -> Page:
    return Page(html, end="|")


def test_the_output_carries_the_live_view_and_a_page_of_the_last_call() -> None:
    data, _ = replay(NEVER_COPIES, lang="en")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    page = page_of(data["text/html"])
    for words in (
        "  6  b.append(1) ≠",
        "Differs: pool.num_free(), pool.ref_cnt, pool.copies, b.block_table",
        "2 → 3| ≠",
    ):
        assert words in page.words
    assert page.words.count("≠") == 1 + 2 * (2 + 1 + 1 + 1)  # the call; on either side two cells and three fields
    assert page.seen <= {"div", "span", "b", "pre", "table", "tr", "th", "td", "style"}  # what the sanitiser keeps
    assert "b.block_table" in data["text/plain"]
    words = page_of(replay(NEVER_COPIES, lang="zh")._repr_mimebundle_()[0]["text/html"]).words
    assert "不一致：pool.num_free()、pool.ref_cnt、pool.copies、b.block_table" in words


def test_an_exported_page_shows_the_last_call_without_a_kernel() -> None:
    data, metadata = replay(large(), lang="en")._repr_mimebundle_()
    cell = new_code_cell("replay(frames)", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert "8–4091: free" in page


def test_what_a_learner_returns_is_text_and_never_markup() -> None:
    page = page_of(replay([frame("f('<i>')", 1, {}, result="<script>x</script>")])._repr_mimebundle_()[0]["text/html"])
    assert "<script>x</script>" in page.words
    assert "f('<i>')" in page.words
    assert not {"script", "i"} & page.seen


def test_importing_replay_loads_nothing_heavy() -> None:
    heavy = "anywidget ipywidgets matplotlib numpy torch"
    code = f"import sys; from paged.widgets import replay; print([m for m in '{heavy}'.split() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_name_still_means_the_function_after_it_was_called() -> None:
    replay(KILLED)
    from paged.widgets import replay as again

    assert again is replay
