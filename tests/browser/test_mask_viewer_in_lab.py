"""The mask viewer as a learner meets it: real JupyterLab, real Chromium, keys and mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import active_cell, run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from browser.test_slot_microscope_in_lab import FRAMES
from paged.widgets import mask_viewer as make_viewer

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

NOTEBOOK = "mask-viewer.ipynb"
SHOW = "from paged.widgets import mask_viewer\nw = mask_viewer(lang='en')\nw"

# Cells of each kind of each mask, row by row, from the paths that are drawn: a row is a box M x y h width.
CELLS = """(root, kind) => {
  const boxes = node => [...(node?.getAttribute("d") ?? "").matchAll(/M([\\d.]+) ([\\d.]+)h([\\d.]+)v/g)]
    .map(([, x, y, width]) => [+x, +y, +width]);
  const pitch = +root.querySelector("svg .grid").getAttribute("d").match(/M([\\d.]+) [\\d.]+V/g)
    .slice(0, 2).map(it => +it.slice(1).split(" ")[0]).reduce((a, b) => b - a);
  return [...root.querySelectorAll(`svg path.${kind}`)].map(path =>
    boxes(path).filter(([, , width]) => width > 0).map(([, , width]) => Math.round(width / pitch)));
}"""


@pytest.fixture
def open_viewer(open_notebook, course: Path) -> Callable[..., Page]:
    write_notebook(course / NOTEBOOK, SHOW, "w", "")
    return lambda **viewport: open_notebook(NOTEBOOK, **viewport)


def view_of(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-mask-viewer").nth(which)


def told(view: Locator, which: int = 0) -> Locator:
    return view.locator(".told").nth(which)


def expect_batch(view: Locator, requests: list[tuple[int, int]]) -> None:
    """The arrays and the masks on screen are those of this batch."""
    starts = [sum(new for _, new in requests[:n]) for n in range(len(requests) + 1)]
    expect(view.locator("[data-list=starts]")).to_have_text(", ".join(map(str, starts)))
    expect(view.locator("[data-list=contexts]")).to_have_text(", ".join(str(context) for context, _ in requests))
    visible = [list(range(context - new + 1, context + 1)) for context, new in requests]
    assert view.evaluate(CELLS, "visible") == visible
    assert view.evaluate(CELLS, "hidden") == [[context] * new for context, new in requests]


def test_it_opens_on_the_chapter_s_batch(open_viewer) -> None:
    view = view_of(open_viewer())
    expect_batch(view, [(37, 1), (5, 5), (20, 8)])
    expect(told(view)).to_have_text(
        "Request 2, chunk of a prompt: query 4 of 8, counted from 0, stands at position 16 and sees 17 of 20 keys, "
        "positions 0 to 16. Its row in the batch is 6 + 4 = 10."
    )
    expect(told(view, 1)).to_have_text("")


def test_rows_of_the_batch_can_be_walked_by_keys(open_viewer) -> None:
    page = open_viewer()
    view = view_of(page)
    view.get_by_role("slider", name="Query (row of the batch)").focus()
    for key, words in [
        ("Home", "Request 0, decode: query 0 of 1, counted from 0, stands at position 36 and sees 37 of 37 keys"),
        ("ArrowLeft", "Request 0, decode: query 0 of 1"),
        ("ArrowRight", "Request 1, whole prompt: query 0 of 5, counted from 0, stands at position 0 and sees 1 of 5"),
        ("PageUp", "Request 2, chunk of a prompt: query 3 of 8, counted from 0, stands at position 15"),
        ("End", "Its row in the batch is 6 + 7 = 13."),
    ]:
        page.keyboard.press(key)
        expect(told(view)).to_contain_text(words)
    expect(view.get_by_role("status")).to_contain_text("Request 2, chunk of a prompt: query 7 of 8")
    expect(view.get_by_role("radio", name="request 2, context 20, new 8")).to_be_checked()
    assert active_cell(page) == 0


def test_the_pointer_selects_a_row_in_a_mask_and_in_the_batch(open_viewer) -> None:
    page = open_viewer()
    view = view_of(page)
    view.locator("svg").get_by_text("batch, N = 14").scroll_into_view_if_needed()
    box = view.locator("svg path.hidden").nth(1).bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] * 0.5)
    expect(told(view)).to_contain_text("Request 1, whole prompt: query 2 of 5")
    box = view.locator("svg path.rows").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] * 6.5 / 14)
    expect(told(view)).to_contain_text("Its row in the batch is 6 + 0 = 6.")
    page.mouse.down()
    page.mouse.up()
    page.keyboard.press("ArrowUp")
    expect(told(view)).to_contain_text("Its row in the batch is 6 + 1 = 7.")


def test_a_request_can_be_resized_added_and_removed(open_viewer) -> None:
    page = open_viewer(height=1200)
    view = view_of(page)
    view.get_by_text("5 / 5").click()
    for name, value in [("context", 9), ("new", 0)]:
        view.locator(f"[data-exact={name}]").fill(str(value))
    expect_batch(view, [(37, 1), (9, 0), (20, 8)])
    expect(told(view)).to_have_text(
        "Request 1 has no new tokens: it adds no row, and its two entries of query_start_loc are both 1."
    )
    view.get_by_role("slider", name="Its new tokens (queries)").focus()
    page.keyboard.press("End")  # more queries than context: the context grows with them
    expect_batch(view, [(37, 1), (64, 64), (20, 8)])
    view.get_by_role("slider", name="Its context (tokens)").focus()
    page.keyboard.press("Home")  # and a context that shrinks takes queries with it
    expect_batch(view, [(37, 1), (1, 1), (20, 8)])
    view.get_by_role("button", name="Remove this one").click()
    expect_batch(view, [(37, 1), (20, 8)])
    add = view.get_by_role("button", name="Add a request")
    for _ in range(6):
        add.click()
    expect_batch(view, [(37, 1), (20, 8), *[(12, 4)] * 6])
    expect(add).to_be_disabled()
    page.wait_for_timeout(500)  # the kernel hears of it after a rest
    assert run_cell(page, "print(w.results['query_start_loc'])").strip() == "[0, 1, 9, 13, 17, 21, 25, 29, 33]"
    for _ in range(7):
        view.get_by_role("button", name="Remove this one").click()
    expect(view.get_by_role("button", name="Remove this one")).to_be_disabled()
    expect_batch(view, [(37, 1)])


def test_requests_are_chosen_by_arrow_keys_too(open_viewer) -> None:
    page = open_viewer()
    view = view_of(page)
    view.get_by_role("radio", name="request 2, context 20, new 8").focus()
    page.keyboard.press("ArrowLeft")
    expect(view.get_by_role("radio", name="request 1, context 5, new 5")).to_be_checked()
    expect(told(view)).to_contain_text("Request 1, whole prompt: query 4 of 5")


def test_mistakes_mark_the_cells_that_differ(open_viewer) -> None:
    page = open_viewer()
    view = view_of(page)
    for mistake, kind, rows, words in [
        (
            "top_left",
            "lost",
            [36, *[12] * 8],
            "Aligned top left: this query would see 5 keys; cells that differ in the",
        ),
        ("strict", "lost", [1] * 14, "A query does not see itself: this query would see 16 keys"),
        ("full", "leaked", [4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1], "No causal mask: this query would see 20 keys"),
    ]:
        view.get_by_role("combobox", name="Lay a mistake over it").select_option(mistake)
        expect(told(view, 1)).to_contain_text(words)
        assert view.evaluate(CELLS, kind) == [rows]
        page.wait_for_timeout(500)
        assert run_cell(page, "print(w.mistake, w.results['differing'])").split() == [mistake, str(sum(rows))]
    view.get_by_role("combobox", name="Lay a mistake over it").select_option("none")
    assert view.evaluate(CELLS, "leaked") == []
    page.wait_for_timeout(500)
    run_cell(page, "w.requests, w.mistake = [[5, 5]], 'top_left'")
    expect(told(view, 1)).to_have_text("Aligned top left: no cell of this batch differs.")


def test_a_query_without_any_key_is_said_to_be_nan(open_viewer) -> None:
    page = open_viewer()
    run_cell(page, "w.request, w.query, w.mistake = 1, 0, 'strict'")
    expect(told(view_of(page), 1)).to_contain_text("this query would see 0 keys")
    expect(told(view_of(page), 1)).to_contain_text("A softmax over no keys is NaN.")


def test_views_and_kernel_show_one_state_in_both_languages(open_viewer) -> None:
    page = open_viewer(height=2000)
    view_of(page, 0).locator("[data-exact=row]").fill("4")
    page.wait_for_timeout(500)
    assert run_cell(page, "print(w.request, w.query, w.results['row'], w.results['visible'])").split() == list("1344")
    run_cell(page, "w.lang, w.requests, w.request = 'zh', [[6, 0], [7, 2]], 1")
    for which in (0, 1):
        expect_batch(view_of(page, which), [(6, 0), (7, 2)])
        expect(view_of(page, which).get_by_role("slider", name="query（批中的行）")).to_have_count(1)


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_viewer, theme: str) -> None:
    page = open_viewer()
    set_theme(page, theme)
    run_cell(page, "w.mistake = 'top_left'")
    expect(told(view_of(page), 1)).to_contain_text("Aligned")
    contrasts = view_of(page).evaluate(CONTRASTS)
    assert len(contrasts) > 60
    assert [pair for pair in contrasts if pair[1] < 4.5 and pair[0] != "10"] == []  # "10" stands on a filled box


def test_nothing_is_cut_off_at_any_width(open_viewer) -> None:
    page = open_viewer()
    view = view_of(page)
    for lang, requests in [("en", [[64, 64]] * 8), ("zh", [[64, 1], [3, 0], [20, 8]]), ("en", [[1, 0]])]:
        run_cell(page, f"w.lang, w.requests, w.mistake = '{lang}', {requests}, 'full'")
        expect(view).to_have_attribute("lang", lang)
        view.locator(".controls").scroll_into_view_if_needed()  # JupyterLab lays out only what is in sight
        for width in (320, 420, 590, 690, 710, 960, 1180):
            view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
            page.evaluate(FRAMES)
            assert (lang, width, view.evaluate(OVERHANG)) == (lang, width, [])


def test_a_batch_that_comes_before_the_selection_does_is_shown(open_viewer) -> None:
    """What changes in a kernel comes piece by piece; here the selection never follows."""
    page = open_viewer()
    run_cell(page, "w.unobserve_all()\nw.requests = [[9, 2]]\n(w.request, w.query)")
    expect(page.locator(".jp-OutputArea-output").last).to_have_text("(2, 4)")
    expect_batch(view_of(page), [(9, 2)])
    expect(told(view_of(page))).to_contain_text("Request 0, chunk of a prompt: query 1 of 2, counted from 0")


def test_an_untrusted_notebook_shows_the_masks_without_a_kernel(open_notebook, course: Path) -> None:
    output = make_viewer(((5, 3),), lang="en")._repr_mimebundle_()[0]
    write_notebook(course / "untrusted-masks.ipynb", "w", output=output)
    page = open_notebook("untrusted-masks.ipynb", run=False)
    shown = page.locator(".jp-OutputArea-output").first
    expect(shown).to_contain_text("query_start_loc = [0, 3]")
    widths = "e => [...e.querySelectorAll('td div[style*=\"height:9px\"]')].map(n => n.getBoundingClientRect().width)"
    assert shown.evaluate(widths) == [24, 16, 32, 8, 40]
