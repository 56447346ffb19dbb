"""The figures of chapter 2 show what the library does: block tables, slots and padding are not made up."""

from xml.etree import ElementTree

import figures_02
import pytest

from paged import BlockPool, slot_mapping_for
from paged.slots import batch_slot_mapping

SVG = "{http://www.w3.org/2000/svg}"


def texts(name: str) -> list[str]:
    return [text.text for text in ElementTree.fromstring(figures_02.draw()[name]).iter(f"{SVG}text")]


def test_the_block_tables_are_those_of_the_transcript():
    pool = BlockPool(8)
    first, second = pool.allocate(3), pool.allocate(2)
    pool.free(first)
    assert {"C": pool.allocate(4), "B": second} == figures_02.TABLES


def test_memory_holds_each_token_in_its_slot_and_nothing_else():
    held = {
        slot: (name, position)
        for name, count in figures_02.NUM_TOKENS.items()
        for position, slot in enumerate(slot_mapping_for(figures_02.TABLES[name], range(count), 4))
    }
    assert figures_02.memory() == [held.get(slot) for slot in range(32)]
    assert len(held) == 19


def test_the_step_shows_the_slots_of_its_tokens_and_minus_one_for_padding():
    tables, positions = list(figures_02.TABLES.values()), [p for _, some in figures_02.STEP for p in some]
    assert batch_slot_mapping(tables, [0, 1, 4], positions, 4, 6) == [1, 14, 15, 16, -1, -1]
    drawn = texts("02-batch.en.svg")
    columns = drawn[drawn.index("slot") + 1 :][:18]
    assert columns[2::3] == ["1", "14", "15", "16", "−1", "−1"]
    assert columns[1::3] == ["13", "2", "3", "4", "–", "–"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_notes_name_the_tokens_that_wrong_padding_overwrites(lang: str):
    memory = figures_02.memory()
    assert (memory[0], memory[-1]) == (("C", 12), ("C", 11))
    note = figures_02.TEXT[lang]["batch_note"]
    assert note.index("C12") < note.index("−1") < note.index("C11")


def test_position_nine_is_followed_to_slot_29():
    assert slot_mapping_for(figures_02.TABLES["C"], [9], 4) == [29]
    assert all("7 · 4 + 1 = 29" in words["map_note"] for words in figures_02.TEXT.values())


def test_two_requests_share_one_block_of_four_but_all_six_tokens():
    a, b = figures_02.SHARED_SLOTS["A"], figures_02.SHARED_SLOTS["B"]
    assert a == slot_mapping_for(figures_02.SHARED_BLOCKS["A"], range(14), 4)
    assert set(a) & set(b) == set(a[:6]) == set(b[:6])
    assert set(figures_02.SHARED_BLOCKS["A"]) & set(figures_02.SHARED_BLOCKS["B"]) == {5}
    assert 0 not in a + b  # SGLang gives slot 0 to nobody


def test_each_figure_is_there_in_both_languages_with_a_title_for_screen_readers():
    figures = figures_02.draw()
    names = ("02-batch", "02-block-table", "02-token-map")
    assert sorted(figures) == [f"{name}.{lang}.svg" for name in names for lang in ("en", "zh")]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in figures.values()]
    assert len(set(titles)) == 6 and all(titles)
