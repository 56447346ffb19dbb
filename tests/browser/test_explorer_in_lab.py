"""The utilisation explorer as a learner meets it: real JupyterLab, real Chromium, keys and mouse."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import run_cell, set_theme, write_notebook
from paged import workload
from paged.widgets import explorer as make_explorer

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

NOTEBOOK = "explorer.ipynb"
SETTINGS = [
    ("handbook", 1, 200),
    ("handbook", 16, 200),
    ("handbook", 256, 1),
    ("handbook", 100, 10_000),
    ("azure-conv-2023", 1, 1),
    ("azure-conv-2023", 37, 3),
    ("azure-conv-2023", 256, 10_000),
    ("azure-code-2023", 16, 2),
    ("azure-code-2023", 255, 999),
    ("azure-code-2023", 64, 10_000),
]


def explorer(page: Page, which: int = 0) -> Locator:
    return page.locator(".paged-explorer").nth(which)


def shown(view: Locator) -> dict[str, str]:
    """Every number on screen, by what it says."""
    return view.evaluate(
        "e => Object.fromEntries([...e.querySelectorAll('[data-show]')].map(n => [n.dataset.show, n.textContent]))"
    )


def expected(name: str, block_size: int, n: int) -> dict[str, str]:
    """The same numbers from paged.workload."""
    load = workload.handbook(n) if name == "handbook" else workload.trace(name, n)
    found = workload.utilisation(load.lengths, block_size, load.max_len)
    held = {"reserved": n * load.max_len, "paged": found.used + found.last_block_waste}
    parts = {
        "reserved": {"used": found.used, "last_block_waste": 0, "reserved_waste": found.reserved_waste},
        "paged": {"used": found.used, "last_block_waste": found.last_block_waste, "reserved_waste": 0},
    }
    numbers = {"reserved.ratio": f"{found.reserved:.1%}", "paged.ratio": f"{found.paged:.1%}"}
    for strategy, tokens in parts.items():
        for part, count in tokens.items():
            numbers[f"{strategy}.{part}"] = f"{count:,}"
            numbers[f"{strategy}.{part}.share"] = f"{count / held[strategy]:.2%}"
    return numbers


def expect_setting(view: Locator, name: str, block_size: int, n: int) -> None:
    """Wait until the view shows this setting, then compare all of its numbers."""
    expect(view.locator("[data-exact=block_size]")).to_have_value(str(block_size))
    expect(view.locator("[data-exact=num_requests]")).to_have_value(str(n))
    wanted = expected(name, block_size, n)
    expect(view.locator("[data-show='paged.used']")).to_have_text(wanted["paged.used"])
    expect(view.locator("[data-show='paged.last_block_waste']")).to_have_text(wanted["paged.last_block_waste"])
    numbers = shown(view)
    assert {key: numbers[key] for key in wanted} == wanted


def drag(page: Page, slider: Locator, start: float, end: float) -> None:
    """From one place on the slider to another, as fractions of its width."""
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + start * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + end * box["width"], y, steps=10)
    page.mouse.up()


def value(view: Locator, name: str) -> int:
    return int(view.locator(f"[data-exact={name}]").input_value())


@pytest.mark.parametrize("edition", ["en", "zh"])
def test_sliders_of_chapter_one_answer_to_keys_and_drags(open_notebook, course: Path, edition: str) -> None:
    [chapter] = (course / "notebooks" / edition).glob("01-*.ipynb")
    page = open_notebook(chapter.relative_to(course).as_posix())
    view = explorer(page)
    view.scroll_into_view_if_needed()
    assert view.get_attribute("lang") == edition
    expect_setting(view, "handbook", 16, 200)

    view.locator("[data-slide=block_size]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect_setting(view, "handbook", 19, 200)
    view.locator("[data-slide=num_requests]").focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect_setting(view, "handbook", 19, 198)

    drag(page, view.locator("[data-slide=block_size]"), 0.1, 0.8)
    dragged_size = value(view, "block_size")
    assert 180 < dragged_size < 230
    expect_setting(view, "handbook", dragged_size, 198)
    drag(page, view.locator("[data-slide=num_requests]"), 0.57, 0.9)
    dragged_count = value(view, "num_requests")
    assert 3000 < dragged_count < 9000
    expect_setting(view, "handbook", dragged_size, dragged_count)


def test_numbers_on_screen_are_those_of_the_library(open_notebook) -> None:
    view = explorer(open_notebook(NOTEBOOK))
    for name, block_size, n in SETTINGS:
        view.locator("select").select_option(name)
        view.locator("[data-exact=block_size]").fill(str(block_size))
        view.locator("[data-exact=num_requests]").fill(str(n))
        expect_setting(view, name, block_size, n)


def test_views_and_kernel_show_one_state(open_notebook) -> None:
    page = open_notebook(NOTEBOOK, height=2200)
    first, second = explorer(page, 0), explorer(page, 1)
    first.locator("[data-exact=num_requests]").fill("57")
    second.locator("[data-slide=block_size]").focus()
    page.keyboard.press("PageUp")
    for view in (first, second):
        expect_setting(view, "handbook", 32, 57)
    page.wait_for_timeout(500)  # the kernel hears of it after a debounce
    found = workload.utilisation(workload.handbook(57).lengths, 32, 4096)
    printed = run_cell(page, "print(w.block_size, w.num_requests, w.workload, w.results['last_block_waste'])")
    assert printed.split() == ["32", "57", "handbook", str(found.last_block_waste)]

    run_cell(page, "w.block_size, w.num_requests, w.workload, w.lang = 7, 1000, 'azure-code-2023', 'zh'")
    for view in (first, second):
        expect_setting(view, "azure-code-2023", 7, 1000)
        expect(view.get_by_role("combobox", name="负载")).to_have_value("azure-code-2023")


def test_a_burst_of_moves_reaches_the_kernel_as_one_message(open_notebook) -> None:
    page = open_notebook(NOTEBOOK)
    page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          window.sent = [];
          WebSocket.prototype.send = function (data) {
            const text = typeof data === "string" ? data : new TextDecoder().decode(data);
            if (text.includes("comm_msg") && text.includes("block_size")) window.sent.push(text);
            return send.call(this, data);
          };
        }"""
    )
    explorer(page).locator("[data-slide=block_size]").evaluate(
        """slide => {
          for (let size = 20; size <= 120; size++) {
            slide.value = size;
            slide.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }"""
    )
    page.wait_for_function("window.sent.length")
    page.wait_for_timeout(1000)  # more would come now
    [message] = page.evaluate("window.sent")
    assert '"block_size":120' in message


def test_every_count_and_every_block_size_can_be_reached_by_keys(open_notebook) -> None:
    page = open_notebook(NOTEBOOK)
    view = explorer(page)
    moves = [("ArrowRight", 201), ("ArrowUp", 202), ("ArrowLeft", 201), ("ArrowDown", 200), ("PageUp", 400)]
    moves += [
        ("PageDown", 200),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
        ("End", 10_000),
        ("ArrowLeft", 9_999),
    ]
    slider = view.get_by_role("slider", name="Requests")
    slider.focus()
    for key, count in moves:
        page.keyboard.press(key)
        expect(view.locator("[data-exact=num_requests]")).to_have_value(str(count))
        expect(slider).to_have_attribute("aria-valuetext", f"{count:,}")
    slider = view.get_by_role("slider", name="Block size (tokens)")
    slider.focus()
    for key, size in [("PageUp", 32), ("ArrowRight", 33), ("PageDown", 16), ("End", 256), ("Home", 1), ("ArrowUp", 2)]:
        page.keyboard.press(key)
        expect(view.locator("[data-exact=block_size]")).to_have_value(str(size))


def test_keys_on_the_controls_are_not_taken_for_notebook_commands(open_notebook) -> None:
    page = open_notebook(NOTEBOOK)
    view = explorer(page)
    for control in view.locator("select, input").all():
        control.focus()
        for key in ("b", "y", "m"):  # cell below, to code, to Markdown
            page.keyboard.press(key)
    expect(page.locator(".jp-Cell")).to_have_count(3)
    expect(page.locator(".jp-MarkdownCell")).to_have_count(0)
    view.get_by_role("combobox", name="Workload").focus()
    page.keyboard.press("ArrowDown")
    expect_setting(view, "azure-conv-2023", 16, 200)


def test_a_screen_reader_finds_names_and_hears_the_outcome_once(open_notebook) -> None:
    page = open_notebook(NOTEBOOK)
    view = explorer(page)
    expect(view).to_have_accessible_name("KV cache utilisation explorer")
    for role, name in [
        ("combobox", "Workload"),
        ("slider", "Block size (tokens)"),
        ("slider", "Requests"),
        ("spinbutton", "Block size (tokens), exact value"),
        ("spinbutton", "Requests, exact value"),
    ]:
        expect(view.get_by_role(role, name=name, exact=True)).to_have_count(1)
    status = view.get_by_role("status")
    expect(status).to_have_text("")
    view.get_by_role("slider", name="Block size (tokens)").focus()
    for _ in range(48):
        page.keyboard.press("ArrowRight")
    expect(status).to_have_text(
        "Requests: 200. Block size: 64. Paging uses 98.3% of the memory it holds, reserving the maximum 46.2%."
    )


CONTRASTS = """root => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = node => {
    for (let n = node; n; n = n.parentElement) {
      const color = rgba(getComputedStyle(n).backgroundColor);
      if (color[3] === 255) return color;
    }
  };
  return [...root.querySelectorAll("*")]
    .filter(n => [...n.childNodes].some(c => c.nodeType === 3 && c.data.trim()) && n.getClientRects().length)
    .map(n => {
      const style = getComputedStyle(n), ink = n.matches("text") ? style.fill : style.color;
      const [a, b] = [light(rgba(ink)), light(paper(n))];
      return [n.textContent, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
}"""


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_notebook, theme: str) -> None:
    page = open_notebook(NOTEBOOK)
    set_theme(page, theme)
    contrasts = explorer(page).evaluate(CONTRASTS)
    assert len(contrasts) > 30
    assert [pair for pair in contrasts if pair[1] < 4.5] == []


OVERHANG = """root => {
  const frame = root.getBoundingClientRect();
  return [...root.querySelectorAll("*")].filter(n => n.textContent.trim() && !n.children.length)
    .filter(n => !n.closest(".spoken") && n.getClientRects().length)
    .filter(n => n.getBoundingClientRect().left < frame.left - 1 || n.getBoundingClientRect().right > frame.right + 1)
    .map(n => n.textContent);
}"""


def test_nothing_is_cut_off_at_any_width(open_notebook) -> None:
    page = open_notebook(NOTEBOOK)
    view = explorer(page)
    for lang in ("en", "zh"):
        run_cell(page, f"w.lang, w.block_size, w.num_requests, w.workload = '{lang}', 256, 10_000, 'azure-conv-2023'")
        expect(view).to_have_attribute("lang", lang)
        for width in (320, 360, 420, 640, 660, 900, 1180):
            view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
            page.wait_for_function(
                "e => e.querySelector('.lens').clientWidth <= e.clientWidth", arg=view.element_handle()
            )
            page.wait_for_timeout(100)
            assert (lang, width, view.evaluate(OVERHANG)) == (lang, width, [])


def test_an_untrusted_notebook_shows_the_numbers_without_a_kernel(open_notebook, course: Path) -> None:
    write_notebook(course / "untrusted.ipynb", "w", output=make_explorer(lang="en")._repr_mimebundle_()[0])
    page = open_notebook("untrusted.ipynb", run=False)
    output = page.locator(".jp-OutputArea-output").first
    expect(output).to_contain_text("used 378,086 (99.60%) · unused in last blocks 1,514 (0.40%)")
    shares = output.evaluate(
        """e => [...e.querySelectorAll('div[style*="height:"]')]
          .map(n => n.getBoundingClientRect().width / n.parentElement.getBoundingClientRect().width)"""
    )
    assert shares == pytest.approx([0.46153, 0.53847, 0.46153, 0.00185], abs=0.001)
