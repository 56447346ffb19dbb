"""What a kernel reads, as a learner meets it: real JupyterLab, real Chromium, keys and mouse, both languages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from widgets.traces import trace

from browser.lab import active_cell, run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from browser.test_slot_microscope_in_lab import FRAMES
from paged.widgets import read_slots as make_reads

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

NOTEBOOK = "read-slots.ipynb"
SHOW = f"from paged.widgets import read_slots\nw = read_slots({trace()!r}, lang='en')\nw"

# [program, cells that are drawn in its colour, whether it is lit] of each program.
READS = """root => [...root.querySelectorAll("svg .read")].map(path =>
  [+path.dataset.program, path.getAttribute("d").match(/M/g).length, !path.classList.contains("dim")])"""


@pytest.fixture
def open_reads(open_notebook, course: Path) -> Callable[..., Page]:
    write_notebook(course / NOTEBOOK, SHOW, "w", "")
    return lambda **viewport: open_notebook(NOTEBOOK, **viewport)


def view_of(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-read-slots").nth(which)


def told(view: Locator, which: int = 0) -> Locator:
    return view.locator(".told").nth(which)


def test_it_opens_on_all_programs_of_the_first_run(open_reads) -> None:
    view = view_of(open_reads())
    expect(told(view)).to_have_text("together: 128 B of K and V are read, in 4 programs. The least is 128 B, so 1.00×.")
    expect(view.locator(".bars b")).to_have_text(["1.00×", "2.00×"])
    assert view.evaluate(READS) == [[0, 3, True], [1, 3, True], [2, 1, True], [3, 1, True]]
    expect(told(view, 2)).to_have_text("")


def test_programs_are_walked_by_keys_and_the_kernel_hears_of_it(open_reads) -> None:
    page = open_reads()
    view = view_of(page)
    view.get_by_role("slider", name="Program (0: all of them)").focus()
    for key, words in [
        ("ArrowRight", "Program 1, (0, 0, 0): slots of K 3, KV head 0, bytes of K and V 48."),
        ("ArrowRight", "Program 2, (0, 1, 0): slots of K 3, KV head 1, bytes of K and V 48."),
        ("End", "Program 4, (1, 1, 0): slots of K 1, KV head 1, bytes of K and V 16."),
    ]:
        page.keyboard.press(key)
        expect(told(view)).to_have_text(words)
    assert [lit for _, _, lit in view.evaluate(READS)] == [False, False, False, True]
    expect(view.get_by_role("status")).to_contain_text("Program 4")
    assert active_cell(page) == 0
    page.wait_for_timeout(500)
    assert run_cell(page, "print(w.program, w.results['program_bytes'])").split() == ["4", "16"]


def test_another_run_stripes_the_slots(open_reads) -> None:
    page = open_reads()
    view = view_of(page)
    view.get_by_text("one by one").click()
    expect(told(view)).to_have_text(
        "one by one: 256 B of K and V are read, in 8 programs. The least is 128 B, so 2.00×."
    )
    assert [cells for _, cells, _ in sorted(view.evaluate(READS))] == [3, 3, 1, 1] * 2
    name = "one by one: 256 B in 8 programs, 2.00 times the least"
    expect(view.get_by_role("radio", name=name)).to_be_checked()
    view.locator("[data-exact=program]").fill("7")
    expect(told(view)).to_contain_text("Program 7, launch 2, (1, 0, 0)")
    view.get_by_text("together", exact=True).click()
    expect(told(view)).to_contain_text("Program 4, (1, 1, 0)")


def test_the_pointer_asks_a_slot_and_a_click_lights_its_readers_in_turn(open_reads) -> None:
    page = open_reads(height=1200)
    view = view_of(page)
    view.get_by_text("one by one").click()
    box = view.locator("svg .block").nth(3).bounding_box()
    place = box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.25
    page.mouse.move(*place)
    expect(told(view, 1)).to_have_text(
        "Slot 7, offset 1 of block 3, KV head 0: position 1 of request 0. "
        "Read by 2: launch 1, (0, 0, 0), launch 2, (0, 0, 0)."
    )
    for number in (1, 5, 1):
        page.mouse.down()
        page.mouse.up()
        expect(told(view)).to_contain_text(f"Program {number}, launch")
    page.keyboard.press("ArrowRight")
    expect(told(view)).to_contain_text("Program 2, launch")
    box = view.locator("svg .block").nth(2).bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(told(view, 1)).to_have_text("Slot 4, offset 0 of block 2, KV head 0: no request's token. Read by nobody.")
    page.mouse.down()
    page.mouse.up()
    expect(view.locator("[data-exact=program]")).to_have_value("0")


def test_what_is_read_wrongly_is_counted_and_framed(open_reads) -> None:
    page = open_reads()
    view = view_of(page)
    wrong = "{**w.trace, 'runs': [{'name': 'x', 'programs': [{'id': [0] * 4, 'k': [[4, 0, 8], [6, 0, 8]], 'v': []}]}]}"
    run_cell(page, f"w.trace = {wrong}")
    expect(told(view, 2)).to_have_text(
        "Rows that are read although no request has a token there: 1. Rows of tokens that nobody reads: 7."
    )
    assert view.locator("svg .wrong-rows").get_attribute("d").count("M") == 8
    view.get_by_role("combobox", name="Cache").select_option("V")
    expect(told(view, 2)).to_have_text("Rows of tokens that nobody reads: 8.")


def test_views_and_kernel_show_one_state_in_both_languages(open_reads) -> None:
    page = open_reads(height=2000)
    view_of(page, 0).get_by_text("one by one").click()
    page.wait_for_timeout(500)
    assert run_cell(page, "print(w.run, w.results['times'])").split() == ["1", "2.0"]
    run_cell(page, "w.lang, w.run, w.program, w.cache = 'zh', 0, 3, 'v'")
    for which in (0, 1):
        expect(told(view_of(page, which))).to_have_text(
            "第 3 个 program，(1, 0, 0)，读了 V 的 1 个槽位，KV 头 0；K 和 V 合起来 16 B。"
        )
        expect(view_of(page, which).get_by_role("slider", name="program（0 表示全部）")).to_have_count(1)


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_reads, theme: str) -> None:
    page = open_reads()
    set_theme(page, theme)
    expect(told(view_of(page))).to_contain_text("together")
    contrasts = view_of(page).evaluate(CONTRASTS)
    assert len(contrasts) > 20
    assert [pair for pair in contrasts if pair[1] < 4.5] == []


def test_nothing_is_cut_off_at_any_width(open_reads) -> None:
    page = open_reads()
    view = view_of(page)
    for lang in ("en", "zh"):
        run_cell(page, f"w.lang, w.run, w.program = '{lang}', 1, 8")
        expect(view).to_have_attribute("lang", lang)
        view.locator(".controls").scroll_into_view_if_needed()  # JupyterLab lays out only what is in sight
        for width in (320, 420, 550, 590, 710, 960, 1180):
            view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
            page.evaluate(FRAMES)
            assert (lang, width, view.evaluate(OVERHANG)) == (lang, width, [])


def test_an_untrusted_notebook_shows_the_bytes_without_a_kernel(open_notebook, course: Path) -> None:
    output = make_reads(trace(), lang="en")._repr_mimebundle_()[0]
    write_notebook(course / "untrusted-reads.ipynb", "w", output=output)
    page = open_notebook("untrusted-reads.ipynb", run=False)
    shown = page.locator(".jp-OutputArea-output").first
    for words in ("together", "1.00×", "one by one", "2.00×", "each token once: 128 B"):
        expect(shown).to_contain_text(words)
