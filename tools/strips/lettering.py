"""Lettering: text that is measured before it is drawn, so that it stays in its bubble whatever font the reader has.

No font file is at hand and none may be assumed, so widths are upper bounds: those of DejaVu Sans or more, which is
wider than what systems ship as their default; a CJK character takes one em. Everything written on a sheet goes through
`letter`, which refuses text that does not fit, and marks its box (`data-box`: x y width height) for the tests.
"""

import math
import re
from itertools import pairwise

from strips.paper import INK, PANEL_WIDTH, WHITE, Pen

LEADING = 1.22  # baseline to baseline, in font sizes
# Unbreakable: a number with the measure word behind it, a run of anything but blanks and CJK, one CJK character.
PIECES = re.compile(r"[\d,]+ [\u4e00-\u9fff]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+|\S")
NEVER_FIRST, NEVER_LAST = "，。、；：？！）》」”…～%", "（《「“"
TAIL = 48  # a tail is no longer than this; it points at the speaker, it need not arrive
BOLD = 1.16  # how much wider bold text is, at most
CLASSES = [
    ("ijlI'|’‘", 0.3),
    (".,:; ", 0.34),
    ("frt()[]-/!", 0.42),
    ('?–"', 0.54),
    ("ckszxvy", 0.6),
    ("w+=", 0.84),
    ("mMW@%—…“”×−≈→", 1.0),  # the signs among them because CJK fonts give them a full em
]
EM = {char: width for chars, width in CLASSES for char in chars}


def is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"


def width(text: str, size: float, weight: int = 400) -> float:
    """An upper bound for the width of `text`, in the unit of `size`."""
    return size * sum(width_in_em(char) for char in text) * (BOLD if weight > 500 else 1)


def width_in_em(char: str) -> float:
    if is_cjk(char):
        return 1.0
    return EM.get(char, 0.79 if char.isupper() else 0.64)


def wrap(text: str, size: float, most: float, weight: int = 400) -> list[str]:
    """The text in lines of at most `most`, as evenly long as that number of lines allows; a newline breaks always."""
    lines = []
    for part in text.split("\n"):
        fewest = len(pack(part, size, most, weight))
        narrow = most
        while narrow > size and len(pack(part, size, narrow - size / 2, weight)) == fewest:
            narrow -= size / 2
        lines += pack(part, size, narrow, weight)
    return lines


def pack(text: str, size: float, most: float, weight: int) -> list[str]:
    """Greedy lines. CJK breaks anywhere but before a closing mark or after an opening one."""
    lines = [""]
    for piece in glue(PIECES.findall(text)):
        if lines[-1] and width((lines[-1] + piece).rstrip(), size, weight) > most + 0.01:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return [line.rstrip() for line in lines]


def glue(pieces: list[str]) -> list[str]:
    """Pieces with those joined that no line break may part."""
    joined = pieces[:1]
    for before, piece in pairwise(pieces):
        if piece[0] in NEVER_FIRST or before[-1] in NEVER_LAST:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def letter(pen: Pen, box: tuple, text: str, size: float, fill: str = INK, weight: int = 400, pad: float = 3) -> None:
    """Write the text, wrapped, into the middle of the box (x, y, width, height). ValueError if it is too long."""
    x, y, wide, high = box
    lines = wrap(text, size, wide - 2 * pad, weight)
    longest, tall = max(width(line, size, weight) for line in lines), LEADING * size * len(lines)
    if longest > wide - 2 * pad + 0.01 or tall > high + 0.01:
        raise ValueError(f"{text!r} needs {longest + 2 * pad:.0f} x {tall:.0f}, the box has {wide:.0f} x {high:.0f}")
    marked = pen.add("g", data_box=" ".join(f"{value:.1f}" for value in box), text_anchor="middle")
    top = y + (high - tall) / 2
    for row, line in enumerate(lines):
        # The middle of a line of capitals or CJK lies about a third of the size above the baseline.
        baseline = top + LEADING * size * (row + 0.5) + 0.35 * size
        Pen(marked).add(
            "text", x=x + wide / 2, y=baseline, font_size=size, fill=fill, font_weight=str(weight)
        ).text = line


def caption(pen: Pen, text: str, size: float = 19) -> None:
    """The narrator's band across the top of a panel."""
    high = 12 + LEADING * size * len(wrap(text, size, PANEL_WIDTH - 24, 600))
    pen.rect(-3, -3, PANEL_WIDTH + 6, high + 3, "#fdf0c4")
    letter(pen, (0, 0, PANEL_WIDTH, high), text, size, weight=600, pad=12)


def bubble(pen: Pen, text: str, x: float, y: float, most: float, to: tuple, at: float = 0, size: float = 20) -> None:
    """A speech bubble, at most `most` wide, whose tail points to `to`, the speaker's mouth or head.

    y: its top. x: its left edge for at = 0, its middle for 0.5, its right edge for 1.
    """
    pad = 13
    lines = wrap(text, size, most - 2 * pad)
    wide = max(max(width(line, size) for line in lines) + 2 * pad, 56)
    high = LEADING * size * len(lines) + 16
    left = x - at * wide
    marked = Pen(pen.add("g", **{"class": "bubble"}))
    marked.path(balloon(left, y, wide, high, *to), WHITE)
    letter(marked, (left, y, wide, high), "\n".join(lines), size, pad=pad)


def balloon(x: float, y: float, wide: float, high: float, to_x: float, to_y: float, r: float = 17) -> str:
    """The outline of a rounded box with a short tail towards (to_x, to_y), which must lie outside the box."""
    base = 9
    if x <= to_x <= x + wide and y <= to_y <= y + high:
        raise ValueError(
            f"the tail's end ({to_x}, {to_y}) lies in its bubble: {x:.0f}, {y:.0f}, {wide:.0f} x {high:.0f}"
        )

    def foot(low: float, high: float, target: float) -> float:
        return min(max(0.85 * target + 0.15 * (low + high) / 2, low + r + base), high - r - base)

    sides = {"top": "", "right": "", "bottom": "", "left": ""}
    if to_y > y + high or to_y < y:
        at = foot(x, x + wide, to_x)
        side, edge, sign = ("bottom", y + high, -1) if to_y > y else ("top", y, 1)
        ends = (at - sign * base, edge), (at + sign * base, edge)
    else:
        at = foot(y, y + high, to_y)
        side, edge, sign = ("right", x + wide, 1) if to_x > x else ("left", x, -1)
        ends = (edge, at - sign * base), (edge, at + sign * base)
    (ax, ay), (bx, by) = ends
    from_x, from_y = (ax + bx) / 2, (ay + by) / 2
    far = math.dist((from_x, from_y), (to_x, to_y))
    reach = min(1, TAIL / far)
    tip_x, tip_y = from_x + reach * (to_x - from_x), from_y + reach * (to_y - from_y)
    sides[side] = f"L{ax:.1f} {ay:.1f}L{tip_x:.1f} {tip_y:.1f}L{bx:.1f} {by:.1f}"
    corner = f"a{r} {r} 0 0 1"
    return (
        f"M{x + r:.1f} {y:.1f}{sides['top']}H{x + wide - r:.1f}{corner} {r} {r}{sides['right']}V{y + high - r:.1f}"
        f"{corner} -{r} {r}{sides['bottom']}H{x + r:.1f}{corner} -{r} -{r}{sides['left']}V{y + r:.1f}{corner} {r} -{r}Z"
    )
