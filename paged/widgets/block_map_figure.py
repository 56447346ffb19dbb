"""One step of a block map as a matplotlib figure, for print and for slides. English in both editions."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from paged.widgets.block_map_html import cells, losses, said
from paged.widgets.block_map_pages import Page
from paged.widgets.block_map_state import State
from paged.widgets.block_map_text import TEXT
from paged.widgets.picture import Picture
from paged.widgets.static_page import INK, MUTED

TONES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")  # those of blocks.css
WIDTH, HEIGHT, GAP = 1.0, 1.1, 0.12  # of a block, in units of the axes
STRIP = 0.24
LINE = 0.2  # inches, of a line of words
GOLDEN = 0.618034  # steps that keep the shades of neighbours apart
MOST_LETTERS = 110


def block_map_figure(step: dict, state: State, block_size: int) -> Figure:
    """The blocks in rows, what is written in them, and below the free queue and the block tables."""
    count = len(state.counts)
    columns = min(count, 8 if count <= 32 else 16 if count <= 128 else 24)
    rows = -(-count // columns)
    words = _words(state)
    grid = 8.8 * rows * (HEIGHT + GAP) / (max(columns, 8) * (WIDTH + GAP))
    height = 0.4 + grid + 0.15 + LINE * len(words)
    figure = Picture(figsize=(9, height), dpi=100)
    axes = figure.add_axes((0.01, (height - 0.4 - grid) / height, 0.98, grid / height))
    numbers = {name: owner.number for name, owner in state.owners.items()}
    for item, page in zip(cells(state, block_size), state.contents, strict=True):
        row, column = divmod(item["block"], columns)
        x, y = column * (WIDTH + GAP), row * (HEIGHT + GAP)
        _block(axes, x, y, item, _strip(page, numbers, block_size), min(11, 130 / columns))
    axes.set_xlim(0, max(columns, 8) * (WIDTH + GAP))
    axes.set_ylim(rows * (HEIGHT + GAP), -GAP / 2)
    axes.set_aspect("equal", anchor="W")
    axes.axis("off")
    call = f"{step['call']}   " if step["call"] else ""
    said_of_it = _cut(f"{call}{said(step, TEXT['en'])}")
    figure.text(0.01, 1 - 0.25 / height, said_of_it, fontsize=10, parse_math=False)
    for number, line in enumerate(reversed(words)):
        place = (0.08 + LINE * number) / height
        figure.text(0.01, place, _cut(line), fontsize=9, family="monospace", color=INK, parse_math=False)
    return figure


def shade(tone: str, share: float) -> tuple[float, float, float]:
    """The tone on white paper: all of it at 1, none at 0."""
    return tuple(1 - share * (1 - part) for part in to_rgb(tone))


def _block(axes: Axes, x: float, y: float, item: dict, strip: np.ndarray | None, size: float) -> None:
    tones = [TONES[number % len(TONES)] for _, number, _ in item["owners"]]
    for n, tone in enumerate(tones):  # one stripe for each owner
        stripe = Rectangle((x + n * WIDTH / len(tones), y), WIDTH / len(tones), HEIGHT, color=shade(tone, 0.3), lw=0)
        axes.add_patch(stripe)
    edge = {"linestyle": "--", "edgecolor": MUTED} if item["free"] else {"edgecolor": INK}
    if strip is not None:
        alpha = 0.4 if item["free"] else 1
        axes.imshow(strip, extent=(x, x + WIDTH, y + HEIGHT, y + HEIGHT - STRIP), aspect="auto", alpha=alpha, zorder=2)
    axes.add_patch(Rectangle((x, y), WIDTH, HEIGHT, fill=False, linewidth=0.8, **edge))
    axes.text(x + 0.07, y + 0.07, item["block"], fontsize=0.9 * size, va="top", color=MUTED)
    axes.text(x + WIDTH - 0.07, y + 0.07, item["text"], fontsize=1.1 * size, va="top", ha="right", weight="bold")
    letters = " ".join(name if times == 1 else f"{name}×{times}" for name, _, times in item["owners"])
    axes.text(x + WIDTH / 2, y + 0.62, letters, fontsize=size, va="center", ha="center", clip_on=True)


def _strip(page: Page, numbers: dict[str, int], block_size: int) -> np.ndarray | None:
    """One pixel per slot, [1, block_size, 3]: the writer's tone in a shade of the position."""
    if not page.used():
        return None
    pixels = np.ones((1, block_size, 3))
    slot = 0
    for writer, first, count in page.runs:
        tone = TONES[numbers[writer] % len(TONES)] if writer in numbers else MUTED
        for position in range(first, first + count) if writer else ():
            pixels[0, slot + position - first] = shade(tone, 0.45 + 0.55 * (position * GOLDEN % 1))
        slot += count
    return pixels


def _words(state: State) -> list[str]:
    text = TEXT["en"]
    free = "?" if state.num_free is None else state.num_free
    queue = text["queue_unknown"] if state.queue is None else " ".join(map(str, state.queue)) or text["queue_empty"]
    lines = [f"{free} of {len(state.counts)} blocks free; {text['queue']}: {queue}"]
    for name, owner in state.owners.items():
        tokens = "" if owner.tokens is None else f" {text['token_count'].format(count=owner.tokens)}:"
        lines.append(f"{name}:{tokens} {list(owner.table)}")
    return lines + losses(state, text)


def _cut(line: str) -> str:
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 2]} …"
