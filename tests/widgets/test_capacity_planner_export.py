"""The capacity planner in print: the page without a kernel, the figure, both editions' words."""

import re

import matplotlib.pyplot as plt
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from widgets.static_words import SANITISED, Page

from paged.widgets import capacity_planner
from paged.widgets.capacity_planner_html import memory_of
from paged.widgets.capacity_planner_plan import plan
from paged.widgets.capacity_planner_text import TEXT


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", TEXT["zh"][key])), key


def test_an_exported_page_shows_the_numbers_without_a_kernel() -> None:
    data, metadata = capacity_planner(weights=15, lang="en")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    cell = new_code_cell("w", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert "342 requests fit with paging, 31 when 32,768 tokens are reserved for each" in page
    assert "2 × 28 layers × 4 KV heads × 128 × 2 B" in page


def test_the_static_page_survives_the_sanitiser_and_stays_small() -> None:
    html = capacity_planner(weights=15, lang="zh")._repr_mimebundle_()[0]["text/html"]
    page = Page(html)
    assert page.seen <= SANITISED
    assert "分页能放下 342 个请求，每个预留 32,768 个 token 则是 31 个。" in page.words
    assert len(html) < 5_000


def test_the_static_page_says_that_it_does_not_fit() -> None:
    page = Page(capacity_planner("Qwen2.5-72B", "L4", lang="en")._repr_mimebundle_()[0]["text/html"])
    assert "Qwen2.5-72B does not fit: weights of 135.4 GiB and 10 GiB kept exceed the 22.5 GiB" in page.words


@pytest.mark.parametrize("strategy", ["paged", "reserved"])
def test_the_parts_of_a_bar_are_the_gpu_s_memory(strategy: str) -> None:
    setting = capacity_planner("Llama-3.1-8B", "H200", lang="en")._setting()
    parts = memory_of(strategy, setting, plan(setting))
    assert sum(parts.values()) == 143_771 * 2**20
    assert min(parts.values()) > 0


def test_the_figure_states_the_numbers_in_english_and_is_shown_once() -> None:
    figure = capacity_planner(weights=15, lang="zh").figure()
    figure.draw_without_rendering()
    words = "\n".join(text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")))
    for wanted in ("342 requests", "31 requests", "weights: 15 GiB", "reserved, never used: 49.3 GiB", "56 KiB"):
        assert wanted in words
    assert not re.search("[\u4e00-\u9fff]", words)
    assert plt.get_fignums() == []  # pyplot would show it a second time


@pytest.mark.parametrize(
    ("model", "gpu", "traits"),
    [
        ("DeepSeek-V3", "L4", {}),
        ("Falcon-7B", "H200", {"num_gpus": 2}),
        ("Falcon-7B", "H200", {"tokens": 1, "reserved_tokens": 1, "block_size": 256}),
        ("Llama-3.1-8B", "RTX 4090", {"kept": 8.0, "tokens": 131_072}),
    ],
)
def test_the_figure_and_the_page_stand_at_the_ends_of_the_scales(model: str, gpu: str, traits: dict) -> None:
    planner = capacity_planner(model, gpu, lang="en")
    for name, value in traits.items():
        setattr(planner, name, value)
    assert planner.figure()._repr_png_().startswith(b"\x89PNG")
    assert planner._repr_mimebundle_()[0]["text/html"]
