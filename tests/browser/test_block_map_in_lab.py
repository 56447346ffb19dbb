"""The block map as a learner meets it: real JupyterLab, real Chromium, keys and mouse."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from paged import BlockPool
from paged.sequence import Sequence
from paged.widgets import block_map as make_block_map

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

START = "from paged import BlockPool\nfrom paged.sequence import Sequence\nfrom paged.widgets import block_map\n"
PARALLEL = "a = Sequence(pool, 4)\na.append(6)\nb = a.fork()\nb.append(1)"
CROWD = (
    "a = Sequence(pool, 16)\na.append(900)\nb = a.fork()\nc = a.fork()\nc.append(700)\nd = c.fork()\n"
    "d.append(1)\nb.append(300)\nb.free()\npool.allocate(5)\na.append(9999)"
)
STATE = (
    "import json; print(json.dumps([pool.num_free(), pool.ref_cnt, list(pool.free_queue), "
    "{name: s.block_table for name, s in w._desk.sequences.items()}]))"
)


@pytest.fixture
def open_map(open_notebook, course: Path) -> Callable[..., Page]:
    """`open_map(blocks, "Sequence", script)`: a notebook that shows `w`, a map of `pool` after the script."""

    def open_map(blocks: int = 8, sequences: str = "Sequence", script: str = "", views: int = 1, **viewport) -> Page:
        name = f"map-{blocks}-{sequences}-{len(script)}-{views}.ipynb"
        source = f"{START}pool = BlockPool({blocks})\nw = block_map(pool, {sequences}, lang='en')\nw.run({script!r})\nw"
        write_notebook(course / name, source, *["w"] * (views - 1), "")
        return open_notebook(name, **viewport)

    return open_map


def map_of(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-block-map").nth(which)


def do(view: Locator, line: str) -> None:
    view.get_by_role("button", name=line, exact=True).click()


def call(view: Locator) -> Locator:
    return view.locator(".outcome code")


def shown(view: Locator) -> list:
    """Free blocks, ref counts, the free queue and the tables, as they stand on screen."""
    return view.evaluate(
        """e => {
          const numbers = (root, of) => [...root.querySelectorAll(of)].map(n => +n.textContent);
          const tables = [...e.querySelectorAll(".holder")].map(n =>
            [n.querySelector(".owner").textContent, numbers(n, ".chips .chip")]);
          return [numbers(e, ".free-count b")[0], numbers(e, ".grid .count"), numbers(e, ".queue .chip"),
            Object.fromEntries(tables)];
        }"""
    )


def test_buttons_say_the_call_that_they_make_and_show_the_library_s_numbers(open_map) -> None:
    page = open_map(script=PARALLEL)
    view = map_of(page)
    expect(call(view)).to_have_text("b.append(1)")
    view.get_by_role("spinbutton", name="Tokens").fill("5")
    do(view, "a.append(5)")
    expect(call(view)).to_have_text("a.append(5)")
    do(view, "a.fork()")
    expect(call(view)).to_have_text("c = a.fork()")
    view.get_by_role("radio", name="b").check(force=True)
    do(view, "b.free()")
    expect(call(view)).to_have_text("b.free()")
    do(view, "Sequence(pool, 4)")
    expect(view.get_by_role("radio", name="d")).to_be_checked()
    do(view, "d.append(5)")
    expect(call(view)).to_have_text("d.append(5)")
    assert shown(view) == json.loads(run_cell(page, STATE))
    view.get_by_role("spinbutton", name="Tokens").fill("99")
    do(view, "d.append(99)")
    expect(view.locator(".outcome")).to_contain_text(
        "Refused with MemoryError: “need 24 blocks, 3 are free”. Nothing was changed."
    )
    expect(view.locator(".position")).to_have_text("11 / 11")


def test_a_script_runs_by_keys_and_a_wrong_line_is_said(open_map) -> None:
    page = open_map()
    view = map_of(page)
    page.emulate_media(reduced_motion="reduce")
    script = view.get_by_role("textbox", name="Script")
    script.fill(PARALLEL)
    script.press("Control+Enter")
    expect(call(view)).to_have_text("b.append(1)")
    expect(view.locator(".position")).to_have_text("5 / 5")
    assert shown(view) == json.loads(run_cell(page, STATE))
    script.fill("a.append(1)\nb = a.fork(")
    do(view, "Run the script")
    expect(view.get_by_role("alert")).to_have_text("Line 2: this is not Python: '(' was never closed")
    expect(view.locator(".position")).to_have_text("5 / 5")
    script.fill("a.append(1)")
    do(view, "Run the script")
    expect(view.get_by_role("alert")).to_have_text("")
    expect(view.locator(".position")).to_have_text("6 / 6")
    expect(page.locator(".jp-Cell")).to_have_count(2)  # no key reached the notebook


def test_the_steps_of_a_script_come_one_after_the_other(open_map) -> None:
    view = map_of(open_map())
    view.evaluate(
        """e => {
          window.seen = [];
          const look = () => window.seen.push(e.querySelector(".position").textContent);
          new MutationObserver(look).observe(e.querySelector(".position"), { childList: true });
        }"""
    )
    view.get_by_role("textbox", name="Script").fill(PARALLEL)
    do(view, "Run the script")
    expect(view.locator(".position")).to_have_text("5 / 5")
    seen = view.evaluate("window.seen")
    assert list(dict.fromkeys(seen)) == ["2 / 5", "3 / 5", "4 / 5", "5 / 5"]


def test_stepping_needs_no_kernel_and_shows_every_state(open_map) -> None:
    page = open_map(script=PARALLEL)
    view = map_of(page)
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.insert_text("import time; time.sleep(6); print(w.frame)")
    page.keyboard.press("ControlOrMeta+Enter")
    view.get_by_role("button", name="First call").click()
    counts = ["".join(view.locator(".grid .count").all_inner_texts())]
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        counts.append("".join(view.locator(".grid .count").all_inner_texts()))
    assert counts == ["00000000", "00000000", "11000000", "22000000", "21100000"]
    page.keyboard.press("ArrowLeft")
    expect(view.locator(".position")).to_have_text("4 / 5")
    expect(view.locator(".hint")).to_have_text("You are looking back: the buttons act on the last state.")
    assert page.locator(".jp-CodeCell").last.locator(".jp-InputPrompt").inner_text() == "[*]:"
    view.get_by_role("button", name="Back to live").click()
    expect(view.locator(".hint")).to_have_text("")
    page.keyboard.press("Home")
    expect(page.locator(".jp-CodeCell").last.locator(".jp-OutputArea")).to_contain_text("4", timeout=30_000)
    page.wait_for_timeout(600)
    assert run_cell(page, "print(w.frame)").split() == ["0"]


def test_a_call_from_the_past_acts_on_the_live_state_and_jumps_there(open_map) -> None:
    view = map_of(open_map(script=PARALLEL))
    view.get_by_role("button", name="First call").click()
    do(view, "a.fork()")
    expect(view.locator(".position")).to_have_text("6 / 6")
    expect(call(view)).to_have_text("c = a.fork()")
    view.page.wait_for_timeout(600)
    expect(view.locator(".position")).to_have_text("6 / 6")


def test_what_was_copied_flies_to_its_new_block_and_an_arrow_stays(open_map) -> None:
    page = open_map(script=PARALLEL)
    view = map_of(page)
    expect(view.locator(".arrow")).to_have_count(1)
    view.get_by_role("button", name="Previous call").click()
    expect(view.locator(".arrow")).to_have_count(0)
    view.get_by_role("button", name="Next call").click()
    old, new = (view.locator(f".cell[data-block='map.{n}'] .strip") for n in (1, 2))
    ghost = view.locator(".ghost")
    picture = "e => e.style.backgroundImage"
    assert ghost.evaluate(picture) == old.evaluate(picture) != new.evaluate(picture)
    hold = "(e, time) => Object.assign(e.getAnimations()[0], { currentTime: time }).pause()"
    places = []
    for time in (0, 450, 899):
        ghost.evaluate(hold, time)
        places.append(ghost.bounding_box()["x"])
    assert places[0] == pytest.approx(old.bounding_box()["x"], abs=1)
    assert places[0] < places[1] < places[2]
    assert places[2] == pytest.approx(new.bounding_box()["x"], abs=1)
    ghost.evaluate("e => e.getAnimations()[0].finish()")
    expect(ghost).to_have_count(0)
    expect(view.locator(".arrow")).to_have_count(1)
    expect(view.locator(".copied")).to_have_text("copied: 1 → 2")
    page.emulate_media(reduced_motion="reduce")
    view.get_by_role("button", name="Previous call").click()
    view.get_by_role("button", name="Next call").click()
    expect(view.locator(".arrow")).to_have_count(1)
    expect(view.locator(".ghost")).to_have_count(0)


def test_blocks_of_a_bare_pool_are_selected_by_mouse_and_keys_and_go_back_in_that_order(open_map) -> None:
    page = open_map(sequences="None", script="x = pool.allocate(3)\ny = pool.allocate(2)")
    view = map_of(page)
    expect(view.get_by_role("button", name="pool.free(…)")).to_have_attribute("aria-disabled", "true")
    view.locator(".cell[data-block='map.4']").click()
    view.locator(".cell[data-block='map.0']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(view.locator(".cell[aria-checked=true] .number")).to_have_text(["0", "1", "4"])
    do(view, "pool.free([4, 0, 1])")
    expect(view.locator(".queue .chip")).to_have_text(["5", "6", "7", "4", "0", "1"])
    view.get_by_role("checkbox", name="x", exact=True).check(force=True)  # of its blocks, 2 is still there
    do(view, "pool.share([2])")
    expect(view.locator(".cell[data-block='map.2'] .count")).to_have_text("2")
    view.get_by_role("spinbutton", name="Blocks").fill("2")
    do(view, "pool.allocate(2)")
    view.get_by_role("checkbox", name="x", exact=True).uncheck(force=True)
    view.get_by_role("checkbox", name="z", exact=True).check(force=True)
    do(view, "pool.free(z)")
    expect(view.locator(".queue .chip")).to_have_text(["7", "4", "0", "1", "5", "6"])
    view.get_by_role("spinbutton", name="Blocks").fill("9")
    do(view, "pool.allocate(9)")
    expect(view.locator(".outcome")).to_contain_text("→ None: there are not that many free blocks.")
    assert shown(view)[:3] == json.loads(run_cell(page, STATE))[:3]


def test_keys_on_the_controls_are_not_taken_for_notebook_commands(open_map) -> None:
    for sequences, script in (("Sequence", PARALLEL), ("None", "pool.allocate(3)")):
        page = open_map(sequences=sequences, script=script)
        controls = map_of(page).locator("input, button, textarea, [role=checkbox][tabindex='0']").all()
        assert len(controls) > 8
        for control in controls:
            control.focus()
            for key in ("b", "y", "m"):  # cell below, to code, to Markdown
                page.keyboard.press(key)
        expect(page.locator(".jp-Cell")).to_have_count(2)
        expect(page.locator(".jp-MarkdownCell")).to_have_count(0)


def test_views_and_kernel_show_one_state(open_map) -> None:
    page = open_map(script=PARALLEL, views=2, height=1900)
    first, second = map_of(page), map_of(page, 1)
    do(second, "a.fork()")
    for view in (first, second):
        expect(view.locator(".position")).to_have_text("6 / 6")
        expect(view.get_by_role("radio")).to_have_count(3)
    first.get_by_role("slider", name="Call").press("Home")
    expect(second.locator(".position")).to_have_text("1 / 6")
    page.wait_for_timeout(1000)  # the kernel hears of it after a debounce
    run_cell(page, "w.frame, w.lang = 4, 'zh'")
    for view in (first, second):
        expect(view.locator(".position")).to_have_text("5 / 6")
        expect(view.get_by_role("button", name="回到当前")).to_have_count(1)
    run_cell(page, "w._desk.sequences['b'].append(3); w.look()")
    expect(first.locator(".outcome")).to_have_text("在这张图之外被改动过。")


def test_a_screen_reader_hears_the_step_after_a_rest_and_finds_names(open_map) -> None:
    page = open_map(script=PARALLEL)
    view = map_of(page)
    expect(view).to_have_accessible_name("Block map")
    expect(view.get_by_role("radiogroup", name="Sequence")).to_have_count(1)
    cell = view.locator(".cell[data-block='map.2']")
    expect(cell).to_have_accessible_name(
        "block 2: ref count 1, in the table of b, changed by this call, 3 of 4 slots used"
    )
    view.get_by_role("slider", name="Call").press("ArrowLeft")
    expect(view.get_by_role("status")).to_have_text("Step 4 of 5. b = a.fork() Done. 6 of 8 blocks are free.")


def test_two_hundred_and_fifty_six_blocks_show_the_library_s_numbers(open_map) -> None:
    page = open_map(256, script=CROWD.replace(", 16)", ", 4)").replace("00)", "0)"), height=1800)
    view = map_of(page)
    free, counts, queue, tables = json.loads(run_cell(page, STATE))
    assert shown(view)[:2] == [free, counts]
    assert [len(counts), len(shown(view)[2])] == [256, 40]
    assert shown(view)[2] == queue[:32] + queue[-8:]
    assert shown(view)[3]["b"] == tables["b"] == []
    expect(view.locator(".queue .elision")).to_have_text(f"… {len(queue) - 40} more")


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_map, theme: str) -> None:
    page = open_map(16, script=PARALLEL + "\nc = b.fork()\nc.append(40)\na.append(50)", height=1600)
    page.emulate_media(reduced_motion="reduce")
    set_theme(page, theme)
    contrasts = map_of(page).evaluate(CONTRASTS)
    assert len(contrasts) > 60
    assert [pair for pair in contrasts if pair[1] < 4.5] == []


def test_nothing_is_cut_off_at_any_width(open_map) -> None:
    page = open_map(script=PARALLEL, height=2400)
    view = map_of(page, 1)
    for blocks, script in ((8, PARALLEL), (256, CROWD)):
        for lang in ("en", "zh"):
            make = f"block_map(BlockPool({blocks}), Sequence, '{lang}', block_size={16 if blocks > 8 else 4})"
            run_cell(page, f"m = {make}\nm.run({script!r})\nm")
            expect(view).to_have_attribute("lang", lang)
            for width in (320, 420, 600, 750, 780, 1180):
                view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
                page.wait_for_timeout(60)
                assert (blocks, lang, width, view.evaluate(OVERHANG)) == (blocks, lang, width, [])


def test_an_untrusted_notebook_shows_the_step_without_a_kernel(open_notebook, course: Path) -> None:
    widget = make_block_map(BlockPool(8), Sequence, lang="en")
    widget.run(PARALLEL)
    write_notebook(course / "untrusted-map.ipynb", "w", output=widget._repr_mimebundle_()[0])
    page = open_notebook("untrusted-map.ipynb", run=False)
    expect(page.locator(".jp-OutputArea-output").first).to_contain_text("5 of 8 blocks free")
