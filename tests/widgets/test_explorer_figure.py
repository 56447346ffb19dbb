"""The explorer's picture for print."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

from paged import workload
from paged.widgets import explorer


def texts(figure: Figure) -> list[str]:
    figure.draw_without_rendering()
    return [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]


def test_the_figure_states_the_numbers_in_english_in_both_editions() -> None:
    for lang in ("en", "zh"):
        words = "\n".join(texts(explorer(lang=lang).figure()))
        for wanted in ("46.2% in use", "99.6% in use", "used: 378,086", "unused in last blocks: 1,514", "16: 99.6%"):
            assert wanted in words
        assert words.isascii() or set(words) - set(map(chr, range(128))) == {"\N{MINUS SIGN}"}


def test_the_curve_is_the_library_s_utilisation_at_every_block_size() -> None:
    figure = explorer(40, 3_000, "azure-conv-2023", lang="en").figure()
    load = workload.trace("azure-conv-2023", 3_000)
    sizes, ratios = figure.axes[2].lines[0].get_data()
    assert list(sizes) == list(range(1, 257))
    for size in (1, 2, 40, 255, 256):
        assert ratios[size - 1] == pytest.approx(
            workload.utilisation(load.lengths, size, load.max_len).paged, rel=1e-12
        )
    [x], [y] = figure.axes[2].lines[1].get_data()
    assert (x, y) == (40, workload.utilisation(load.lengths, 40, load.max_len).paged)


@pytest.mark.parametrize(("block_size", "n"), [(256, 1), (1, 1), (256, 10_000)])
def test_the_figure_stands_at_the_ends_of_the_scales(block_size: int, n: int) -> None:
    png = explorer(block_size, n, lang="en").figure()._repr_png_()
    assert png.startswith(b"\x89PNG")


def test_a_notebook_shows_the_figure_once() -> None:
    explorer(lang="en").figure()
    assert plt.get_fignums() == []  # pyplot would show it a second time
