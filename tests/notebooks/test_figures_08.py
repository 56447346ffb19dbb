"""The figures of chapter 8 count right, and its animation comes to the softmax of all scores at once."""

import re
from math import exp, isclose
from xml.etree import ElementTree

import figures_08
import online_softmax
import pytest

SVG = "{http://www.w3.org/2000/svg}"
SCORES = [1, 3, 0, 2, 0, 2, 1, 0, 1, 0, 2, 1, 5, 3]

each_language = pytest.mark.parametrize("lang", ["en", "zh"])


def drawn(name: str, lang: str) -> ElementTree.Element:
    return ElementTree.fromstring(figures_08.draw()[f"{name}.{lang}.svg"])


def still(element: ElementTree.Element) -> list[str]:
    """The texts that are seen without the animation."""
    if element.get("opacity") == "0":
        return []
    own = [element.text] if element.tag == f"{SVG}text" else []
    return own + [text for child in element for text in still(child)]


def filled(svg: ElementTree.Element, colour: str) -> int:
    return sum(1 for rect in svg.iter(f"{SVG}rect") if rect.get("fill") == colour)


def test_the_walk_ends_with_the_softmax_of_all_scores():
    last = online_softmax.run()[-1]
    weights = [exp(score) for score in SCORES]  # so small that no maximum need be taken off
    mean = sum(weight * position for position, weight in enumerate(weights)) / sum(weights)
    assert isclose(last.summed / last.total, mean, rel_tol=1e-12)
    assert isclose(last.total, sum(weights) / exp(5), rel_tol=1e-12)


def test_the_walk_is_that_of_the_table_and_scales_once():
    steps = online_softmax.run()
    assert [step.block for step in steps] == [5, 6, 7, 0]
    assert [score for step in steps for score in step.scores] == SCORES
    assert [round(step.shrink, 3) for step in steps] == [0, 1, 1, 0.135]
    assert [(step.high, round(step.total, 2)) for step in steps] == [(3, 1.55), (3, 2.16), (3, 2.84), (5, 1.52)]


@each_language
def test_without_motion_one_sees_the_end_of_the_walk(lang: str):
    texts = still(drawn("08-walk", lang))
    assert {"5", "1.520", "15.397"} <= set(texts)
    [end] = [text for text in texts if "/" in text]
    assert re.findall(r"[\d.]+\d", end) == ["15.40", "1.520", "10.13"]
    weights = [text for text in texts if re.fullmatch(r"[01]\.\d\d", text)]
    assert weights == [f"{exp(score - 5):.2f}" for score in SCORES]


@each_language
def test_the_animation_needs_no_script_and_only_moves_where_motion_is_welcome(lang: str):
    svg = figures_08.draw()[f"08-walk.{lang}.svg"]
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags == {"svg", "title", "style", "rect", "text", "path", "g"}
    style = re.search(r"<style>(.*?)</style>", svg, re.DOTALL)[1]
    assert re.fullmatch(r"@media \(prefers-reduced-motion:no-preference\)\{.*\}\}", style)
    assert set(re.findall(r'class="(\w+)"', svg)) == set(re.findall(r"@keyframes (\w+)", style))
    for name, steps in re.findall(r"@keyframes (\w+)\{((?:[^{}]*\{[^{}]*\})*)\}", style):
        times = [float(number) for number in re.findall(r"([\d.]+)%", steps)]
        assert times == sorted(times), name
        assert times[0] >= 0 and times[-1] == 100, name


@each_language
def test_a_program_per_query_head_has_a_line_to_every_block_and_a_group_one_for_all(lang: str):
    svg = drawn("08-packing", lang)
    reads = [line for line in svg.iter(f"{SVG}path") if line.get("stroke") == figures_08.KEPT]
    assert len(reads) == 4 * 4 + 4
    said = [text for text in still(svg) if re.search(r"\d\.00", text)]
    assert [re.search(r"\d\.00", text)[0] for text in said] == ["4.00", "1.00"]


@pytest.mark.parametrize(("splits", "programs", "tiles"), [(1, 2, 16), (4, 8, 4)])
def test_each_tile_is_walked_once_however_the_walk_is_divided(splits: int, programs: int, tiles: int):
    work = figures_08.busy(splits)
    assert sorted(processor for processor, _, _ in work) == list(range(programs))
    assert {end for _, _, end in work} == {tiles}
    assert sum(end for _, _, end in work) == 2 * 16


@each_language
def test_both_charts_draw_all_tiles_and_the_second_merges_once_per_head(lang: str):
    svg = drawn("08-split", lang)
    in_legend = 1
    assert [filled(svg, colour) - in_legend for colour in figures_08.WALKS] == [2 * 16, 2 * 16]
    assert filled(svg, figures_08.MERGE) - in_legend == 2


def test_each_figure_is_there_in_both_languages_with_a_title_for_screen_readers():
    figures = figures_08.draw()
    names = ("08-packing", "08-split", "08-walk")
    assert sorted(figures) == [f"{name}.{lang}.svg" for name in names for lang in ("en", "zh")]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in figures.values()]
    assert len(set(titles)) == 6 and all(titles)
