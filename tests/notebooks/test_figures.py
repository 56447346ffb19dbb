"""The figures of chapter 1 show what the library does: their counts and their block tables are not made up."""

from collections import Counter
from xml.etree import ElementTree

import figures_01
import pytest

from paged import BlockPool

SVG = "{http://www.w3.org/2000/svg}"


def test_both_strips_show_the_same_memory_and_the_counts_that_the_text_names():
    reserved = Counter(state for _, state in figures_01.reserved_slots())
    paged = Counter(state for _, state in figures_01.paged_slots())
    assert reserved == {"token": 11, "later": 6, "never": 7, "free": 8}
    assert paged == {"token": 16, "tail": 2, "free": 14}
    assert reserved.total() == paged.total() == 32


def test_the_waiting_request_finds_no_six_free_slots_in_a_row():
    strip = "".join("." if state == "free" else "#" for _, state in figures_01.reserved_slots())
    assert max(len(hole) for hole in strip.split("#")) == 4


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_block_tables_are_those_the_pool_gives(lang: str):
    pool = BlockPool(16)
    tables = {name: [] for name in "ABCD"}
    for name, blocks in [("A", 2), ("B", 1), ("C", 1), ("B", 1), ("A", 1), ("D", 3)]:
        tables[name] += pool.allocate(blocks)
    drawn = [name for name, _ in figures_01.BLOCKS]
    assert tables == {name: [block for block, owner in enumerate(drawn) if owner == name] for name in "ABCD"}
    assert all(str(table) in figures_01.TEXT[lang]["table"] for table in tables.values())


def test_each_language_has_its_figures_and_titles_for_screen_readers():
    figures = figures_01.draw()
    titles = {name: ElementTree.fromstring(svg).findtext(f"{SVG}title") for name, svg in figures.items()}
    assert titles == {
        "01-three-wastes.en.svg": "Where 32 slots go",
        "01-three-wastes.zh.svg": "32 个槽位的去向",
        "01-first-fit.en.svg": "Requests come and go, until G finds no hole of 8 slots though 12 are free",
        "01-first-fit.zh.svg": "请求来来去去，直到空着 12 个槽位，G 却找不到连续的 8 个",
    }
