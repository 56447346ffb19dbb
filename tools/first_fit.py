"""Chapter 1's animation: requests come and go, each in one piece or in blocks of 2 slots, until one finds no room.

It shows a run of the library's own allocators. The picture moves by CSS alone, so it plays inside an <img>. As drawn,
without the animation, it is the end of the run: that is what one sees who has asked the system for less motion.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

from svg import ALARM, INK, LINE, MUTED, box, card, path, text, written

from paged import BlockPool
from paged.contiguous import ContiguousMemory

NUM_SLOTS, BLOCK_SIZE = 32, 2
# (request, tokens it asks for); 0 tokens: it ends. The last one is refused where memory is handed out in one piece.
EVENTS = [("A", 6), ("B", 7), ("C", 5), ("D", 8), ("B", 0), ("E", 4), ("A", 0), ("F", 3), ("G", 8)]
SIZES = {name: tokens for name, tokens in EVENTS if tokens}
LAST, ASKED = EVENTS[-1]

SLOT, LEFT, WIDTH, HEIGHT, CHIP = 21, 24, 720, 390, 75.2
PIECES, BLOCKS = 158, 298  # y of the two strips of slots
RUNNING, ACCEPTED, TAIL, HIGHLIGHT = "#0072b2", "#00755a", "#d55e00", "#dfe5ea"

# Seconds: one event after the other, then the last one at leisure: where G looks, what comes of it, and a pause.
STEP, LOOK, FADE, LOOP = 1.6, 1.3, 0.3, 22.0

TEXT = {
    "en": {
        "title": "Requests come and go, until G finds no hole of 8 slots though 12 are free",
        "heading": "Requests come and go, and each says how long it will be",
        "asks": "{}: {}",
        "ends": "{} ends",
        "contiguous": "In one piece, in the first hole that is large enough",
        "paged": "Paged: blocks of 2 slots, any free ones",
        "state": "{free} free, largest hole {largest}",
        "free": "{free} free",
        "refused": "{name} wants {asked} in a row. {free} are free, but the largest hole has {largest}: {name} waits.",
        "accepted": "{name} gets blocks {table}. Nobody asks whether they are neighbours.",
    },
    "zh": {
        "title": "请求来来去去，直到空着 12 个槽位，G 却找不到连续的 8 个",
        "heading": "请求来来去去，每个一来就说好总共有多少个 token",
        "asks": "{} 要 {}",
        "ends": "{} 结束",
        "contiguous": "每个请求占一整段，放进第一个够大的空隙",
        "paged": "分页：每块 2 个槽位，空闲的就行",
        "state": "空闲 {free}，最大的空隙 {largest}",
        "free": "空闲 {free}",
        "refused": "{name} 要连续 {asked} 个。空闲的有 {free} 个，可最大的空隙只有 {largest} 个：{name} 只能等。",
        "accepted": "{name} 拿到 {table} 号块。相不相邻，没有人在意。",
    },
}


class Frame(NamedTuple):
    """Both memories after an event. Holes and pieces are (start, size) in slots; a refused request has no piece."""

    pieces: dict[str, tuple[int, int]]
    holes: list[tuple[int, int]]
    tables: dict[str, list[int]]
    num_free: int
    num_free_paged: int

    def largest(self) -> int:
        """Slots of the largest hole."""
        return max((size for _, size in self.holes), default=0)


def run() -> list[Frame]:
    """What both allocators do with EVENTS, frame by frame."""
    contiguous, pool = ContiguousMemory(NUM_SLOTS), BlockPool(NUM_SLOTS // BLOCK_SIZE)
    pieces, tables, frames = {}, {}, []
    for name, tokens in EVENTS:
        if tokens:
            start, tables[name] = contiguous.allocate(tokens), pool.allocate(-(-tokens // BLOCK_SIZE))
            if start is not None:
                pieces[name] = (start, tokens)
        else:
            contiguous.free(pieces.pop(name)[0])
            pool.free(tables.pop(name))
        num_free = contiguous.num_free(), pool.num_free() * BLOCK_SIZE
        frames.append(Frame(dict(pieces), contiguous.holes(), dict(tables), *num_free))
    return frames


class Film:
    """Groups that are seen from one second to another, and the style sheet that makes them so."""

    def __init__(self, svg: ET.Element):
        self.svg, self.style = svg, ET.SubElement(svg, "style")
        self.rules: dict[str, str] = {}

    def shown(self, start: float, end: float = LOOP) -> ET.Element:
        """A group that fades in at `start` and has gone by `end`; drawn without motion only if it stays to the end."""
        end = min(end, LOOP - 2 * FADE)
        name = f"from{start * 10:.0f}to{end * 10:.0f}"
        times = [f"0%,{percent(start)}{{opacity:0}}", f"{percent(start + FADE)},{percent(end - FADE)}{{opacity:1}}"]
        self.rules[name] = f"{''.join(times)}{percent(end)},100%{{opacity:0}}"
        stays = end == LOOP - 2 * FADE
        return ET.SubElement(self.svg, "g", {"class": name, "opacity": "1" if stays else "0"})

    def moved(self, parent: ET.Element, places: Iterable[tuple[float, float]]) -> ET.Element:
        """A group that is moved right to each of the places, (second, x); without motion it is at the last of them."""
        steps, before = [], None
        for second, x in places:
            if before is not None:
                steps.append(f"{percent(second - 2 * FADE)}{{transform:translateX({before}px)}}")
            steps.append(f"{percent(second)}{{transform:translateX({x}px)}}")
            before = x
        self.rules["moved"] = "".join(steps) + f"100%{{transform:translateX({before}px)}}"
        return ET.SubElement(parent, "g", {"class": "moved", "transform": f"translate({before} 0)"})

    def finish(self) -> str:
        """The file's text, with every rule for those who have nothing against motion."""
        rules = "".join(
            f".{name}{{animation:{name} {LOOP:g}s ease-in-out infinite}}@keyframes {name}{{{steps}}}"
            for name, steps in self.rules.items()
        )
        self.style.text = f"@media (prefers-reduced-motion:no-preference){{{rules}}}"
        return written(self.svg)


def percent(second: float) -> str:
    return f"{100 * second / LOOP:.2f}%"


def fragmentation(words: dict) -> str:
    """The animation in one language."""
    svg, frames = card(WIDTH, HEIGHT, words["title"]), run()
    film, times = Film(svg), [0.8 + STEP * i for i in range(len(frames))] + [LOOP]
    text(svg, LEFT, 36, words["heading"], size=17, weight="600")
    for i, (name, tokens) in enumerate(EVENTS):
        box(svg, LEFT + CHIP * i, 50, CHIP - 5, 28, "#ffffff", LINE, radius=6)
        box(film.shown(times[i], times[i + 1]), LEFT + CHIP * i, 50, CHIP - 5, 28, HIGHLIGHT, INK, radius=6)
        label = words["asks" if tokens else "ends"].format(name, tokens)
        text(svg, LEFT + CHIP * (i + 0.5) - 2.5, 69, label, size=15, anchor="middle")
    in_one_piece(film, frames, times, words)
    in_blocks(film, frames, times, words)
    return film.finish()


def in_one_piece(film: Film, frames: list[Frame], times: list[float], words: dict) -> None:
    """The upper half: pieces, the holes between them, and the last request, which fits into none."""
    text(film.svg, LEFT, 120, words["contiguous"], size=17, weight="600")
    empty(film.svg, PIECES)
    for name, first, last in lives([frame.pieces for frame in frames]):
        bar(film.shown(times[first], times[last + 1]), *frames[first].pieces[name], PIECES, name, RUNNING)
    for frame, (start, end) in zip(frames, pairwise(times), strict=True):
        group = film.shown(start, end)
        state = words["state"].format(free=frame.num_free, largest=frame.largest())
        text(group, WIDTH - LEFT, 120, state, size=15, fill=MUTED, anchor="end")
        for hole, size in frame.holes:
            bracket(group, hole, size, PIECES + 30, str(size))
    end, looks = frames[-1], times[-2] + 0.4
    look(film, end, looks)
    refused = words["refused"].format(name=LAST, asked=ASKED, free=end.num_free, largest=end.largest())
    text(film.shown(looks + LOOK * len(end.holes)), LEFT, 236, refused, size=15, fill=ALARM)


def look(film: Film, frame: Frame, start: float) -> None:
    """The refused request above one hole after the other: lines down from its ends show where it sticks out."""
    starts = [min(hole, NUM_SLOTS - ASKED) for hole, _ in frame.holes]
    places = [(start + LOOK * i, SLOT * slot) for i, slot in enumerate(starts)]
    request = film.moved(film.shown(start), places)
    box(request, LEFT + 1, PIECES - 26, SLOT * ASKED - 2, 20, "#fbe3e0", ALARM, radius=4)
    text(request, LEFT + SLOT * ASKED / 2, PIECES - 11, f"{LAST} · {ASKED}", 14, ALARM, "600", "middle")
    for end in (1, SLOT * ASKED - 1):
        path(request, f"M{LEFT + end} {PIECES - 6}v30", ALARM, 1.5)


def in_blocks(film: Film, frames: list[Frame], times: list[float], words: dict) -> None:
    """The lower half: the same requests in blocks, where the last one gets what it asks for."""
    text(film.svg, LEFT, 284, words["paged"], size=17, weight="600")
    empty(film.svg, BLOCKS)
    for block in range(NUM_SLOTS // BLOCK_SIZE):
        bracket(film.svg, BLOCK_SIZE * block, BLOCK_SIZE, BLOCKS + 30, str(block))
    for name, first, last in lives([frame.tables for frame in frames]):
        request(film.shown(times[first], times[last + 1]), name, frames[first].tables[name])
    for frame, (start, end) in zip(frames, pairwise(times), strict=True):
        free = words["free"].format(free=frame.num_free_paged)
        text(film.shown(start, end), WIDTH - LEFT, 284, free, size=15, fill=MUTED, anchor="end")
    accepted = words["accepted"].format(name=LAST, table=", ".join(map(str, frames[-1].tables[LAST])))
    text(film.shown(times[-2] + 0.6), LEFT, 368, accepted, size=15, fill=ACCEPTED)


def request(group: ET.Element, name: str, table: list[int]) -> None:
    """A request's blocks; the slots of the last one that it does not fill are marked as its tail."""
    fill, left = ACCEPTED if name == LAST else RUNNING, SIZES[name]
    for block in table:
        filled = min(left, BLOCK_SIZE)
        bar(group, BLOCK_SIZE * block, filled, BLOCKS, name, fill)
        for slot in range(filled, BLOCK_SIZE):
            bar(group, BLOCK_SIZE * block + slot, 1, BLOCKS, "○", TAIL)
        left -= filled


def lives(memories: list[dict]) -> list[tuple[str, int, int]]:
    """(request, first and last frame in which it is in memory)."""
    there = {name: [i for i, memory in enumerate(memories) if name in memory] for name in SIZES}
    return [(name, found[0], found[-1]) for name, found in there.items() if found]


def empty(svg: ET.Element, y: int) -> None:
    for slot in range(NUM_SLOTS):
        box(svg, LEFT + SLOT * slot + 1, y, SLOT - 2, 20, "#ffffff", LINE, radius=3)


def bar(parent: ET.Element, start: int, size: int, y: int, label: str, fill: str) -> None:
    """`size` slots from `start` as one piece."""
    x = LEFT + SLOT * start
    box(parent, x + 1, y, SLOT * size - 2, 20, fill, fill, radius=3)
    text(parent, x + SLOT * size / 2, y + 15, label, size=13, fill="#ffffff", weight="600", anchor="middle")


def bracket(parent: ET.Element, start: int, size: int, y: int, label: str) -> None:
    """A line under `size` slots from `start`, and what it says."""
    x = LEFT + SLOT * start
    path(parent, f"M{x + 2} {y - 5}v4h{SLOT * size - 4}v-4")
    text(parent, x + SLOT * size / 2, y + 15, label, size=14, fill=MUTED, anchor="middle")
