"""The animation of chapter 1: what it plays is a real run, it needs no script, and it stands still where asked to."""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import first_fit
import pytest
from build_notebooks import ROOT

SVG = "{http://www.w3.org/2000/svg}"
REDUCED = "--force-prefers-reduced-motion"  # the system's setting; Playwright's own does not reach into an <img>

each_language = pytest.mark.parametrize("lang", ["en", "zh"])


def drawn(lang: str) -> str:
    return first_fit.fragmentation(first_fit.TEXT[lang])


def still(lang: str) -> list[str]:
    """The texts that are seen without the animation."""
    texts = []

    def collect(element: ElementTree.Element) -> None:
        if element.get("opacity") != "0":
            texts.extend([element.text] if element.tag == f"{SVG}text" else [])
            for child in element:
                collect(child)

    collect(ElementTree.fromstring(drawn(lang)))
    return texts


def longest_run(slots: str) -> int:
    return max(len(run) for run in slots.split("#"))


def test_the_refused_request_is_smaller_than_what_is_free_and_larger_than_every_hole():
    end = first_fit.run()[-1]
    slots = ["."] * first_fit.NUM_SLOTS
    for start, size in end.pieces.values():
        assert slots[start : start + size] == ["."] * size
        slots[start : start + size] = ["#"] * size
    name, asked = first_fit.EVENTS[-1]
    assert name not in end.pieces
    assert longest_run("".join(slots)) < asked <= slots.count(".")
    assert (longest_run("".join(slots)), asked, slots.count(".")) == (6, 8, 12)


def test_every_request_before_it_got_its_piece():
    frames = first_fit.run()
    arrived = [(name, tokens, frame) for (name, tokens), frame in zip(first_fit.EVENTS, frames, strict=True) if tokens]
    assert all(frame.pieces[name][1] == tokens for name, tokens, frame in arrived[:-1])


def test_in_blocks_the_same_request_is_placed_beside_the_same_others():
    end = first_fit.run()[-1]
    assert {name: len(table) for name, table in end.tables.items()} == {"C": 3, "D": 4, "E": 2, "F": 2, "G": 4}
    owned = [block for table in end.tables.values() for block in table]
    assert len(set(owned)) == len(owned) == 15
    assert set(owned) <= set(range(16))


@each_language
def test_without_motion_one_sees_the_refusal(lang: str):
    texts = still(lang)
    said = {
        "en": "G wants 8 in a row. 12 are free, but the largest hole has 6: G waits.",
        "zh": "G 要连续 8 个。空闲的有 12 个，可最大的空隙只有 6 个：G 只能等。",
    }
    assert said[lang] in texts
    assert [text for text in texts if text in "ABCDEFG"] == [*"CDEF", *"CCCDDDDEEFFGGGG"]
    assert {"12 free, largest hole 6", "空闲 12，最大的空隙 6"} & set(texts)
    assert not {"19 free, largest hole 19", "空闲 19，最大的空隙 19"} & set(texts)


@each_language
def test_it_moves_by_css_alone_and_only_where_motion_is_welcome(lang: str):
    svg = drawn(lang)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags == {"svg", "title", "style", "rect", "text", "path", "g"}
    style = re.search(r"<style>(.*?)</style>", svg, re.DOTALL)[1]
    assert re.fullmatch(r"@media \(prefers-reduced-motion:no-preference\)\{.*\}\}", style)
    assert "animation" not in svg.replace(style, "")
    named = set(re.findall(r'class="(\w+)"', svg))
    assert named == set(re.findall(r"@keyframes (\w+)", style))


@each_language
def test_the_stages_of_each_movement_are_in_order(lang: str):
    for name, steps in re.findall(r"@keyframes (\w+)\{((?:[^{}]*\{[^{}]*\})*)\}", drawn(lang)):
        times = [float(number) for number in re.findall(r"([\d.]+)%", steps)]
        assert times == sorted(times), name
        assert times[0] >= 0 and times[-1] == 100, name


def test_the_chapter_plays_the_same_events():
    source = (ROOT / "notebooks" / "src" / "01-why-page.md").read_text(encoding="utf-8")
    [line] = re.findall(r'^events = "(.*?)"', source, re.MULTILINE)
    assert line == " ".join(f"{name}{tokens}" for name, tokens in first_fit.EVENTS)


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize(("flags", "moves"), [([], True), ([REDUCED], False)])
def test_in_an_img_it_plays_unless_less_motion_is_wanted(tmp_path: Path, flags: list[str], moves: bool):
    (tmp_path / "film.svg").write_text(drawn("en"), encoding="utf-8")
    (tmp_path / "page.html").write_text('<img src="film.svg">', encoding="utf-8")
    with ThreadPoolExecutor(1) as thread:  # where other tests have a browser of their own, this thread can't have one
        first, later = thread.submit(two_pictures, (tmp_path / "page.html").as_uri(), flags).result()
    assert (later != first) == moves


def two_pictures(address: str, flags: list[str]) -> tuple[bytes, bytes]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), headless=True, args=["--no-sandbox", "--disable-gpu", *flags]
        )
        page = browser.new_page(viewport={"width": 760, "height": 420})
        page.goto(address)
        page.wait_for_function("() => document.images[0].naturalWidth === 720")
        page.wait_for_timeout(500)
        first = page.screenshot()
        page.wait_for_timeout(2000)
        later = page.screenshot()
        browser.close()
    return first, later
