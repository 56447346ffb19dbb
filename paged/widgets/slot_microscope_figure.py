"""The slot microscope's picture as a matplotlib figure, for print and for slides. English in both editions."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import ConnectionPatch, Rectangle

from paged.widgets.picture import Picture
from paged.widgets.slot_microscope_html import formula

OWNED, GROUND, EDGE, WAY = "#a9cbe3", "#f4f5f6", "#5f6368", "#d55e00"
MOST_ENTRIES = 16  # of the table that are shown, around the token's
MOST_NUMBERS = 40  # slots or blocks that are numbered in one row
MOST_EDGES = 100


def slot_figure(position: int, num_tokens: int, block_size: int, found: dict) -> Figure:
    """Sequence, table, cache and the token's block, one row each; `found` is SlotMicroscope.results."""
    table, logical, block, slot = (found[name] for name in ("block_table", "logical_block", "block", "slot"))
    figure = Picture(figsize=(9, 5), dpi=100, layout="constrained")
    tokens, entries, cache, lens = figure.subplots(4, 1, gridspec_kw={"hspace": 0.5})
    _strip(tokens, f"sequence\n{num_tokens} tokens", range(len(table) * block_size), block_size, [(0, num_tokens)])
    first = max(0, min(logical - MOST_ENTRIES // 2, len(table) - MOST_ENTRIES))
    _entries(entries, table, range(first, min(len(table), first + MOST_ENTRIES)))
    owned = [(b * block_size, min(block_size, num_tokens - i * block_size)) for i, b in enumerate(table)]
    num_blocks = found["num_blocks"]
    title = f"cache\n{num_blocks} blocks of {block_size}"
    _strip(cache, title, range(num_blocks * block_size), block_size, owned, numbers=False)
    if num_blocks <= MOST_NUMBERS:
        cache.set_xticks([(b + 0.5) * block_size for b in range(num_blocks)], range(num_blocks))
    slots = range(block * block_size, (block + 1) * block_size)
    _strip(lens, f"block {block}\nslots {slots.start} to {slots.stop - 1}", slots, block_size, owned)
    for axes, at in ((tokens, position), (entries, logical), (cache, slot), (lens, slot)):
        axes.add_patch(Rectangle((at, 0), 1, 1, facecolor=WAY, edgecolor=WAY, zorder=2))
    entries.text(logical + 0.5, 0.5, str(block), ha="center", va="center", color="white", zorder=3)
    ends = [(tokens, position + 0.5, entries, logical + 0.5), (cache, slot + 0.5, lens, slot + 0.5)]
    ends.append((entries, logical + 0.5, cache, (block + 0.5) * block_size))
    for above, x1, below, x2 in ends:
        line = ConnectionPatch(
            (x1, 0), (x2, 1), "data", "data", axesA=above, axesB=below, color=WAY, linewidth=2, zorder=-1
        )
        figure.add_artist(line)
    figure.suptitle(formula(position, block_size, found), family="monospace", fontsize=9)
    return figure


def _axes(axes: Axes, title: str, numbers: range) -> None:
    axes.set_ylabel(title, rotation=0, ha="right", va="center", fontsize=9)
    axes.set_xlim(numbers.start, numbers.stop)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.tick_params(length=0, labelsize=8)


def _strip(
    axes: Axes, title: str, slots: range, block_size: int, owned: list[tuple[int, int]], numbers: bool = True
) -> None:
    """Slots in a row; `owned` are the sequence's, as (first slot, how many)."""
    _axes(axes, title, slots)
    axes.set_facecolor(GROUND)
    axes.broken_barh(owned, (0, 1), facecolor=OWNED)
    if len(slots) <= MOST_EDGES:
        axes.vlines(slots, 0, 1, color="white", linewidth=0.8)
    if len(slots) // block_size <= MOST_EDGES:
        axes.vlines(slots[::block_size], 0, 1, color=EDGE, linewidth=1)
    if numbers and len(slots) <= MOST_NUMBERS:
        axes.set_xticks([n + 0.5 for n in slots], slots)


def _entries(axes: Axes, table: list[int], shown: range) -> None:
    _axes(axes, f"block table\nentries: {len(table)}", shown)
    axes.set_facecolor(OWNED)
    axes.vlines(shown, 0, 1, color=EDGE, linewidth=1)
    axes.set_xticks([n + 0.5 for n in shown], shown)
    for entry in shown:
        axes.text(entry + 0.5, 0.5, str(table[entry]), ha="center", va="center")
