"""The figures of chapter 3 show what the library does: tables, rows, slots and orders in memory are not made up."""

from xml.etree import ElementTree

import figures_03
import pytest

from paged import BlockPool, slot_mapping_for

SVG = "{http://www.w3.org/2000/svg}"
BLUE, VERMILLION = "#0072b2", "#a0450b"


def drawn(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(figures_03.draw()[name])


def texts(name: str) -> list[str]:
    return [text.text for text in drawn(name).iter(f"{SVG}text")]


def runs(flags: list[bool]) -> int:
    """How many unbroken runs of True there are."""
    return sum(flag and not before for before, flag in zip([False, *flags], flags, strict=False))


def test_the_block_tables_are_what_the_pool_gives_to_requests_that_take_turns():
    pool, tables = BlockPool(32), [[], [], []]
    needed = [-(-seq_len // 4) for seq_len in (37, 5, 20)]
    while any(len(table) < blocks for table, blocks in zip(tables, needed, strict=True)):
        for table, blocks in zip(tables, needed, strict=True):
            if len(table) < blocks:
                table += pool.allocate(1)
    assert tables == figures_03.TABLES


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_rows_of_q_end_each_context_in_the_colour_of_their_request(lang: str):
    svg = drawn(f"03-inputs.{lang}.svg")
    slots = [box.get("fill") for box in svg.iter(f"{SVG}rect") if box.get("width") == "12"]
    bars = [slots[:40], slots[40:48], slots[48:]]
    assert len(slots) == 40 + 8 + 20
    for bar, colour, before, new, free in zip(bars, figures_03.COLOURS, (36, 0, 12), (1, 5, 8), (3, 3, 0), strict=True):
        assert bar == ["#e4e8ec"] * before + [colour] * new + ["#ffffff"] * free


def test_the_rows_in_the_contexts_are_those_of_the_strip():
    numbers = [text for text in texts("03-inputs.en.svg") if text.isdigit()]
    rows = [str(row) for row in range(14)]
    assert numbers[:18] == [*rows, "0", "1", "6", "14"]
    assert numbers[18:] == [
        *["0", "0", "3", "6", "8", "10", "12", "13", "14", "15", "16"],
        *["1", "2", "3", "4", "5", "1", "4"],
        *["6", "7", "8", "9", "10", "11", "12", "13", "2", "5", "7", "9", "11"],
    ]


def test_both_ways_of_counting_name_the_same_slot():
    assert slot_mapping_for([5, 6, 7, 0], [1], 4) == [21]
    said = texts("03-tensor.en.svg")
    assert "k[5, 1, 0, 2]  =  k.view(32, 2, 8)[21, 0, 2]" in said
    chosen = [box.get("fill") for box in drawn("03-tensor.en.svg").iter(f"{SVG}rect")]
    labels = ["0", "1", "2", "3", "4", "5", "6", "7", "slot 20", "slot 21", "slot 22", "slot 23", "head 0", "head 1"]
    marked = [label for label, fill in zip([*labels, *"01234567"], chosen[1:], strict=True) if fill == BLUE]
    assert marked == ["5", "slot 21", "head 0", "2"]


@pytest.mark.parametrize(("row", "token_pieces", "head_pieces"), [(0, 1, 4), (1, 2, 1), (2, 2, 1)])
def test_a_token_and_a_head_lie_in_as_many_pieces_as_the_text_says(row: int, token_pieces: int, head_pieces: int):
    pieces = figures_03.memory(row)
    assert sorted(pieces) == [(t, h, part) for t in range(4) for h in (0, 1) for part in ("KV" if row == 2 else "K")]
    assert runs([t == 1 for t, _, _ in pieces]) == token_pieces
    assert runs([h == 0 for _, h, _ in pieces]) == head_pieces


def test_blue_is_token_one_and_the_line_is_below_head_zero():
    svg = drawn("03-layouts.en.svg")
    blue = [box.get("fill") == BLUE for box in list(svg.iter(f"{SVG}rect"))[1:]]
    assert blue == [t == 1 for row in range(3) for t, _, _ in figures_03.memory(row)]
    assert sum(line.get("stroke") == VERMILLION for line in svg.iter(f"{SVG}path")) == 4 + 4 + 8


def test_each_figure_is_there_in_both_languages_with_a_title_for_screen_readers():
    figures = figures_03.draw()
    names = ("03-inputs", "03-layouts", "03-tensor")
    assert sorted(figures) == [f"{name}.{lang}.svg" for name in names for lang in ("en", "zh")]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in figures.values()]
    assert len(set(titles)) == 6 and all(titles)
