"""The explorer's Python side: what it holds, what it refuses, what it sends, and what it costs to import."""

import math
import re
import struct
import subprocess
import sys

import pytest
from traitlets import TraitError
from widgets.static_words import SANITISED, Page

from paged import workload
from paged.widgets import explorer
from paged.widgets.explorer_text import TEXT

NAMES = ("handbook", "azure-conv-2023", "azure-code-2023")


def load(name: str, n: int) -> workload.Workload:
    return workload.handbook(n) if name == "handbook" else workload.trace(name, n)


def test_it_opens_on_the_chapter_s_numbers() -> None:
    results = explorer(lang="en").results
    assert (results["used"], results["last_block_waste"], results["reserved_waste"]) == (378_086, 1_514, 441_114)
    assert f"{results['paged']:.1%}, {results['reserved']:.1%}" == "99.6%, 46.2%"


@pytest.mark.parametrize(("name", "block_size", "n"), [("azure-conv-2023", 256, 9_999), ("azure-code-2023", 7, 1)])
def test_results_follow_the_state(name: str, block_size: int, n: int) -> None:
    widget = explorer(lang="en")
    widget.workload, widget.block_size, widget.num_requests = name, block_size, n
    lengths, max_len = load(name, n)[1:]
    used = sum(lengths)
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    assert widget.results == {
        "used": used,
        "last_block_waste": blocks * block_size - used,
        "reserved_waste": n * max_len - used,
        "paged": used / (blocks * block_size),
        "reserved": used / (n * max_len),
    }


def test_results_are_read_only() -> None:
    with pytest.raises(TraitError, match="results"):
        explorer(lang="en").results = {}


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("block_size", 0),
        ("block_size", 257),
        ("num_requests", 0),
        ("num_requests", 10_001),
        ("workload", "x"),
        ("lang", "fr"),
    ],
)
def test_values_outside_are_refused_and_change_nothing(trait: str, value: object) -> None:
    widget = explorer(block_size=5, num_requests=6, lang="zh")
    before = (widget.block_size, widget.num_requests, widget.workload, widget.lang, widget.results)
    with pytest.raises(TraitError, match=str(value)):
        setattr(widget, trait, value)
    assert (widget.block_size, widget.num_requests, widget.workload, widget.lang, widget.results) == before
    with pytest.raises(TraitError, match=str(value)):
        explorer(**{trait: value})


def test_the_browser_gets_every_length_once() -> None:
    state = explorer(lang="en").get_state()
    sent = struct.unpack("<30000H", state["_lengths"])
    assert list(sent) == [length for name in NAMES for length in load(name, 10_000).lengths]
    assert list(state["_max_lens"].items()) == [(name, load(name, 1).max_len) for name in NAMES]


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        fields = [sorted(re.findall(r"{\w+}", text)) for text in (english, TEXT["zh"][key])]
        assert fields[0] == fields[1], key


def test_the_output_carries_the_live_view_and_a_page_of_the_same_numbers() -> None:
    data, _ = explorer(64, 10_000, "azure-code-2023", lang="en")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    found = workload.utilisation(load("azure-code-2023", 10_000).lengths, 64, 7_841)
    page = Page(data["text/html"])
    for number in (found.used, found.last_block_waste, found.reserved_waste):
        assert f"{number:,}" in page.words
    assert f"Paging, blocks of 64: {found.paged:.1%} in use" in page.words
    assert f"{found.reserved:.1%}" in data["text/plain"]
    assert page.seen <= SANITISED
    assert len(data["text/html"]) < 4_000


def test_the_static_page_speaks_the_edition_s_language() -> None:
    words = Page(explorer(lang="zh")._repr_mimebundle_()[0]["text/html"]).words
    assert "按最大长度预留：利用率 46.2%" in words
    assert "98.3%" in words.splitlines()  # block size 64, in the table below the bars


def test_importing_widgets_loads_nothing_heavy() -> None:
    heavy = "anywidget ipywidgets matplotlib numpy torch"
    code = f"import sys; from paged.widgets import explorer; print([m for m in '{heavy}'.split() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    code += "; explorer(); print([m for m in ('matplotlib', 'numpy', 'torch') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n[]\n"
