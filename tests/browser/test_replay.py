"""The replay as a learner meets it: real JupyterLab, real Chromium, keys and mouse."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from widgets import replay_runs

from browser.lab import active_cell, run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from paged.widgets import replay as make_replay

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

SHOW = "import replay_runs as runs\nfrom paged.widgets import replay\nw = replay(runs.{frames}, lang='en')\nw"


@pytest.fixture
def open_replay(open_notebook, course: Path) -> Callable[..., Page]:
    """`open_replay("NEVER_COPIES")`: a notebook that shows this run of widgets/replay_runs.py."""
    shutil.copy(replay_runs.__file__, course / "replay_runs.py")

    def open_replay(frames: str = "NEVER_COPIES", views: int = 1, **viewport: int) -> Page:
        name = f"replay-{frames.strip('()')}-{views}.ipynb"
        write_notebook(course / name, SHOW.format(frames=frames), *["w"] * (views - 1), "")
        return open_notebook(name, **viewport)

    return open_replay


def view_of(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-replay").nth(which)


def position(view: Locator) -> Locator:
    return view.locator(".position")


def cell(view: Locator, side: int, block: int) -> Locator:
    """A block of the only pool, as expected (0) or the learner's (1)."""
    return view.locator(f".cell[data-block='{side}.pool.{block}']")


def test_it_opens_on_the_call_that_differs_and_marks_the_cells(open_replay) -> None:
    view = view_of(open_replay())
    expect(position(view)).to_have_text("6 / 6")
    expect(view.locator("[aria-current=step]")).to_contain_text("b.append(1)")
    expect(view.locator(".outcome")).to_contain_text("Differs: pool.num_free(), pool.ref_cnt")
    for side, words in [
        (0, "block 2: ref count 1, in the table of a, differs, changed by this call"),
        (1, "block 2: ref count 2, in the table of a, b, differs"),
    ]:
        expect(cell(view, side, 2)).to_have_accessible_name(words)
        expect(cell(view, side, 2).locator(".sign")).to_have_text("≠")
        assert cell(view, side, 2).evaluate("e => getComputedStyle(e).outlineWidth") == "3px"
        expect(cell(view, side, 0).locator(".sign")).to_have_count(0)
    assert view.locator(".cell .sign").count() == 4


def test_the_slider_steps_by_keys_and_the_notebook_does_not_take_them(open_replay) -> None:
    page = open_replay()
    view = view_of(page)
    slider = view.get_by_role("slider", name="Call")
    slider.focus()
    for key, number in [
        ("ArrowLeft", 5),
        ("ArrowDown", 4),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
        ("End", 6),
    ]:
        page.keyboard.press(key)
        expect(position(view)).to_have_text(f"{number} / 6")
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "Call 1 of 6: pool = BlockPool(6). As expected.")
    expect(view.get_by_role("status")).to_have_text("Call 1 of 6: pool = BlockPool(6). As expected.")
    assert active_cell(page) == 0


def test_the_buttons_work_by_mouse_and_by_keys_and_keep_the_focus(open_replay) -> None:
    page = open_replay()
    view = view_of(page)
    for name, number in [("Previous call", 5), ("First call", 1), ("Next call", 2), ("Last call", 6)]:
        view.get_by_role("button", name=name, exact=True).click()
        expect(position(view)).to_have_text(f"{number} / 6")
    view.get_by_role("button", name="First call").focus()
    for key, number in [("Enter", 1), ("ArrowRight", 2), ("End", 6), ("Space", 1)]:
        page.keyboard.press(key)
        expect(position(view)).to_have_text(f"{number} / 6")
    for name, off in [
        ("First call", "true"),
        ("Previous call", "true"),
        ("Next call", "false"),
        ("Last call", "false"),
    ]:
        expect(view.get_by_role("button", name=name)).to_have_attribute("aria-disabled", off)
    expect(view.get_by_role("button", name="First call")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(view.get_by_role("button", name="Next call")).to_be_focused()
    assert active_cell(page) == 0


def test_a_call_in_the_list_can_be_clicked(open_replay) -> None:
    view = view_of(open_replay())
    view.locator(".calls").get_by_text("a.append(6)").click()
    expect(position(view)).to_have_text("4 / 6")
    expect(view.locator(".outcome")).to_have_text("a.append(6)As expected.")
    expect(view.locator(".sign").locator("visible=true")).to_have_count(2)  # of the last call, and in the legend


def test_stepping_shows_each_state_and_what_the_call_has_changed(open_replay) -> None:
    page = open_replay()
    view = view_of(page)
    view.get_by_role("button", name="First call").click()
    counts, changed = [], []
    for _ in range(6):
        counts.append("".join(view.locator(".column:nth-child(3) .cell .count").all_inner_texts()))
        changed.append(view.locator(".column:nth-child(3) .cell.new .number").all_inner_texts())
        view.get_by_role("button", name="Next call").press("Enter")
    assert counts == ["000000", "100000", "100000", "111000", "122000", "122000"]
    assert changed == [[], ["0"], [], ["1", "2"], ["1", "2"], []]


def test_a_chip_points_to_its_block_on_its_own_side(open_replay) -> None:
    view = view_of(open_replay())
    view.locator(".chips [data-block='1.pool.2']").first.hover()
    linked = view.locator(".linked").evaluate_all("all => all.map(e => e.dataset.block)")
    assert linked == ["1.pool.2"] * 3  # the cell, and a chip in the tables of a and b


def test_views_and_kernel_share_the_frame(open_replay) -> None:
    page = open_replay(views=2, height=1600)
    view_of(page, 1).get_by_role("slider", name="Call").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    for which in (0, 1):
        expect(position(view_of(page, which))).to_have_text("3 / 6")
    assert run_cell(page, "print(w.frame)").split() == ["2"]
    run_cell(page, "w.frame, w.lang = 4, 'zh'")
    for which in (0, 1):
        expect(position(view_of(page, which))).to_have_text("5 / 6")
        expect(view_of(page, which).get_by_role("button", name="最后一次调用")).to_have_count(1)


def test_dragging_needs_no_kernel(open_replay) -> None:
    page = open_replay("crowd()", height=2000)
    view = view_of(page)
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.insert_text("import time; time.sleep(8); print(w.frame)")
    page.keyboard.press("ControlOrMeta+Enter")
    slider = view.get_by_role("slider", name="Call")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    for fraction, number in [(0.5, 12), (0.0, 1)]:
        page.mouse.move(box["x"] + 8 + fraction * (box["width"] - 16), box["y"] + box["height"] / 2, steps=5)
        expect(position(view)).to_have_text(f"{number} / 23")
    assert page.locator(".jp-CodeCell").last.locator(".jp-InputPrompt").inner_text() == "[*]:"
    page.mouse.up()
    expect(page.locator(".jp-CodeCell").last.locator(".jp-OutputArea")).to_contain_text("22", timeout=30_000)
    assert run_cell(page, "print(w.frame)").split() == ["0"]


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_replay, theme: str) -> None:
    page = open_replay(height=2000)
    page.emulate_media(reduced_motion="reduce")
    set_theme(page, theme)
    assert [pair for pair in view_of(page).evaluate(CONTRASTS) if pair[1] < 4.5] == []
    run_cell(page, "replay(runs.crowd())")
    for number in (23, 10):
        view_of(page, 1).locator("li").nth(number - 1).click()
        contrasts = view_of(page, 1).evaluate(CONTRASTS)
        assert len(contrasts) > 100
        assert [pair for pair in contrasts if pair[1] < 4.5] == []


def test_nothing_is_cut_off_at_any_width_and_columns_stack_when_narrow(open_replay) -> None:
    page = open_replay(height=2000)
    view = view_of(page, 1)
    lefts = "e => [...e.querySelectorAll('.pool .column')].map(c => c.getBoundingClientRect().left)"
    for frames in ("TWO_POOLS", "crowd()", "large()", "RESULTS_ONLY"):
        for lang in ("en", "zh"):
            run_cell(page, f"replay(runs.{frames}, lang='{lang}')")
            expect(view).to_have_attribute("lang", lang)
            for width in (320, 420, 690, 710, 1180):
                view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
                page.wait_for_timeout(50)
                assert (frames, lang, width, view.evaluate(OVERHANG)) == (frames, lang, width, [])
                assert len(set(view.evaluate(lefts))) == (0 if frames == "RESULTS_ONLY" else 1 if width < 700 else 2)


def test_the_current_call_is_in_sight_in_a_long_list(open_replay) -> None:
    page = open_replay("crowd()")
    view = view_of(page)
    view.evaluate("e => { e.parentElement.style.width = '420px' }")
    slider = view.get_by_role("slider", name="Call")
    for key in ("Home", "End", "Home"):
        slider.press(key)
        page.wait_for_timeout(50)
        assert view.evaluate(
            """e => {
              const list = e.querySelector(".run").getBoundingClientRect();
              const line = e.querySelector("[aria-current]").getBoundingClientRect();
              return list.top - 1 <= line.top && line.bottom <= list.bottom + 1;
            }"""
        )


def test_highlights_do_not_move_where_less_motion_is_wished(open_replay) -> None:
    page = open_replay()
    name = "e => getComputedStyle(e).animationName"
    assert view_of(page).locator(".cell.new").first.evaluate(name) == "paged-replay-new"
    page.emulate_media(reduced_motion="reduce")
    assert view_of(page).locator(".cell.new").first.evaluate(name) == "none"


def test_an_untrusted_notebook_shows_the_last_call_without_a_kernel(open_notebook, course: Path) -> None:
    frames = make_replay(replay_runs.NEVER_COPIES, lang="en")
    write_notebook(course / "untrusted-replay.ipynb", "w", output=frames._repr_mimebundle_()[0])
    page = open_notebook("untrusted-replay.ipynb", run=False)
    output = page.locator(".jp-OutputArea-output").first
    expect(output).to_contain_text("Differs: pool.num_free(), pool.ref_cnt, pool.copies, b.block_table")
    edges = output.evaluate(
        "e => [...e.querySelectorAll('td > div > div')].map(n => getComputedStyle(n).borderTopWidth)"
    )
    assert edges == ["1px", "1px", "3px", "3px", "1px", "1px"] * 2
