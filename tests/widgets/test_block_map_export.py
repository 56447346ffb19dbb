"""The block map without a kernel, and for print."""

import matplotlib.pyplot as plt
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from static_words import Page

from paged import BlockPool
from paged.sequence import Sequence
from paged.widgets import block_map


def parallel(lang: str = "en", num_blocks: int = 8) -> object:
    widget = block_map(BlockPool(num_blocks), Sequence, lang)
    widget.run("a = Sequence(pool, 4)\na.append(6)\nb = a.fork()\nb.append(1)")
    return widget


def page_of(html: str) -> Page:
    return Page(html, end="|")


def texts(figure: object) -> list[str]:
    figure.draw_without_rendering()
    return [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]


def test_the_page_states_counts_owners_fill_queue_and_tables() -> None:
    page = page_of(parallel()._repr_mimebundle_()[0]["text/html"])
    assert "b.append(1)|Done.|5| of 8 blocks free|" in page.words
    assert "|0|2|a b|4/4|1|1|a|2/4|2|1|b|3/4|3|0|4|0|5|0|6|0|7|0|" in page.words
    assert "free queue, next one first: |3|4|5|6|7|" in page.words
    assert "|a|6 tokens|0|1|b|7 tokens|0|2|" in page.words
    assert page.seen <= {"div", "span", "b", "table", "tr", "th", "td", "style"}  # what the sanitiser keeps
    assert "块空闲，共 8 块" in page_of(parallel("zh")._repr_mimebundle_()[0]["text/html"]).words


def test_the_page_shows_the_step_that_is_shown() -> None:
    widget = parallel()
    widget.frame = 2
    assert "a.append(6)|Done.|6| of 8 blocks free|" in page_of(widget._repr_mimebundle_()[0]["text/html"]).words


def test_an_exported_page_shows_the_map_without_a_kernel() -> None:
    data, metadata = parallel()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    cell = new_code_cell("w", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert "free queue, next one first" in page


def test_what_a_learner_s_code_says_is_text_and_never_markup() -> None:
    class Rude(BlockPool):
        def share(self, blocks: list[int]) -> None:
            raise ValueError("<script>$x^2_</script>")

    widget = block_map(Rude(4), lang="en")
    widget.run("x = pool.allocate(1)\npool.share(x)")
    page = page_of(widget._repr_mimebundle_()[0]["text/html"])
    assert "Refused with ValueError: “<script>$x^2_</script>”. Nothing was changed." in page.words
    assert "script" not in page.seen
    assert any("<script>$x^2_</script>" in text for text in texts(widget.figure()))


def test_the_figure_states_the_step_in_english_in_both_editions() -> None:
    for lang in ("en", "zh"):
        words = texts(parallel(lang).figure())
        assert "b.append(1)   Done." in words
        assert "5 of 8 blocks free; free queue, next one first: 3 4 5 6 7" in words
        assert {"a: 6 tokens: [0, 1]", "b: 7 tokens: [0, 2]"} <= set(words)
        assert words.count("2") == 2  # the number of a block, and the ref count of block 0


def test_the_figure_s_strips_are_one_pixel_per_token_in_the_writer_s_colour() -> None:
    figure = parallel().figure()
    strips = [image.get_array() for image in figure.axes[0].images]
    assert [strip.shape for strip in strips] == [(1, 4, 3)] * 3
    old, new = strips[1:]
    assert new[0, :2].tolist() == old[0, :2].tolist()  # the copy
    assert old[0, 2:].tolist() == [[1, 1, 1]] * 2  # empty slots
    blue, orange = new[0, 1], new[0, 2]
    assert blue[2] > blue[0]
    assert orange[0] > orange[2]


@pytest.mark.parametrize("num_blocks", [3, 33, 256])
def test_the_figure_stands_at_any_size(num_blocks: int) -> None:
    figure = parallel(num_blocks=num_blocks).figure()
    assert len(figure.axes[0].images) == 3
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_notebook_shows_the_figure_once() -> None:
    parallel().figure()
    assert plt.get_fignums() == []  # pyplot would show it a second time
