"""The mask viewer's Python side: masks, the flat batch, what is refused, the static page and the figure."""

import re
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets import TraitError
from widgets.static_words import SANITISED, Page

from paged.widgets import mask_viewer
from paged.widgets.mask_viewer_masks import seen, stage
from paged.widgets.mask_viewer_text import TEXT

BATCH = ((37, 1), (5, 5), (20, 8))
SIZES = [(context, new) for context in range(1, 13) for new in range(context + 1)]


def mask(context: int, new: int, mistake: str = "none") -> np.ndarray:
    keys = [seen(context, new, query, mistake) for query in range(new)]
    return np.array([[key < count for key in range(context)] for count in keys]).reshape(new, context)


def select(requests, request: int, query: int):
    widget = mask_viewer(requests, lang="en")
    widget.request, widget.query = request, query
    return widget


def test_the_chapter_s_batch_is_laid_out_as_attention_takes_it() -> None:
    results = select(BATCH, 2, 3).results
    assert results == {
        "query_start_loc": [0, 1, 6, 14],
        "seq_lens": [37, 5, 20],
        "num_tokens": 14,
        "differing": 0,
        "row": 9,
        "position": 15,
        "visible": 16,
    }


@pytest.mark.parametrize(("context", "new"), SIZES)
def test_masks_are_triangles_aligned_at_the_right_corner(context: int, new: int) -> None:
    ones = np.ones((new, context), bool)
    assert (mask(context, new) == np.tril(ones, context - new)).all()
    assert (mask(context, new, "top_left") == np.tril(ones)).all()
    assert (mask(context, new, "strict") == np.tril(ones, context - new - 1)).all()
    assert (mask(context, new, "full") == ones).all()


@pytest.mark.needs("torch")
def test_every_query_sees_what_paged_attention_lets_it_see() -> None:
    import torch

    from paged import PagedKVCache, paged_attention, slot_mapping_for

    requests = [(37, 1), (5, 5), (12, 0), (20, 8), (1, 1)]
    cache = PagedKVCache(1, 10, 37, 1, 37)  # one block for each request
    for block, (context, _) in enumerate(requests):
        slots = torch.tensor(slot_mapping_for([block], range(context), 37))
        values = torch.eye(37)[:context].unsqueeze(1)  # what comes out at place p is the weight of position p
        cache.write(0, slots, torch.zeros_like(values), values)
    widget = mask_viewer(requests, lang="en")
    laid = widget.results
    tables = [[block] for block in range(len(requests))]
    q = torch.ones(laid["num_tokens"], 1, 37)
    weights = paged_attention(q, cache, 0, tables, laid["seq_lens"], laid["query_start_loc"], 1.0).squeeze(1)
    rows = []
    for request, (_, new) in enumerate(requests):
        widget.request = request
        for query in range(new):
            widget.query = query
            rows.append(widget.results["row"])
            visible = weights[rows[-1]].nonzero().flatten().tolist()
            assert visible == list(range(widget.results["visible"]))
            assert visible[-1] == widget.results["position"]
    assert rows == list(range(len(weights)))


@pytest.mark.parametrize(
    ("mistake", "cells"),
    [("none", 0), ("top_left", 36 + 0 + 8 * 12), ("strict", 14), ("full", 0 + 10 + 28)],
)
def test_a_mistake_changes_so_many_cells(mistake: str, cells: int) -> None:
    widget = mask_viewer(BATCH, lang="en")
    widget.mistake = mistake
    assert widget.results["differing"] == cells


def test_a_request_without_new_tokens_adds_no_row() -> None:
    widget = select(((3, 2), (40, 0), (2, 2)), 1, 0)
    assert widget.results["query_start_loc"] == [0, 2, 2, 4]
    assert [widget.results[name] for name in ("row", "position", "visible")] == [None, None, None]
    assert mask_viewer(((1, 0),), lang="en").results["num_tokens"] == 0


def test_stages_of_a_request_are_told_apart() -> None:
    sizes = [(9, 0), (9, 9), (1, 1), (9, 1), (9, 2)]
    assert [stage(*size) for size in sizes] == ["idle", "prompt", "prompt", "decode", "chunk"]


def test_the_selection_follows_requests_that_go_or_shrink() -> None:
    widget = select(BATCH, 2, 7)
    widget.requests = [[37, 1], [20, 4]]
    assert (widget.request, widget.query, widget.results["row"]) == (1, 3, 4)
    widget.request = 0
    assert (widget.query, widget.results["row"]) == (0, 0)


@pytest.mark.parametrize(
    ("requests", "number"),
    [
        ((), "got 0"),
        (((1, 1),) * 9, "got 9"),
        (((5, 5), (0, 0)), "request 1 must be 1 to 64 tokens, got 0"),
        (((65, 1),), "got 65"),
        (((5, 6),), "6 queries, but its context is 5"),
        (((5, -1),), "-1 queries"),
        (((5, 1, 2),), "3 numbers"),
    ],
)
def test_requests_outside_are_refused_with_the_number_and_change_nothing(requests, number: str) -> None:
    with pytest.raises(ValueError, match=number):
        mask_viewer(requests)
    widget = mask_viewer(BATCH, lang="en")
    with pytest.raises(TraitError, match=number):
        widget.requests = [list(request) for request in requests]
    assert widget.requests == [[37, 1], [5, 5], [20, 8]]


@pytest.mark.parametrize(("trait", "value"), [("request", 3), ("query", 8), ("query", -1), ("mistake", "x")])
def test_selections_outside_are_refused_and_change_nothing(trait: str, value: object) -> None:
    widget = select(BATCH, 2, 3)
    with pytest.raises(TraitError, match=str(value)):
        setattr(widget, trait, value)
    assert (widget.request, widget.query, widget.mistake, widget.results["row"]) == (2, 3, "none", 9)


def test_making_the_widgets_loads_no_plotting_and_no_tensors() -> None:
    code = (
        "import sys; from paged.widgets import mask_viewer, slot_microscope; mask_viewer(); slot_microscope(); "
        "print([m for m in ('matplotlib', 'numpy', 'torch') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_both_editions_say_the_same_things() -> None:
    assert TEXT["en"].keys() == TEXT["zh"].keys()
    for key, english in TEXT["en"].items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", TEXT["zh"][key])), key


def test_an_exported_page_shows_the_batch_without_a_kernel() -> None:
    data, metadata = mask_viewer(BATCH, lang="en")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    cell = new_code_cell("w", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert "query_start_loc = [0, 1, 6, 14]" in page


def test_the_static_page_survives_the_sanitiser() -> None:
    widget = mask_viewer(((37, 1), (5, 0)), lang="zh")
    widget.mistake = "top_left"
    page = Page(widget._repr_mimebundle_()[0]["text/html"])
    assert page.seen <= SANITISED
    assert "左上角对齐：整批有 36 格不同。" in page.words


def test_bars_of_the_static_page_are_as_long_as_what_is_seen() -> None:
    widths = re.findall(
        r"width:(\d+)px;height:9px", mask_viewer(((5, 3),), lang="en")._repr_mimebundle_()[0]["text/html"]
    )
    assert widths == ["24", "16", "32", "8", "40"]  # 8 pixels per key: 3 + 2, 4 + 1, 5


def test_the_figure_states_the_batch_and_is_shown_once() -> None:
    widget = mask_viewer(BATCH, lang="zh")
    widget.mistake = "top_left"
    words = [text.get_text() for text in widget.figure().findobj(lambda artist: hasattr(artist, "get_text"))]
    assert "query_start_loc = [0, 1, 6, 14], N = 14\naligned top left: 132 cells differ" in words
    assert plt.get_fignums() == []  # pyplot would show it a second time


@pytest.mark.parametrize(
    ("requests", "mistake"),
    [(((64, 64),) * 8, "full"), (((1, 0),), "strict"), (((1, 1), (64, 0)), "top_left")],
)
def test_the_figure_stands_at_the_ends_of_the_scales(requests, mistake: str) -> None:
    widget = mask_viewer(requests, lang="en")
    widget.mistake = mistake
    figure = widget.figure()
    figure.draw_without_rendering()
    assert len(figure.axes) == len(requests)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"requests": None}, r"requests must be a list of \(context, new tokens\), got None"),
        ({"requests": 3}, r"requests must be a list of \(context, new tokens\), got 3"),
        ({"requests": [3, 1]}, r"requests\[0\] must be a list of whole numbers, got 3"),
        ({"requests": [(5, 1), None]}, r"requests\[1\] must be a list of whole numbers, got None"),
        ({"requests": [(5, True)]}, r"requests\[0\]\[1\] must be a whole number, got True"),
        ({"requests": [(5.0, 1)]}, r"requests\[0\]\[0\] must be a whole number, got 5\.0"),
        ({"requests": ["51"]}, r"requests\[0\]\[0\] must be a whole number, got '5'"),
        ({"lang": "xx"}, "lang must be one of en, zh, got 'xx'"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        mask_viewer(**arguments)


def test_a_list_of_a_wrong_kind_leaves_the_requests_as_they_were() -> None:
    widget = mask_viewer(lang="en")
    for wrong in ([(5, True)], [(5.0, 1)], ["51"], [3]):
        with pytest.raises(TraitError, match=r"requests\[0\]"):
            widget.requests = wrong
    assert widget.requests == [[37, 1], [5, 5], [20, 8]]
    assert widget.results["query_start_loc"] == [0, 1, 6, 14]
