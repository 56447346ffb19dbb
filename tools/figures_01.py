"""Chapter 1's figures: the same 32 slots of KV memory, reserved in advance and in blocks; and an animated run.

One file per language. Letter, mark and colour tell a slot's state. The animation is drawn in first_fit.py.
"""

from xml.etree import ElementTree as ET

import first_fit
from svg import ALARM, LINE, MUTED, box, card, path, text, written

SLOT, LEFT, WIDTH, HEIGHT = 21, 24, 720, 466

# A slot's state: (fill, ink, mark), in the explorer's colours. A slot that holds a token carries its request's letter.
STATES = {
    "token": ("#0072b2", "#ffffff", ""),
    "later": ("#fbe6bd", "#7a5200", "·"),
    "never": ("#f0b64d", "#5c3b00", "×"),
    "tail": ("#d55e00", "#ffffff", "○"),
    "free": ("#ffffff", MUTED, ""),
}

# (request, slots that hold a token, that a later token will fill, that nobody will ever fill); "" is a free stretch.
RESERVED = [("A", 6, 2, 4), ("", 4, 0, 0), ("B", 3, 3, 2), ("", 4, 0, 0), ("C", 2, 1, 1)]
# (request, filled slots) of each block of two, in physical order.
BLOCKS = [("A", 2), ("A", 2), ("B", 2), ("C", 2), ("B", 1), ("A", 2), ("D", 2), ("D", 2), ("D", 1)] + [("", 0)] * 7

TEXT = {
    "en": {
        "reserved": "Reserved in advance: one stretch per request",
        "paged": "Paged: blocks of 2 slots, taken when a token needs one",
        "stretch": "{name}: up to {}",
        "gap": "{} free",
        "refused": "D wants room for 6 tokens. 8 slots are free, but no 6 in a row: D waits.",
        "table": "Tables: A = [0, 1, 5], B = [2, 4], C = [3]. D, now 5 tokens long, gets [6, 7, 8].",
        "rows": ["holds a token", "kept for a later token", "never used", "tail of a last block", "free"],
        "wastes": [
            "",
            "reserved slots",
            "internal fragmentation",
            "all that paging wastes",
            "external fragmentation, if in pieces",
        ],
        "columns": ["reserved", "paged"],
        "title": "Where 32 slots go",
    },
    "zh": {
        "reserved": "提前预留：每个请求占一整段",
        "paged": "分页：每块 2 个槽位，有 token 要写才取",
        "stretch": "{name}：至多 {} 个",
        "gap": "空闲 {}",
        "refused": "D 要 6 个槽位。空闲的有 8 个，但没有连在一起的 6 个：D 只能等。",
        "table": "块表：A = [0, 1, 5]，B = [2, 4]，C = [3]。D 现有 5 个 token，拿到 [6, 7, 8]。",
        "rows": ["存着 token", "留给以后的 token", "永远用不到", "最后一块的空位", "空闲"],
        "wastes": ["", "预留槽位", "内部碎片", "分页只浪费这些", "零散时就是外部碎片"],
        "columns": ["预留", "分页"],
        "title": "32 个槽位的去向",
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    wastes = {f"01-three-wastes.{lang}.svg": three_wastes(words) for lang, words in TEXT.items()}
    return wastes | {
        f"01-first-fit.{lang}.svg": first_fit.fragmentation(words) for lang, words in first_fit.TEXT.items()
    }


def reserved_slots() -> list[tuple[str, str]]:
    """(request, state) of each of the 32 slots when every request reserves its maximum."""
    slots = []
    for name, first, later, never in RESERVED:
        slots += [(name, "token" if name else "free")] * first + [(name, "later")] * later + [(name, "never")] * never
    return slots


def paged_slots() -> list[tuple[str, str]]:
    """(request, state) of each of the 32 slots in 16 blocks of two."""
    states = {0: ["free", "free"], 1: ["token", "tail"], 2: ["token", "token"]}
    return [(name, state) for name, filled in BLOCKS for state in states[filled]]


def three_wastes(words: dict) -> str:
    """The figure in one language: two strips of slots, and the count of slots in each state."""
    svg = card(WIDTH, HEIGHT, words["title"])

    text(svg, LEFT, 36, words["reserved"], size=17, weight="600")
    strip(svg, 50, reserved_slots())
    start = 0
    for name, *parts in RESERVED:
        size = sum(parts)
        bracket(svg, start, size, 80, words["stretch" if name else "gap"].format(size, name=name))
        start += size
    text(svg, LEFT, 128, words["refused"], size=15, fill=ALARM)

    text(svg, LEFT, 182, words["paged"], size=17, weight="600")
    strip(svg, 196, paged_slots())
    for block in range(16):
        bracket(svg, 2 * block, 2, 226, str(block))
    text(svg, LEFT, 274, words["table"], size=15)
    legend(svg, 308, words)
    return written(svg)


def legend(svg: ET.Element, top: int, words: dict) -> None:
    """The legend, which is also the sum: how many of the 32 slots are in each state, reserved and paged."""
    columns = [reserved_slots(), paged_slots()]
    for column, head in enumerate(words["columns"]):
        text(svg, 318 + 88 * column, top + 6, head, size=14, fill=MUTED, anchor="end")
    for row, (state, label, waste) in enumerate(zip(STATES, words["rows"], words["wastes"], strict=True)):
        y = top + 17 + 25 * row
        slot(svg, LEFT, y, "A" if state == "token" else "", state)
        text(svg, LEFT + 32, y + 15, label, size=15)
        for column, slots in enumerate(columns):
            count = sum(1 for _, found in slots if found == state)
            text(svg, 318 + 88 * column, y + 15, str(count or "–"), size=15, weight="600", anchor="end")
        text(svg, 440, y + 15, waste, size=14, fill=MUTED)


def strip(svg: ET.Element, y: int, slots: list[tuple[str, str]]) -> None:
    for position, (name, state) in enumerate(slots):
        slot(svg, LEFT + SLOT * position, y, name, state)


def slot(svg: ET.Element, x: int, y: int, name: str, state: str) -> None:
    fill, ink, mark = STATES[state]
    box(svg, x + 1, y, SLOT - 2, SLOT - 1, fill, LINE if state == "free" else fill, radius=3)
    text(svg, x + SLOT / 2, y + 15, name if state == "token" else mark, size=13, fill=ink, anchor="middle")


def bracket(svg: ET.Element, start: int, count: int, y: int, label: str) -> None:
    """A line under `count` slots from `start`, and what it says."""
    x = LEFT + SLOT * start
    path(svg, f"M{x + 2} {y - 5}v4h{SLOT * count - 4}v-4")
    text(svg, x + SLOT * count / 2, y + 14, label, size=13, fill=MUTED, anchor="middle")
