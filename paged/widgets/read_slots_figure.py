"""What a kernel reads as a matplotlib figure, for print and for slides. English in both editions."""

from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from paged.widgets.picture import Picture
from paged.widgets.read_slots_html import colour_of
from paged.widgets.read_slots_trace import bytes_of, least_bytes, name_of, owners, readers

ACROSS = 32  # slots in a line of blocks


def read_figure(trace: dict, run: int, program: int, cache: str) -> Figure:
    """The runs as bars of bytes, and below them one run's slots; a program that is lit leaves the others pale."""
    across = max(1, ACROSS // trace["block_size"])
    lines = ceil(trace["num_blocks"] / across)
    heights = [0.5 * len(trace["runs"]), lines * (1.2 + 0.36 * trace["num_kv_heads"])]
    figure = Picture(figsize=(9, 1 + 0.5 * sum(heights)), dpi=100, layout="constrained")
    bars, slots = figure.subplots(2, 1, height_ratios=heights)
    _bars(bars, trace)
    _slots(slots, trace, trace["runs"][run]["programs"], program, cache, across)
    slots.set_title(f"slots of {cache.upper()}: {name_of(trace['runs'][run], 'en')}", loc="left", fontsize=10)
    return figure


def _bars(axes: Axes, trace: dict) -> None:
    least = least_bytes(trace)
    for row, run in enumerate(trace["runs"]):
        left = 0
        for number, program in enumerate(run["programs"]):
            size = bytes_of([program])
            axes.barh(row, size, left=left, color=colour_of(number), edgecolor="white", linewidth=0.5)
            left += size
        ratio = f"{left / least:.2f}×" if least else "–"
        axes.text(left, row, f"  {ratio}, {left:,} B", va="center", fontsize=9)
    axes.axvline(least, color="black", linewidth=1.5)
    axes.set_yticks(range(len(trace["runs"])), [name_of(run, "en") for run in trace["runs"]])
    axes.invert_yaxis()
    axes.margins(x=0.25)
    axes.set_title(f"bytes of K and V that are read; the line: each token once, {least:,} B", loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xticks([])


def _slots(axes: Axes, trace: dict, programs: list[dict], lit: int, cache: str, across: int) -> None:
    size, heads, known, read = trace["block_size"], trace["num_kv_heads"], owners(trace), readers(programs, cache)
    for block in range(trace["num_blocks"]):
        left, top = block % across * (size + 1), block // across * (heads + 1.6)
        axes.text(left, top - 0.15, f"block {block}", fontsize=8, color="#59636e")
        for offset in range(size):
            slot = block * size + offset
            for head in range(heads):
                x, y, who = left + offset, top + head, read.get((slot, head), [])
                ground = "white" if slot in known else "#eceef0"
                axes.add_patch(Rectangle((x, y), 1, 1, facecolor=ground, edgecolor="#c9d1d8", linewidth=0.6))
                for n, number in enumerate(who):
                    pale = 0.15 if lit and number != lit - 1 else 1.0
                    stripe = Rectangle((x, y + n / len(who)), 1, 1 / len(who), facecolor=colour_of(number), alpha=pale)
                    axes.add_patch(stripe)
    axes.set_xlim(-0.2, across * (size + 1))
    axes.set_ylim(ceil(trace["num_blocks"] / across) * (heads + 1.6), -1)
    axes.set_axis_off()
