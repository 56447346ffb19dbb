"""The capacity planner's picture as a matplotlib figure, for print and for slides. English in both editions."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from paged.memory import max_requests
from paged.widgets.capacity_planner_html import memory_of
from paged.widgets.capacity_planner_plan import GIB, Plan, Setting, plan
from paged.widgets.capacity_planner_text import TEXT
from paged.widgets.capacity_planner_words import gib, note, size, summary
from paged.widgets.picture import Picture

COLOURS = {"part_weights": "#6e7781", "part_kept": "#b8c0c8", "used": "#0072b2", "last_block": "#d55e00"}
COLOURS |= {"never_used": "#f0b64d", "rest": "#f4f5f6"}
SHORTEST = 16  # tokens, where the curve begins
EN = TEXT["en"]


def capacity_figure(setting: Setting) -> Figure:
    """One GPU's memory under both strategies, and requests against their length."""
    found = plan(setting)
    figure = Picture(figsize=(9, 5.5), dpi=100, layout="constrained")
    bars, curve = figure.subplots(2, 1, height_ratios=(2, 3))
    _bars(bars, setting, found)
    _curve(curve, setting, found)
    said = "\n".join(line for line in (summary(setting, found, EN), note(setting, EN)) if line)
    figure.suptitle(said, fontsize=9, wrap=True)
    return figure


def _bars(axes: Axes, setting: Setting, found: Plan) -> None:
    titles = {
        "paged": EN["paging"].format(block_size=setting.block_size),
        "reserved": EN["reserving"].format(reserved_tokens=f"{found.reserved_tokens:,}"),
    }
    for strategy, title in titles.items():
        requests = f"{title}\n{getattr(found, strategy):,} requests"
        left = 0.0
        for name, num_bytes in memory_of(strategy, setting, found).items():
            label = None if strategy == "reserved" and name != "never_used" else f"{EN[name]}: {size(num_bytes)}"
            hatch = "//" if name == "never_used" else None
            width = num_bytes / GIB
            axes.barh(requests, width, left=left, color=COLOURS[name], label=label, hatch=hatch, edgecolor="white")
            left += width
    axes.axvline(found.memory / GIB, color="#d55e00" if found.problem == "memory" else "#5f6368", linewidth=2)
    axes.invert_yaxis()
    axes.set_xlabel(f"GiB of one GPU ({setting.gpu.name}: {gib(found.memory)})")
    axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=8)


def _curve(axes: Axes, setting: Setting, found: Plan) -> None:
    longest = setting.model.context
    lengths = np.unique(np.geomspace(SHORTEST, longest, 300).round().astype(int))
    axes.set_xscale("log", base=2)
    axes.set_xlim(SHORTEST, longest)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel("tokens of a request")
    axes.set_ylabel("requests")
    if found.budget <= 0 or not found.bytes_per_token:
        axes.set_yticks([])
        return
    counts = [max_requests(found.budget, int(n), found.bytes_per_token, setting.block_size) for n in lengths]
    title = f"paging: {found.paged:,} at {found.tokens:,} tokens, {size(found.bytes_per_token)} per token"
    axes.plot(lengths, counts, color=COLOURS["used"], linewidth=2, label=title)
    axes.plot(found.tokens, found.paged, "o", color=COLOURS["used"], markersize=8, markeredgecolor="white")
    title = f"reserve {found.reserved_tokens:,} tokens: {found.reserved:,}"
    ends = [SHORTEST, found.reserved_tokens]
    axes.plot(ends, [found.reserved] * 2, color=COLOURS["never_used"], linewidth=2, label=title)
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.legend(loc="upper right", frameon=False, fontsize=9)
