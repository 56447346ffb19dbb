"""The capacity planner as a learner meets it: real JupyterLab, real Chromium, keys and mouse, both languages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import run_cell, set_theme, write_notebook
from browser.test_explorer_in_lab import CONTRASTS, OVERHANG
from paged.widgets import capacity_planner as make_planner

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

SOURCE = "from paged.widgets import capacity_planner\nw = capacity_planner(weights=15, lang='{lang}')\nw"


@pytest.fixture
def open_planner(open_notebook, course: Path) -> Callable[..., tuple[Page, Locator]]:
    def open_planner(lang: str = "en", **viewport: int) -> tuple[Page, Locator]:
        notebook = course / f"planner-{lang}.ipynb"
        write_notebook(notebook, SOURCE.format(lang=lang), "")
        page = open_notebook(notebook.name, **viewport)
        return page, page.locator(".paged-capacity-planner")

    return open_planner


def expect_counts(view: Locator, paged: int, reserved: int) -> None:
    expect(view.locator("[data-show=paged]")).to_have_text(f"{paged:,}")
    expect(view.locator("[data-show=reserved]")).to_have_text(f"{reserved:,}")


def expect_library(view: Locator, planner) -> None:
    expect_counts(view, planner.results["paged"], planner.results["reserved"])
    expect(view.locator("[data-exact=tokens]")).to_have_value(str(planner.results["tokens"]))
    expect(view.locator("[data-exact=reserved_tokens]")).to_have_value(str(planner.results["reserved_tokens"]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_opens_on_the_chapter_s_numbers(open_planner, lang: str) -> None:
    _, view = open_planner(lang)
    expect_counts(view, 342, 31)
    expect(view.locator("[data-show=per_token]")).to_have_text("56 KiB")
    expect(view.locator("[data-show=budget]")).to_have_text("55 GiB")
    expect(view).to_contain_text({"en": "Paging serves 11× as many", "zh": "分页能放下 11 倍的请求"}[lang])


def test_numbers_on_screen_are_those_of_the_library(open_planner) -> None:
    _, view = open_planner()
    planner = make_planner(weights=15, lang="en")
    for name, value in [
        ("gpu", "H200"),
        ("model", "Llama-3.1-70B"),
        ("num_gpus", 4),
        ("kv_dtype", "fp8"),
        ("tokens", 100_000),
        ("weight_dtype", "int4"),
        ("model", "OPT-13B"),
        ("block_size", 256),
        ("kept", 2.5),
        ("model", "DeepSeek-V2-Lite"),
        ("weights", 3.25),
        ("reserved_tokens", 500),
        ("num_gpus", 3),
        ("num_gpus", 1),
    ]:
        if name in ("gpu", "model", "kv_dtype", "weight_dtype"):
            view.locator(f"[data-choose={name}]").select_option(value)
        else:
            view.locator(f"[data-exact={name}]").fill(str(value))
        setattr(planner, name, value)
        expect_library(view, planner)


def test_views_and_kernel_show_one_state(open_planner) -> None:
    page, view = open_planner()
    view.locator("[data-choose=model]").select_option("Llama-3.1-8B")
    expect(view.locator("[data-exact=weights]")).to_have_value("14.96")
    page.wait_for_timeout(500)  # the kernel hears of it after a rest
    planner = make_planner("Llama-3.1-8B", lang="en")
    assert run_cell(page, "print(w.weights, w.results['paged'])").split() == ["None", str(planner.results["paged"])]
    run_cell(page, "w.weights, w.tokens, w.lang = 15, 77, 'zh'")
    planner.weights, planner.tokens = 15, 77
    expect_library(view, planner)
    expect(view.get_by_role("combobox", name="模型")).to_have_value("Llama-3.1-8B")
    expect(view.locator("[data-choose=weight_dtype]")).to_have_value("hand")
    view.locator("[data-choose=weight_dtype]").select_option("published")
    planner.weights = None
    expect_library(view, planner)


def test_it_says_why_a_model_does_not_fit_and_what_would_help(open_planner) -> None:
    _, view = open_planner()
    view.locator("[data-choose=model]").select_option("Qwen2.5-72B")
    expect(view.locator("[data-show=verdict]")).to_contain_text("does not fit: weights of 135.4 GiB and 10 GiB kept")
    expect(view.locator("[data-show=verdict]")).to_contain_text("It fits on 2 of these GPUs.")
    expect(view.locator(".over-end")).to_have_count(2)
    view.locator("[data-slide=num_gpus]").press("ArrowRight")
    expect(view.locator(".problem")).to_have_count(0)
    expect(view.locator(".over-end")).to_have_count(0)


def test_it_says_that_kv_heads_are_copied_when_there_are_more_gpus_than_heads(open_planner) -> None:
    _, view = open_planner()
    view.locator("[data-choose=model]").select_option("Qwen2.5-3B")
    for num_gpus, copied in ((2, ""), (8, "8 GPUs for 2 KV heads: each is kept on 4 of them")):
        view.locator("[data-exact=num_gpus]").fill(str(num_gpus))
        expect(view.locator("[data-show=per_token]")).to_have_text("18 KiB")
        expect(view.locator("[data-show=note]")).to_contain_text(copied)


def test_every_slider_answers_to_keys_and_none_to_notebook_commands(open_planner) -> None:
    page, view = open_planner()
    cells = page.locator(".jp-Cell").count()
    for name, moves in {
        "num_gpus": [("ArrowRight", 2), ("PageUp", 4), ("End", 8), ("Home", 1)],
        "tokens": [("ArrowRight", 3001), ("PageUp", 6002), ("End", 32_768), ("PageDown", 16_384), ("Home", 1)],
        "reserved_tokens": [("ArrowLeft", 32_767), ("PageDown", 16_383), ("End", 32_768)],
        "block_size": [("PageUp", 32), ("ArrowDown", 31), ("End", 256), ("Home", 1)],
        "kept": [("ArrowLeft", 9), ("PageUp", 18), ("Home", 0), ("ArrowUp", 1)],
    }.items():
        slider = view.locator(f"[data-slide={name}]")
        slider.focus()
        for key, value in moves:
            page.keyboard.press(key)
            expect(view.locator(f"[data-exact={name}]")).to_have_value(str(value))
        page.keyboard.press("b")  # cell below, as a notebook command
    expect(page.locator(".jp-Cell")).to_have_count(cells)


def test_dragging_on_the_curve_changes_the_length(open_planner) -> None:
    page, view = open_planner(height=1300)
    curve = view.locator(".curve")
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 60, steps=8)
    page.mouse.up()
    tokens = int(view.locator("[data-exact=tokens]").input_value())
    assert 400 < tokens < 900
    planner = make_planner(weights=15, lang="en")
    planner.tokens = tokens
    expect_library(view, planner)
    page.keyboard.press("ArrowRight")  # the slider has the focus
    expect(view.locator("[data-exact=tokens]")).to_have_value(str(tokens + 1))


def test_a_screen_reader_finds_names_and_hears_the_outcome_once(open_planner) -> None:
    page, view = open_planner()
    expect(view).to_have_accessible_name("Capacity planner")
    for role, name in [
        ("combobox", "Model"),
        ("combobox", "Weights on each GPU (GiB)"),
        ("spinbutton", "Weights on each GPU (GiB), exact value"),
        ("slider", "Tokens of a request"),
        ("slider", "Kept for activations and runtime (GiB)"),
    ]:
        expect(view.get_by_role(role, name=name, exact=True)).to_have_count(1)
    status = view.get_by_role("status")
    expect(status).to_have_text("")
    view.locator("[data-slide=block_size]").focus()
    for _ in range(16):
        page.keyboard.press("ArrowRight")
    expect(status).to_have_text(
        "Qwen2.5-7B on 1 × A100 80GB, 3,000 tokens a request: 342 requests fit with paging, "
        "31 when 32,768 tokens are reserved for each."
    )


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(open_planner, theme: str) -> None:
    page, view = open_planner()
    set_theme(page, theme)
    contrasts = view.evaluate(CONTRASTS)
    in_bars = view.locator(".bar text.on").all_text_contents()  # these stand on the bar, not on the page
    assert len(contrasts) > 60
    assert [pair for pair in contrasts if pair[1] < 4.5 and pair[0] not in in_bars] == []


@pytest.mark.parametrize("width", [1280, 700])
def test_the_longest_number_fits_its_box(open_planner, width: int) -> None:
    _, view = open_planner(width=width)
    view.locator("[data-choose=model]").select_option("DeepSeek-V3")
    box = view.locator("[data-exact=reserved_tokens]")
    expect(box).to_have_value("131072")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_nothing_is_cut_off_at_any_width(open_planner) -> None:
    page, view = open_planner()
    for lang, model in (("en", "DeepSeek-V3"), ("zh", "Llama-3.1-70B"), ("en", "Qwen2.5-3B")):
        run_cell(page, f"w.lang, w.model, w.num_gpus, w.gpu = '{lang}', '{model}', 8, 'MI300X'")
        expect(view).to_have_attribute("lang", lang)
        expect(view.locator("[data-choose=model]")).to_have_value(model)
        for width in (360, 480, 600, 660, 830, 1180):
            view.evaluate("(e, width) => { e.parentElement.style.width = `${width}px` }", width)
            page.wait_for_timeout(150)
            assert (lang, width, view.evaluate(OVERHANG)) == (lang, width, [])


def test_an_untrusted_notebook_shows_the_numbers_without_a_kernel(open_notebook, course: Path) -> None:
    output = make_planner(weights=15, lang="en")._repr_mimebundle_()[0]
    write_notebook(course / "untrusted-planner.ipynb", "w", output=output)
    page = open_notebook("untrusted-planner.ipynb", run=False)
    output = page.locator(".jp-OutputArea-output").first
    expect(output).to_contain_text("342 requests fit with paging, 31 when 32,768 tokens are reserved")
    widths = output.evaluate(
        """e => [...e.querySelectorAll('div[style*="height:"]')]
          .map(n => n.getBoundingClientRect().width / n.parentElement.getBoundingClientRect().width)"""
    )
    assert widths[:3] == pytest.approx([15 / 80, 10 / 80, 342 * 3000 * 57_344 / 2**30 / 80], abs=0.001)
