"""The slot microscope as a learner meets it: real JupyterLab, real Chromium, keys and mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import active_cell, run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from paged import slot_mapping_for
from paged.widgets import slot_microscope as make_microscope

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

NOTEBOOK = "slot-microscope.ipynb"
SHOW = "from paged.widgets import slot_microscope\nw = slot_microscope(lang='en')\nw"

# A picture is drawn again in the frame after the one that finds its new width.
FRAMES = (
    "() => new Promise(done => { let n = 4; const next = () => n-- ? requestAnimationFrame(next) : done(); next(); })"
)


@pytest.fixture
def open_microscope(open_notebook, course: Path) -> Callable[..., Page]:
    write_notebook(course / NOTEBOOK, SHOW, "w", "")
    return lambda **viewport: open_notebook(NOTEBOOK, **viewport)


def view_of(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-slot-microscope").nth(which)


def expect_sum(view: Locator, table: list[int], position: int, block_size: int) -> None:
    """The sum on screen is the library's."""
    [slot] = slot_mapping_for(table, [position], block_size)
    logical, offset = position // block_size, position % block_size
    expect(view.locator(".sum code")).to_have_text(
        f"slot = block_table[{position} // {block_size}] * {block_size} + {position} % {block_size} "
        f"= block_table[{logical}] * {block_size} + {offset} = {table[logical]} * {block_size} + {offset} = {slot}"
    )
    expect(view.get_by_role("img")).to_have_accessible_name(
        f"Position {position} lies in logical block {logical} at offset {offset}. "
        f"The table says physical block {table[logical]}, so the slot is {slot}."
    )


def test_sums_on_screen_are_those_of_the_library(open_microscope) -> None:
    view = view_of(open_microscope())
    expect_sum(view, [5, 6, 7, 0], 13, 4)
    same = make_microscope(lang="en")
    for num_tokens, block_size, position in [
        (16, 256, 15),
        (1, 256, 0),
        (4096, 256, 4095),
        (4096, 1, 4095),
        (1000, 16, 999),
        (1000, 7, 0),
        (255, 128, 200),
    ]:
        for name, value in [("num_tokens", num_tokens), ("block_size", block_size), ("position", position)]:
            view.locator(f"[data-exact={name}]").fill(str(value))
            setattr(same, name, value)
        expect_sum(view, same.results["block_table"], position, block_size)


def test_the_table_shows_its_own_entries_at_every_block_size(open_microscope) -> None:
    view = view_of(open_microscope())
    drawn = view.evaluate(
        """root => [1, 2, 7, 16, 300, 4096].flatMap(tokens => {
          const put = (name, value) => {
            const box = root.querySelector(`[data-exact=${name}]`);
            box.value = value;
            box.dispatchEvent(new Event("input", { bubbles: true }));
          };
          put("num_tokens", tokens);
          return Array.from({ length: 256 }, (_, n) => {
            put("block_size", n + 1);
            return [tokens, n + 1, root.querySelectorAll("svg text.value:not(.on)").length];
          });
        })"""
    )
    assert len(drawn) == 6 * 256
    for num_tokens, block_size, shown in drawn:
        entries = -(-num_tokens // block_size)
        assert shown == entries if entries <= 10 else 10 <= shown <= entries


def test_every_setting_can_be_reached_by_keys(open_microscope) -> None:
    page = open_microscope()
    view = view_of(page)
    for name, keys in {
        "Block size (tokens)": [("PageUp", 8), ("ArrowLeft", 7), ("PageDown", 3), ("End", 256), ("Home", 1)],
        "Tokens in the sequence": [("PageUp", 17), ("End", 4096), ("PageDown", 4095), ("Home", 1), ("ArrowRight", 2)],
        "Position of the token": [("ArrowRight", 1), ("ArrowUp", 1), ("Home", 0), ("ArrowDown", 0), ("End", 1)],
    }.items():
        slider = view.get_by_role("slider", name=name)
        slider.focus()
        for key, value in keys:
            page.keyboard.press(key)
            expect(view.get_by_role("spinbutton", name=f"{name}, exact value")).to_have_value(str(value))
    expect(view.get_by_role("status")).to_have_text(
        "Position 1 lies in logical block 1 at offset 0. The table says physical block 6, so the slot is 6."
    )
    assert active_cell(page) == 0


def test_pages_of_positions_are_blocks(open_microscope) -> None:
    page = open_microscope()
    view = view_of(page)
    view.get_by_role("slider", name="Position of the token").focus()
    for key, position in [("PageDown", 9), ("PageDown", 5), ("PageUp", 9), ("PageUp", 13), ("PageUp", 15)]:
        page.keyboard.press(key)
        expect_sum(view, [5, 6, 7, 0], position, 4)


def test_a_point_of_the_picture_chooses_its_token(open_microscope) -> None:
    page = open_microscope()
    view = view_of(page)
    picture = view.locator("svg.picture")
    box = picture.bounding_box()

    def click(words: str, row: int) -> None:
        """On the number of a token, of a table entry or of a slot in the block that is magnified."""
        at = [node.bounding_box() for node in picture.get_by_text(words, exact=True).all()]
        [place] = [it for it in at if row <= it["y"] - box["y"] < row + 36]
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)

    click("6", 28)  # the token at position 6
    expect_sum(view, [5, 6, 7, 0], 6, 4)
    expect(view.get_by_role("slider", name="Position of the token")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_sum(view, [5, 6, 7, 0], 7, 4)
    click("5", 118)  # entry 0 of the table, at the same offset
    expect_sum(view, [5, 6, 7, 0], 3, 4)
    click("22", 300)  # slot 22, of block 5
    expect_sum(view, [5, 6, 7, 0], 2, 4)


def test_a_shuffle_keeps_the_tokens_and_reaches_the_kernel(open_microscope) -> None:
    page = open_microscope(height=1800)
    tables = []
    for _ in range(4):
        view_of(page).get_by_role("button", name="Shuffle the blocks").click()
        page.wait_for_timeout(500)  # the kernel hears of it after a rest
        tables.append([int(it) for it in run_cell(page, "print(*w.results['block_table'])").split()])
        expect_sum(view_of(page, 0), tables[-1], 13, 4)
        expect_sum(view_of(page, 1), tables[-1], 13, 4)
        assert sorted(set(tables[-1])) == sorted(tables[-1])
        assert set(tables[-1]) <= set(range(8))
    assert len({tuple(table) for table in tables}) > 1
    run_cell(page, "w.num_tokens, w.block_size = 4096, 1\nassert max(w.results['block_table']) < 8192")
    table = [int(it) for it in run_cell(page, "print(*w.results['block_table'])").split()]
    assert len(set(table)) == 4096
    assert table[:4] == tables[-1]
    expect_sum(view_of(page), table, 13, 1)


def test_views_and_kernel_show_one_state(open_microscope) -> None:
    page = open_microscope(height=1800)
    view_of(page, 0).locator("[data-exact=num_tokens]").fill("9")
    view_of(page, 1).locator("[data-exact=block_size]").fill("3")
    for which in (0, 1):
        expect_sum(view_of(page, which), [5, 6, 7], 8, 3)
    page.wait_for_timeout(500)
    printed = run_cell(page, "print(w.position, w.block_size, w.num_tokens, w.results['slot'])")
    assert printed.split() == ["8", "3", "9", "23"]
    run_cell(page, "w.lang, w.position = 'zh', 4")
    for which in (0, 1):
        expect(view_of(page, which).get_by_role("slider", name="token 的位置")).to_have_value("4")
        expect(view_of(page, which).locator(".slot")).to_have_text("19")


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_microscope, theme: str) -> None:
    page = open_microscope()
    set_theme(page, theme)
    contrasts = view_of(page).evaluate(CONTRASTS)
    assert len(contrasts) > 40
    on_colour = {"13", "0", "1"}  # stand on a filled box, which CONTRASTS doesn't see
    assert [pair for pair in contrasts if pair[1] < 4.5 and pair[0] not in on_colour] == []


def test_nothing_is_cut_off_at_any_width(open_microscope) -> None:
    page = open_microscope()
    view = view_of(page)
    for lang, num_tokens, block_size, position in [
        ("en", 16, 4, 13),
        ("zh", 4096, 256, 4095),
        ("en", 4096, 1, 4095),
        ("zh", 300, 16, 0),
    ]:
        state = f"w.lang, w.num_tokens, w.block_size, w.position = '{lang}', {num_tokens}, {block_size}, {position}"
        run_cell(page, state)
        expect(view).to_have_attribute("lang", lang)
        view.locator(".controls").scroll_into_view_if_needed()  # JupyterLab lays out only what is in sight
        for width in (320, 420, 590, 610, 960, 1180):
            view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
            page.evaluate(FRAMES)
            assert (lang, width, view.evaluate(OVERHANG)) == (lang, width, [])


def test_an_untrusted_notebook_shows_the_sum_without_a_kernel(open_notebook, course: Path) -> None:
    output = make_microscope(lang="en")._repr_mimebundle_()[0]
    write_notebook(course / "untrusted-microscope.ipynb", "w", output=output)
    page = open_notebook("untrusted-microscope.ipynb", run=False)
    expect(page.locator(".jp-OutputArea-output").first).to_contain_text("= 0 * 4 + 1 = 1")
