"""The picture of what a kernel reads, Python side: sums, selections, what is refused, static page and figure."""

import re
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from traitlets import TraitError
from widgets.static_words import SANITISED, Page
from widgets.traces import LEAST, trace

from paged.widgets import read_slots
from paged.widgets.read_slots_html import COLOURS, colour_of
from paged.widgets.read_slots_text import TEXT


def test_bytes_are_counted_as_often_as_they_are_read_beside_the_least() -> None:
    widget = read_slots(trace(), lang="en")
    assert widget.results == {
        "programs": 4,
        "bytes": LEAST,
        "least": LEAST,
        "times": 1.0,
        "program_bytes": LEAST,
        "slots": 4,
    }
    widget.run = 1
    assert [widget.results[name] for name in ("programs", "bytes", "times")] == [8, 2 * LEAST, 2.0]


def test_a_program_that_is_lit_is_counted_alone() -> None:
    widget = read_slots(trace(), lang="en")
    widget.program = 2  # request 0, KV head 1
    assert (widget.results["program_bytes"], widget.results["slots"]) == (2 * 3 * 8, 3)


def test_slots_are_those_of_the_cache_shown() -> None:
    reads = trace()
    reads["runs"][0]["programs"][0]["v"] = [[6, 0, 8]]
    widget = read_slots(reads, lang="en")
    widget.program = 1
    assert widget.results["slots"] == 3
    widget.cache = "v"
    assert widget.results["slots"] == 1
    assert widget.results["program_bytes"] == 3 * 8 + 8


def test_the_selection_follows_runs_that_go_or_shrink() -> None:
    widget = read_slots(trace(), lang="en")
    widget.run = 1
    widget.program = 8
    widget.run = 0
    assert (widget.program, widget.results["programs"]) == (4, 4)
    widget.run = 1
    widget.trace = trace() | {"runs": trace()["runs"][:1]}
    assert (widget.run, widget.results["times"]) == (0, 1.0)


def test_without_tokens_nothing_is_a_multiple_of_nothing() -> None:
    nothing = trace() | {"requests": [{"block_table": [], "num_tokens": 0}]}
    widget = read_slots(nothing, lang="en")
    assert (widget.results["least"], widget.results["times"]) == (0, None)
    assert "–×" in widget._repr_mimebundle_()[0]["text/html"]
    widget.figure().draw_without_rendering()


def changed(*path: object, to: object) -> dict:
    whole = trace()
    part = whole
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return whole


FIRST = ("runs", 0, "programs", 0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (None, "the trace must be a dict with 'num_blocks', got None"),
        ({"num_blocks": 4}, "the trace must be a dict with 'block_size'"),
        (changed("num_blocks", to=257), "num_blocks must be 1 to 256, got 257"),
        (changed("block_size", to=True), "block_size must be a whole number, got True"),
        (changed("row_bytes", to=0), "row_bytes must be 1 to 1048576, got 0"),
        (changed("num_kv_heads", to=16) | {"block_size": 64, "num_blocks": 8}, "8192 slots times KV heads, 4096"),
        (changed("requests", to=[]), "requests must be a list of 1 to 32, got 0 of them"),
        (changed("requests", 0, "block_table", to=[3, 4]), r"requests\[0\]\.block_table\[1\] must be 0 to 3, got 4"),
        (changed("requests", 0, "num_tokens", to=5), r"requests\[0\]\.num_tokens must be 0 to 4, got 5"),
        (changed("runs", to=trace()["runs"] * 3), "runs must be a list of 1 to 4, got 6 of them"),
        (changed("runs", 1, "name", to=3), r"runs\[1\]\.name must be a str, or one for each of en, zh, got 3"),
        (changed("runs", 0, "name", to={"en": "a"}), r"runs\[0\]\.name must be a str, or one for each of en, zh"),
        (changed(*FIRST, "id", to=[0, 0]), r"programs\[0\]\.id must be \[launch, x, y, z\], got \[0, 0\]"),
        (changed(*FIRST, "k", to=[[0, 0]]), r"programs\[0\]\.k\[0\] must be \[slot, kv_head, bytes\], got \[0, 0\]"),
        (changed(*FIRST, "k", to=[[8, 0, 8]]), r"slot of runs\[0\]\.programs\[0\]\.k\[0\] must be 0 to 7, got 8"),
        (changed(*FIRST, "v", to=[[0, 2, 8]]), r"kv_head of .*\.v\[0\] must be 0 to 1, got 2"),
        (changed(*FIRST, "v", to=[[0, 0, 0]]), r"bytes of .*\.v\[0\] must be 1 to 8000, got 0"),
        (changed(*FIRST, "v", to="no"), r"\.v must be a list of \[slot, kv_head, bytes\], got 'no'"),
    ],
)
def test_what_is_no_trace_is_refused_with_place_and_number_and_changes_nothing(wrong, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_slots(wrong, lang="en")
    widget = read_slots(trace(), lang="en")
    if isinstance(wrong, dict):
        with pytest.raises(TraitError, match=said):
            widget.trace = wrong
    assert widget.trace == trace()


@pytest.mark.parametrize(("trait", "value"), [("run", 2), ("run", -1), ("program", 5), ("cache", "q")])
def test_selections_outside_are_refused_and_change_nothing(trait: str, value: object) -> None:
    widget = read_slots(trace(), lang="en")
    with pytest.raises(TraitError, match=str(value)):
        setattr(widget, trait, value)
    assert (widget.run, widget.program, widget.cache) == (0, 0, "k")


def test_the_caller_s_trace_is_copied() -> None:
    mine = trace()
    widget = read_slots(mine, lang="en")
    mine["runs"][0]["programs"].clear()
    assert len(widget.trace["runs"][0]["programs"]) == 4


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", TEXT["zh"][key])), key


def test_making_the_widget_loads_no_plotting_and_no_tensors() -> None:
    code = (
        f"import sys; from paged.widgets import read_slots; read_slots({trace()!r}); "
        "print([m for m in ('matplotlib', 'numpy', 'torch', 'triton') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_static_page_survives_the_sanitiser_and_names_the_runs() -> None:
    widget = read_slots(trace(), lang="zh")
    page = Page(widget._repr_mimebundle_()[0]["text/html"])
    assert page.seen <= SANITISED
    for words in ("kernel 读了什么", "一起", "one by one", "1.00×", "2.00×", "256 B", "块 3"):
        assert words in page.words


def test_the_static_page_stripes_a_slot_for_each_program_that_reads_it() -> None:
    widget = read_slots(trace(), lang="en")
    widget.run = 1
    stripes = re.findall(r"height:9\.00px;background-color:(#\w+)", widget._repr_mimebundle_()[0]["text/html"])
    assert len(stripes) == 2 * 4 * 2
    assert stripes[:2] == [COLOURS[0], COLOURS[4]]  # slot 0, head 0: request 0's program of each launch


def test_sixteen_programs_have_sixteen_colours() -> None:
    assert len({colour_of(program) for program in range(16)}) == 16
    assert colour_of(16) == colour_of(0)
    assert colour_of(8) == "#7fb8d8"  # half-way from #0072b2 to white


def test_the_figure_states_both_runs_and_is_shown_once() -> None:
    widget = read_slots(trace(), lang="zh")
    figure = widget.figure()
    words = [text.get_text().strip() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    assert {"together", "one by one", "1.00×, 128 B", "2.00×, 256 B", "slots of K: together"} <= set(words)
    assert plt.get_fignums() == []  # pyplot would show it a second time


def test_the_figure_makes_the_other_programs_pale() -> None:
    widget = read_slots(trace(), lang="en")
    widget.program = 1
    slots = widget.figure().axes[1]
    strong = [p for p in slots.findobj(Rectangle) if p.get_alpha() == 1.0]
    assert [to_hex(patch.get_facecolor()) for patch in strong] == [COLOURS[0]] * 3
