"""The figures of chapter 4 count right: blocks, empty slots, what can be shared, and the size of a latent."""

from collections import Counter
from math import isclose
from xml.etree import ElementTree

import figures_04
import pytest

from paged import BlockPool, Sequence
from paged.memory import bytes_per_token, mla_bytes_per_token

SVG = "{http://www.w3.org/2000/svg}"


def texts(name: str) -> list[str]:
    return [text.text for text in ElementTree.fromstring(figures_04.draw()[name]).iter(f"{SVG}text")]


@pytest.mark.parametrize(("block_size", "entries"), [(1, 22), (4, 6), (8, 3), (16, 2)])
def test_request_a_has_the_blocks_that_the_library_gives_it(block_size: int, entries: int):
    request = Sequence(BlockPool(32), block_size)
    request.append(figures_04.NUM_TOKENS)
    assert len(request.block_table) == entries
    assert len(figures_04.slots(block_size)) == entries * block_size


def test_only_blocks_in_which_all_tokens_are_alike_are_shared():
    counts = {size: Counter(figures_04.slots(size)) for size in figures_04.SIZES}
    colours = (figures_04.SHARED, figures_04.REPEATED, figures_04.OWN, figures_04.EMPTY)
    assert {size: tuple(count[colour] for colour in colours) for size, count in counts.items()} == {
        1: (13, 0, 9, 0),
        4: (12, 1, 9, 2),
        8: (8, 5, 9, 2),
        16: (0, 13, 9, 10),
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_columns_beside_the_strips_are_entries_empty_and_shared(lang: str):
    numbers = [int(text) for text in texts(f"04-sizes.{lang}.svg") if text.isdigit()]
    assert numbers == [22, 0, 13, 6, 2, 12, 3, 2, 8, 2, 10, 0]


def test_what_is_kept_agrees_with_the_library():
    assert figures_04.KEPT == {"heads": 40_960, "grouped": 2048, "latent": 576}
    assert mla_bytes_per_token(1, 512, 64, 1) == figures_04.KEPT["latent"]
    assert bytes_per_token(1, 8, 128, 1) == figures_04.KEPT["grouped"]


def test_the_squares_have_areas_in_the_ratio_of_the_numbers_kept():
    boxes = ElementTree.fromstring(figures_04.draw()["04-latent.en.svg"]).iter(f"{SVG}rect")
    sides = [float(box.get("width")) for box in boxes if box.get("width") == box.get("height")]
    heads, grouped, latent = sides
    assert isclose((heads / latent) ** 2, 40_960 / 576, rel_tol=0.02)
    assert isclose((grouped / latent) ** 2, 2048 / 576, rel_tol=0.02)


def test_each_figure_is_there_in_both_languages_with_a_title_for_screen_readers():
    figures = figures_04.draw()
    assert sorted(figures) == [f"{name}.{lang}.svg" for name in ("04-latent", "04-sizes") for lang in ("en", "zh")]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in figures.values()]
    assert len(set(titles)) == 4 and all(titles)
