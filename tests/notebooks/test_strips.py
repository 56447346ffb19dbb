"""The comic strips: six panels each, in both languages, with an alt text; and text stays in its bubble."""

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
import strips
from build_notebooks import ROOT
from matplotlib.ft2font import FT2Font
from strip_reader import DRAWN, SVG, boxes, panels
from strips import lettering, paper

CHINESE = re.compile(r"[\u3400-\u9fff]")
FONTS = Path(matplotlib.get_data_path(), "fonts", "ttf")

each_strip = pytest.mark.parametrize("name", sorted(DRAWN))


def width_in_dejavu(text: str, size: float, bold: bool) -> float:
    """DejaVu Sans comes with matplotlib and is wider than what systems ship as their default. CJK is one em wide."""
    return size * sum(advance(char, bold) for char in text)


@cache
def advance(char: str, bold: bool) -> float:
    """In em."""
    font = FT2Font(str(FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")))
    font.set_size(100, 72)
    return font.load_char(ord(char)).linearHoriAdvance / 6553600 if font.get_char_index(ord(char)) else 1.0


def test_the_chapters_have_a_strip_in_each_language():
    assert sorted(DRAWN) == [f"0{number}-strip.{lang}.svg" for number in (1, 2, 3, 4, 5, 8) for lang in ("en", "zh")]


@each_strip
def test_a_strip_has_six_panels_and_somebody_speaks_in_each(name: str):
    bubbles = [len(panel.findall(f"{SVG}g[@class='bubble']")) for panel in panels(name)]
    assert len(bubbles) == 6
    assert min(bubbles) >= 1


def test_a_rebuild_gives_the_same_bytes():
    assert strips.draw() == DRAWN


@each_strip
def test_a_strip_brings_its_background_and_nothing_from_elsewhere(name: str):
    root = ElementTree.fromstring(DRAWN[name])
    sheet = root.find(f"{SVG}rect")
    assert [sheet.get(side) for side in ("width", "height")] == root.get("viewBox").split()[2:]
    assert sheet.get("fill") == "#efe6d5"
    assert not re.search(r"@font-face|<style|<image|href|url\((?!#frame)", DRAWN[name])


@each_strip
def test_every_text_stays_in_its_box_even_in_a_wide_font(name: str):
    lettered = [(text, box) for panel in panels(name) for box, texts in boxes(panel) for text in texts]
    assert len(lettered) == sum(1 for _ in ElementTree.fromstring(DRAWN[name]).iter(f"{SVG}text"))
    for text, (x, y, width, height) in lettered:
        size, middle, baseline = (float(text.get(key)) for key in ("font-size", "x", "y"))
        half = width_in_dejavu(text.text, size, bold=int(text.get("font-weight")) >= 600) / 2
        assert x <= middle - half, text.text
        assert middle + half <= x + width, text.text
        assert y <= baseline - 0.75 * size, text.text
        assert baseline + 0.24 * size <= y + height, text.text


@each_strip
def test_no_speech_covers_another_or_leaves_its_panel(name: str):
    for panel in panels(name):
        # Signs, lists and speech; the labels of whatever is drawn in a scaled group have coordinates of their own.
        placed = [box for group in panel if not group.get("transform") for box, _ in boxes(group)]
        assert all(x >= 0 and y >= 0 and x + w <= 380 and y + h <= 384 for x, y, w, h in placed)
        for (x, y, w, h), (x2, y2, w2, h2) in combinations(placed, 2):
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


@each_strip
def test_a_strip_tells_its_story_to_whoever_cannot_see_it(name: str):
    number, lang = name[:2], name[-6:-4]
    root = ElementTree.fromstring(DRAWN[name])
    alt = root.findtext(f"{SVG}desc")
    assert alt == strips.STRIPS[number].ALT[lang]
    assert root.findtext(f"{SVG}title") == strips.STRIPS[number].TEXT[lang]["title"]
    marks = (
        [f"Panel {panel}: " for panel in range(1, 7)] if lang == "en" else [f"第{panel}格" for panel in "一二三四五六"]
    )
    assert [alt.count(mark) for mark in marks] == [1] * 6
    assert bool(CHINESE.search(alt)) == (lang == "zh")
    assert len(alt) > (900 if lang == "en" else 400)


@each_strip
def test_all_that_is_written_for_a_strip_is_on_its_sheet(name: str):
    _, *texts = strips.STRIPS[name[:2]].TEXT[name[-6:-4]].values()
    drawn = "".join(text.text for panel in panels(name) for text in panel.iter(f"{SVG}text")).replace(" ", "")
    assert [text for text in texts if "".join("".join(text).split()) not in drawn] == []


@pytest.mark.parametrize("number", sorted(strips.STRIPS))
def test_both_editions_say_the_same_number_of_things_in_their_own_words(number: str):
    english, chinese = (strips.STRIPS[number].TEXT[lang] for lang in ("en", "zh"))
    assert english.keys() == chinese.keys()
    assert not any(CHINESE.search(str(said)) for said in english.values())


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("source", sorted((ROOT / "notebooks" / "src").glob("*.md")), ids=lambda path: path.stem)
def test_a_chapter_shows_its_own_strip_with_the_whole_alt_text(source: Path, lang: str):
    number = source.stem[:2]
    shown = re.findall(rf"!\[(.*?)\]\(\.\./figures/(\d\d)-strip\.{lang}\.svg\)", source.read_text(encoding="utf-8"))
    if number in strips.STRIPS or shown:
        assert shown == [(strips.STRIPS[number].ALT[lang], number)]


def test_text_is_wrapped_where_its_language_allows_it():
    assert lettering.wrap("one two three four", 10, 75) == ["one two", "three four"]
    assert lettering.wrap("甲乙丙丁，戊", 10, 40) == ["甲乙丙", "丁，戊"]
    assert lettering.wrap("要 32768 个座", 10, 50) == ["要", "32768 个", "座"]
    assert lettering.wrap("一\n二", 10, 100) == ["一", "二"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [("unbreakable", r"needs 7\d x 12, the box has 50 x 30"), ("a b c d e f g h i j k l", "needs 41 x 37")],
)
def test_text_that_does_not_fit_its_box_is_refused_with_the_numbers(text: str, fault: str):
    pen = paper.Pen(ElementTree.Element("svg"))
    with pytest.raises(ValueError, match=fault):
        lettering.letter(pen, (0, 0, 50, 30), text, 10)
    assert list(pen.node) == []


def test_a_tail_that_ends_in_its_own_bubble_is_refused():
    pen = paper.Pen(ElementTree.Element("svg"))
    with pytest.raises(ValueError, match=r"the tail's end \(20, 20\) lies in its bubble: 0, 0, "):
        lettering.bubble(pen, "Psst. Drink me.", 0, 0, 200, (20, 20))
