"""What the strips' stories are furnished with: seats, signs, lists, open drawers, keys and jars."""

from itertools import pairwise

from strips.cast import WOOD
from strips.lettering import letter
from strips.paper import INK, PANEL_HEIGHT, PANEL_WIDTH, WHITE, Pen

VELVET, ROPE = "#8e3b56", "#d7a33c"


def backdrop(pen: Pen, wall: str, floor: str, horizon: float) -> None:
    pen.rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, wall, line=0)
    pen.rect(-3, horizon, PANEL_WIDTH + 6, PANEL_HEIGHT - horizon + 3, floor)


def seat(pen: Pen, x: float, y: float, width: float = 38, fill: str = VELVET) -> None:
    """A cinema seat that stands with its foot in the middle of (x, y)."""
    pen.rect(x - width / 2 + 3, y - 1.5 * width, width - 6, 1.2 * width, fill, r=9)
    pen.rect(x - width / 2 + 1, y - 0.55 * width, width - 2, 0.4 * width, fill, r=6)


def coat(pen: Pen, x: float, y: float, fill: str, width: float = 38) -> None:
    """A coat laid over a seat: somebody will come."""
    g = pen.group(x, y, width / 38)
    g.path("M-9 -54Q0 -48 9 -54L18 -44L14 -26L10 -30L12 -6H-12L-10 -30L-14 -26L-18 -44Z", fill)
    g.path("M0 -49V-8", line=2)


def rope(pen: Pen, posts: list[float], y: float, height: float = 44) -> None:
    """Velvet rope between posts that stand on y."""
    for left, right in pairwise(posts):
        pen.tube(f"M{left} {y - height + 4}Q{(left + right) / 2} {y - height / 3} {right} {y - height + 4}", VELVET, 4)
    for post in posts:
        pen.rect(post - 3, y - height, 6, height, ROPE, r=2)
        pen.circle(post, y - height, 5.5, ROPE)


def plate(pen: Pen, box: tuple, text: str, size: float, fill: str = WHITE, ink: str = INK, weight: int = 600) -> None:
    """A sign or a board with text in its middle."""
    pen.rect(*box, fill, r=7)
    letter(pen, box, text, size, fill=ink, weight=weight, pad=6)


def table(
    pen: Pen, x: float, y: float, head: str, entries: list[str], cell: float = 34, marked: int | None = None
) -> None:
    """A block table: a sheet with a head and a row of entries. Where one is marked, they are numbered below."""
    wide = cell * len(entries) + 20
    pen.rect(x, y, wide, cell + (42 if marked is None else 58), "#fffaf0", r=5)
    letter(pen, (x, y + 4, wide, 26), head, 16, weight=600)
    for index, entry in enumerate(entries):
        box = (x + 10 + index * cell, y + 31, cell, cell)
        pen.rect(*box, "#fbd26a" if index == marked else WHITE, line=2)
        letter(pen, box, entry, 18, weight=700, pad=1)
        if marked is not None:
            letter(pen, (x + 10 + index * cell, y + cell + 33, cell, 20), str(index), 14)


def tray(pen: Pen, x: float, y: float, number: int, place: float = 41) -> list[float]:
    """An open drawer, seen from the front, of four places that stand on y, with the slot of each below it.

    x: its left edge. Returns the middle of each place.
    """
    middles = [x + 4 + (index + 0.5) * place for index in range(4)]
    pen.rect(x, y - place - 6, 4 * place + 8, place + 10, "#8a5a30", r=5)
    for middle in middles:
        pen.rect(middle - place / 2, y - place - 2, place, place + 2, "#f7e8cf", line=2)
    pen.rect(x - 5, y, 4 * place + 18, 58, WOOD, r=6)
    for index, middle in enumerate(middles):
        letter(pen, (middle - 18, y + 3, 36, 20), str(4 * number + index), 14, fill="#5c3810", weight=600, pad=0)
    pen.rect(x + 2 * place - 14, y + 25, 36, 25, WHITE, r=5, line=2)
    letter(pen, (x + 2 * place - 14, y + 25, 36, 25), str(number), 18, weight=700, pad=1)
    return middles


def key(pen: Pen, x: float, y: float, fill: str, scale: float = 1) -> None:
    """A key that hangs with its bow at (x, y)."""
    g = pen.group(x, y, scale)
    g.path("M0 6V30M0 22H8M0 29H7", line=8.5)
    g.path("M0 6V30M0 22H8M0 29H7", line=4, ink=fill)
    g.circle(0, 0, 9, fill)
    g.circle(0, 0, 3, WHITE, line=2)


def jar(pen: Pen, x: float, y: float, fill: str, label: str = "", level: float = 0.75, scale: float = 1) -> None:
    """A jar of juice that stands on (x, y), 30 wide and 40 high; level: how full, 0..1."""
    g = pen.group(x, y, scale)
    g.rect(-15, -32, 30, 32, WHITE, r=7)
    if level:
        g.path(f"M-13.5 {-31 * level:.1f}H13.5V-7Q13.5 -1.5 7 -1.5H-7Q-13.5 -1.5 -13.5 -7Z", fill, line=0)
    g.rect(-15, -32, 30, 32, "none", r=7)
    g.rect(-12, -39, 24, 8, "#b98b57", r=3)
    if label:
        letter(g, (-15, -25, 30, 20), label, 13, weight=700, pad=0.5)
