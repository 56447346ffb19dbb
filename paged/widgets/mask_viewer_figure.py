"""The masks of a batch as a matplotlib figure, for print and for slides. English in both editions."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from paged.widgets.mask_viewer_masks import differing, query_start_loc, seen, stage
from paged.widgets.picture import Picture

COLOURS = {"masked": "#eceef0", "seen": "#5a9fce", "wrongly masked": "#d55e00", "wrongly seen": "#7a3400"}
TITLES = {"top_left": "aligned top left", "strict": "a query does not see itself", "full": "no causal mask"}
STAGES = {"idle": "no query", "prompt": "whole prompt", "decode": "decode", "chunk": "chunk of a prompt"}


def mask_figure(requests: list[list[int]], request: int, query: int, mistake: str) -> Figure:
    """One mask per request on one scale, its rows numbered as in the batch; the selected query is framed."""
    starts, widest = query_start_loc(requests), max(context for context, _ in requests)
    heights = [max(new, 2) for _, new in requests]
    figure = Picture(figsize=(9, 1.2 + 0.62 * len(requests) + 0.13 * sum(heights)), dpi=100, layout="constrained")
    rows = figure.subplots(len(requests), 1, height_ratios=heights, squeeze=False)[:, 0]
    for n, (axes, size) in enumerate(zip(rows, requests, strict=True)):
        _mask(axes, n, size, starts[n], widest, mistake)
    context, new = requests[request]
    if new:
        rows[request].add_patch(Rectangle((0, query), context, 1, fill=False, edgecolor="black", linewidth=1.5))
    rows[-1].set_xlabel("position of the key")
    shown = ["seen", "masked", *{"none": [], "full": ["wrongly seen"]}.get(mistake, ["wrongly masked"])]
    patches = [Patch(color=COLOURS[name], label=name) for name in shown]
    figure.legend(handles=patches, loc="outside lower center", ncols=len(shown), frameon=False, fontsize=9)
    title = f"query_start_loc = {starts}, N = {starts[-1]}"
    if mistake != "none":
        title += f"\n{TITLES[mistake]}: {differing(requests, mistake)} cells differ"
    figure.suptitle(title, fontsize=10)
    return figure


def mask_of(context: int, new: int, mistake: str) -> np.ndarray:
    """[new, context] of indices into COLOURS."""
    keys = np.arange(context)
    right = keys < np.array([[seen(context, new, query)] for query in range(new)]).reshape(new, 1)
    wrong = keys < np.array([[seen(context, new, query, mistake)] for query in range(new)]).reshape(new, 1)
    return np.where(right == wrong, right, np.where(right, 2, 3)).astype(np.int8)


def _mask(axes: Axes, n: int, size: list[int], start: int, widest: int, mistake: str) -> None:
    context, new = size
    title = f"request {n}: {STAGES[stage(context, new)]}, context {context}, new {new}"
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_xlim(0, widest)
    axes.set_ylim(max(new, 2), 0)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=8)
    if new:
        edges = {"edgecolors": "white", "linewidth": 0.5}
        colours = ListedColormap(list(COLOURS.values()))
        axes.pcolormesh(mask_of(context, new, mistake), cmap=colours, vmin=0, vmax=len(COLOURS) - 1, **edges)
    else:
        axes.hlines(0, 0, context, color="gray", linestyle="--")
    step = next(step for step in (1, 2, 4, 8, 16) if new / step <= 16)
    numbered = range(0, new, step)
    axes.set_yticks([query + 0.5 for query in numbered], [start + query for query in numbered])
    axes.set_ylabel("row" if new else "", fontsize=8)
    every = next(keys for keys in (1, 2, 4) if widest / keys <= 32)
    axes.set_xticks([key + 0.5 for key in range(0, context, every)], range(0, context, every))
