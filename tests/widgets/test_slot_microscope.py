"""The slot microscope's Python side: where a token lies, what is refused, the static page and the figure."""

import re
from itertools import product

import matplotlib.pyplot as plt
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets import TraitError
from widgets.static_words import SANITISED, Page

from paged.widgets import slot_microscope
from paged.widgets.slot_microscope_text import TEXT

FORMULA = "slot = block_table[13 // 4] * 4 + 13 % 4 = block_table[3] * 4 + 1 = 0 * 4 + 1 = 1"


def test_it_opens_on_the_chapter_s_token() -> None:
    assert slot_microscope(lang="en").results == {
        "logical_block": 3,
        "offset": 1,
        "block": 0,
        "slot": 1,
        "block_table": [5, 6, 7, 0],
        "num_blocks": 8,
    }


def test_positions_0_to_13_lie_where_the_chapter_says() -> None:
    widget = slot_microscope(lang="en")
    slots = []
    for widget.position in range(14):
        slots.append(widget.results["slot"])
    assert slots == [*range(20, 32), 0, 1]


@pytest.mark.parametrize(("block_size", "num_tokens"), [*product((1, 3, 16, 255, 256), (1, 2, 255, 257, 4096))])
def test_tokens_lie_in_their_blocks_one_after_the_other(block_size: int, num_tokens: int) -> None:
    widget = slot_microscope(lang="en")
    widget.num_tokens, widget.block_size = num_tokens, block_size
    slots = [block * block_size + offset for block in widget.results["block_table"] for offset in range(block_size)]
    assert num_tokens <= len(slots) < num_tokens + block_size
    for widget.position in {0, num_tokens // 2, num_tokens - 1}:
        assert widget.results["slot"] == slots[widget.position]


@pytest.mark.parametrize("given", [(5, 6, 7, 0), (0,), (100, 2), tuple(range(30, 10, -1))])
def test_a_longer_table_goes_on_from_the_given_one_and_leaves_half_of_the_cache_free(given: tuple[int, ...]) -> None:
    widget = slot_microscope(given, 0, 1, lang="en")
    longest = slot_microscope(given, 0, 1, lang="zh")
    longest.num_tokens = 4096
    for widget.num_tokens in (1, len(given), len(given) + 1, 64, 65, 1000, 4096):
        table, num_blocks = widget.results["block_table"], widget.results["num_blocks"]
        assert table == longest.results["block_table"][: widget.num_tokens]
        assert len(set(table)) == len(table) <= num_blocks / 2
        assert 0 <= min(table) <= max(table) < num_blocks
    assert tuple(table[: len(given)]) == given


def test_block_size_changes_the_table_and_leaves_the_tokens() -> None:
    widget = slot_microscope(lang="en")
    widget.block_size = 256
    assert (widget.num_tokens, widget.results["block_table"], widget.results["slot"]) == (16, [5], 5 * 256 + 13)
    widget.block_size = 5
    assert (widget.num_tokens, widget.results["block_table"], widget.results["slot"]) == (16, [5, 6, 7, 0], 38)


def test_a_shorter_sequence_takes_the_position_with_it() -> None:
    widget = slot_microscope(lang="en")
    widget.num_tokens = 6
    assert (widget.position, widget.results["slot"]) == (5, 25)


@pytest.mark.parametrize(
    ("table", "position", "block_size", "number"),
    [
        ((5, 6), 0, 0, "got 0"),
        ((5, 6), 0, 257, "got 257"),
        ((), 0, 4, "table of 0 blocks"),
        (range(17), 0, 256, "table of 17 blocks of 256"),
        ((5, 5), 0, 4, r"\[5, 5\]"),
        ((5, -1), 0, 4, r"\[5, -1\]"),
        ((5, 8192), 0, 4, "8192"),
        ((5, 6), 8, 4, "position 8 .* 8 tokens"),
        ((5, 6), -1, 4, "position -1"),
    ],
)
def test_arguments_outside_are_refused_with_the_number(table, position: int, block_size: int, number: str) -> None:
    with pytest.raises(ValueError, match=number):
        slot_microscope(table, position, block_size)


@pytest.mark.parametrize(
    ("trait", "value"), [("position", 16), ("position", -1), ("block_size", 257), ("num_tokens", 4097), ("lang", "fr")]
)
def test_traits_outside_are_refused_and_change_nothing(trait: str, value: object) -> None:
    widget = slot_microscope(lang="en")
    with pytest.raises(TraitError, match=str(value)):
        setattr(widget, trait, value)
    assert (widget.position, widget.block_size, widget.num_tokens, widget.lang) == (13, 4, 16, "en")
    assert widget.results["slot"] == 1


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", TEXT["zh"][key])), key


def test_an_exported_page_shows_the_sum_without_a_kernel() -> None:
    data, metadata = slot_microscope(lang="en")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    cell = new_code_cell("w", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert FORMULA in page


def test_the_static_page_survives_the_sanitiser_and_stays_small() -> None:
    widget = slot_microscope(range(0, 8000, 4), 1999, 2, lang="zh")
    html = widget._repr_mimebundle_()[0]["text/html"]
    page = Page(html)
    assert page.seen <= SANITISED
    assert "位置 1999 落在逻辑块 999，块内偏移 1。块表指向物理块 3996，所以 slot 是 7993。" in page.words
    assert len(html) < 5_000


def test_the_figure_states_the_sum_and_is_shown_once() -> None:
    figure = slot_microscope(lang="zh").figure()
    assert FORMULA in [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    assert plt.get_fignums() == []  # pyplot would show it a second time


@pytest.mark.parametrize(("block_size", "num_tokens"), [(1, 1), (1, 4096), (256, 4096), (256, 1)])
def test_the_figure_stands_at_the_ends_of_the_scales(block_size: int, num_tokens: int) -> None:
    widget = slot_microscope(lang="en")
    widget.num_tokens, widget.block_size = num_tokens, block_size
    assert widget.figure()._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"block_table": None}, "block_table must be a list of whole numbers, got None"),
        ({"block_table": 5}, "block_table must be a list of whole numbers, got 5"),
        ({"block_table": "56"}, r"block_table\[0\] must be a whole number, got '5'"),
        ({"block_table": (5, True)}, r"block_table\[1\] must be a whole number, got True"),
        ({"block_table": (5, 6.0)}, r"block_table\[1\] must be a whole number, got 6\.0"),
        ({"block_table": range(10**9)}, "block_table can have 4096 entries, and has more"),
        ({"position": 1.0}, r"position must be a whole number, got 1\.0"),
        ({"position": None}, "position must be a whole number, got None"),
        ({"block_size": True}, "block_size must be a whole number, got True"),
        ({"block_size": "4"}, "block_size must be a whole number, got '4'"),
        ({"lang": "xx"}, "lang must be one of en, zh, got 'xx'"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        slot_microscope(**arguments)
