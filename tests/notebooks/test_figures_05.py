"""The figures of chapter 5 show what the library does: tables, owners, copies and blocks in use are not made up."""

from xml.etree import ElementTree

import figures_05
import pytest

from paged import BlockPool, Sequence, beam_step, parallel_sample

SVG = "{http://www.w3.org/2000/svg}"


def texts(name: str) -> list[str]:
    return [text.text for text in ElementTree.fromstring(figures_05.draw()[name]).iter(f"{SVG}text")]


def test_three_answers_have_the_tables_owners_and_copies_that_the_library_gives():
    pool = BlockPool(8)
    prompt = Sequence(pool, 4)
    prompt.append(figures_05.PROMPT)
    answers = dict(zip("abc", [prompt, prompt.fork(), prompt.fork()], strict=True))
    assert ({name: each.block_table for name, each in answers.items()}, pool.ref_cnt[:4]) == figures_05.FORKED
    for answer in answers.values():
        answer.append(1)
    assert ({name: each.block_table for name, each in answers.items()}, pool.ref_cnt[:4]) == figures_05.APPENDED
    assert pool.copies == figures_05.COPIES


def test_memory_shows_the_prompt_once_and_then_a_copy_of_its_end_for_each_answer():
    assert figures_05.contents(figures_05.FORKED[0]) == [["0", "1", "2", "3"], ["4", "5", "", ""], [""] * 4, [""] * 4]
    assert figures_05.contents(figures_05.APPENDED[0]) == [
        ["0", "1", "2", "3"],
        ["4", "5", "c6", ""],
        ["4", "5", "a6", ""],
        ["4", "5", "b6", ""],
    ]


def test_the_search_has_the_tables_copies_and_blocks_in_use_that_the_library_gives():
    pool = BlockPool(8)
    beams = parallel_sample(pool, 4, 6, 3, 0)
    for parents, tables, copies, in_use in figures_05.SEARCH:
        pool.copies.clear()
        beams = beams if parents is None else beam_step(beams, parents)
        assert [beam.block_table for beam in beams] == tables
        assert (pool.copies, pool.num_blocks - pool.num_free()) == (copies, in_use)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_under_the_search_stand_blocks_with_and_without_sharing(lang: str):
    drawn = [text for text in texts(f"05-beams.{lang}.svg") if text.isdigit()]
    assert drawn == ["2", "6", "4", "6", "4", "6", "6", "9", "6", "9"]


def test_only_beams_without_children_are_crossed_out():
    svg = ElementTree.fromstring(figures_05.draw()["05-beams.en.svg"])
    faded = [box for box in svg.iter(f"{SVG}rect") if box.get("fill") == "#f0e9e6"]
    crosses = [line for line in svg.iter(f"{SVG}path") if line.get("stroke") == figures_05.ALARM]
    assert len(faded) == len(crosses) == 3


def test_each_figure_is_there_in_both_languages_with_a_title_for_screen_readers():
    figures = figures_05.draw()
    assert sorted(figures) == [f"{name}.{lang}.svg" for name in ("05-beams", "05-fork") for lang in ("en", "zh")]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in figures.values()]
    assert len(set(titles)) == 4
    assert all(titles)
