"""The utilisation explorer's picture as a matplotlib figure, for print and for slides. English in both editions."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from paged.widgets.picture import Picture
from paged.workload import Utilisation, Workload, utilisation

USED, LAST_BLOCK, RESERVED, LINE = "#0072b2", "#d55e00", "#f0b64d", "#5f6368"
MAX_BLOCK_SIZE = 256
FLOORS = (0.9, 0.8, 0.5, 0.0)
ROWS = 5
BEFORE, AFTER = 64, 256  # tokens shown on either side of a request's last token


def utilisation_figure(workload: Workload, block_size: int) -> Figure:
    """Bars of both strategies on one scale, the last blocks magnified, and utilisation against block size."""
    found = utilisation(workload.lengths, block_size, workload.max_len)
    figure = Picture(figsize=(9, 6), dpi=100, layout="constrained")
    bars, ends, curve = figure.subplots(3, 1, height_ratios=(2, 3, 4))
    _bars(bars, found, block_size)
    _ends(ends, workload.lengths, block_size, found)
    _curve(curve, np.asarray(workload.lengths), block_size, found)
    return figure


def _bars(axes: Axes, found: Utilisation, block_size: int) -> None:
    labels = [f"reserve-max\n{found.reserved:.1%} in use", f"paging, blocks of {block_size}\n{found.paged:.1%} in use"]
    axes.barh(labels, found.used, color=USED, label=f"used: {found.used:,}")
    axes.barh(
        labels[0],
        found.reserved_waste,
        left=found.used,
        color=RESERVED,
        hatch="//",
        edgecolor="white",
        label=f"reserved, never used: {found.reserved_waste:,}",
    )
    axes.barh(
        labels[1],
        found.last_block_waste,
        left=found.used,
        color=LAST_BLOCK,
        label=f"unused in last blocks: {found.last_block_waste:,}",
    )
    axes.invert_yaxis()
    axes.set_xlabel("tokens")
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(0, found.used + max(found.reserved_waste, found.last_block_waste))
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=9, borderpad=0)


def _ends(axes: Axes, lengths: Sequence[int], block_size: int, found: Utilisation) -> None:
    for row, length in enumerate(lengths[:ROWS]):
        waste = -length % block_size
        axes.barh(row, -min(length, BEFORE), color=USED)
        axes.barh(row, waste, color=LAST_BLOCK)
        edges = range(waste, -min(length, BEFORE), -block_size)
        axes.vlines(edges, row - 0.4, row + 0.4, color="white", linewidth=min(1, block_size / 8))
    mean = found.last_block_waste / len(lengths)
    rows = min(len(lengths), ROWS)
    axes.barh(rows + 0.3, -BEFORE, color=USED)
    axes.barh(rows + 0.3, mean, color=LAST_BLOCK)
    axes.set_yticks([*range(rows), rows + 0.3], [*(f"request {row + 1}" for row in range(rows)), f"mean: {mean:.1f}"])
    axes.axvline(0, color=LINE, linewidth=1)
    axes.set_xlim(-BEFORE, AFTER)
    axes.invert_yaxis()
    axes.set_xlabel("tokens after the last one: unused part of the last block")


def _curve(axes: Axes, lengths: np.ndarray, block_size: int, found: Utilisation) -> None:
    sizes = np.arange(1, MAX_BLOCK_SIZE + 1)
    blocks = np.array([(-(-lengths // size)).sum() for size in sizes])
    ratios = found.used / (blocks * sizes)
    floor = next(level for level in FLOORS if level <= ratios.min())
    axes.fill_between(sizes, ratios, 1, color=LAST_BLOCK, alpha=0.2, linewidth=0)
    axes.plot(sizes, ratios, color=USED, linewidth=2)
    axes.plot(block_size, found.paged, "o", color=USED, markersize=8, markeredgecolor="white")
    left = block_size > MAX_BLOCK_SIZE**0.5
    axes.annotate(
        f"{block_size}: {found.paged:.1%}",
        (block_size, found.paged),
        xytext=(-8 if left else 8, -16),
        textcoords="offset points",
        horizontalalignment="right" if left else "left",
    )
    axes.set_xscale("log", base=2)
    axes.set_xticks(2 ** np.arange(9), [str(2**power) for power in range(9)])
    axes.set_xlim(1, MAX_BLOCK_SIZE)
    axes.set_ylim(floor, 1)
    if found.reserved > floor:
        axes.axhline(found.reserved, color=LINE, linestyle="--", label=f"reserve-max {found.reserved:.1%}")
    else:
        axes.plot([], [], " ", label=f"reserve-max {found.reserved:.1%}, below this axis")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("block size (tokens)")
    axes.set_ylabel("utilisation")
    axes.legend(loc="lower left", frameon=False, fontsize=9)
