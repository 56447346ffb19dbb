"""Chapter 8's figures: heads that read alone or together, one long context on one program or on four, and an animation.

The first two count what a kernel with 8 query heads on 2 KV heads does; online_softmax.py draws the animation.
"""

from xml.etree import ElementTree as ET

import online_softmax
from svg import INK, LINE, MUTED, box, card, path, text, written

WIDTH, LEFT = 720, 24
KEPT, HEAD, IDLE, MERGE = "#0072b2", "#d5dbe1", "#ffffff", "#d55e00"
WALKS = (KEPT, "#00755a")  # of the KV heads

NUM_HEADS, NUM_KV_HEADS = 8, 2
TABLE = (5, 6, 7, 0)
GROUP = NUM_HEADS // NUM_KV_HEADS

# One request of 16 tiles, 2 KV heads, on a GPU of 8 processors; a merge takes half the time of a tile.
TILES, PROCESSORS, SPLITS, MERGING = 16, 8, 4, 0.5

TEXT = {
    "en": {
        "packing_title": "Four query heads that share a KV head read it four times, or once together",
        "alone": "A program per query head",
        "together": "A program per KV head",
        "head": "head {}",
        "memory": "K and V of KV head 0, in blocks",
        "block": "block {}",
        "read": "read {}.00×",
        "split_title": "One long context: two programs walk it while six processors idle, or eight share it and merge",
        "whole": "One program per KV head: {busy} of {all} processors work, for {time} tiles",
        "divided": "{splits} programs per KV head: all {all} work, for {time} tiles, then they merge",
        "processor": "processor {}",
        "legend": ["a tile of KV head 0", "a tile of KV head 1", "merging", "idle"],
    },
    "zh": {
        "packing_title": "共用一个 KV 头的四个 query 头：各读各的要读四遍，一起读只要一遍",
        "alone": "每个 query 头一个 program",
        "together": "每个 KV 头一个 program",
        "head": "头 {}",
        "memory": "KV 头 0 的 K 和 V，按块存放",
        "block": "块 {}",
        "read": "读 {}.00 遍",
        "split_title": "一个很长的上下文：两个 program 走完、六个处理器闲着，或者八个分头走再合并",
        "whole": "每个 KV 头一个 program：{all} 个处理器只有 {busy} 个在干活，走 {time} 个分片",
        "divided": "每个 KV 头 {splits} 个 program：{all} 个全在干活，各走 {time} 个分片，最后合并",
        "processor": "处理器 {}",
        "legend": ["KV 头 0 的分片", "KV 头 1 的分片", "合并", "空闲"],
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    figures = {"08-packing": packing, "08-split": split}
    drawn = {f"{name}.{lang}.svg": figure(words) for name, figure in figures.items() for lang, words in TEXT.items()}
    return drawn | {f"08-walk.{lang}.svg": online_softmax.walk(words) for lang, words in online_softmax.TEXT.items()}


def packing(words: dict) -> str:
    """Left, a program per query head, each with lines of its own to all blocks; right, one program for the group."""
    svg = card(WIDTH, 300, words["packing_title"])
    for x, name, programs in ((LEFT, "alone", GROUP), (LEFT + 352, "together", 1)):
        text(svg, x, 36, words[name], size=17, weight="600")
        for program in range(programs):
            lines(svg, x, program, GROUP // programs)
        for head in range(GROUP):
            left = x + 82 * head
            box(svg, left, 56, 74, 30, HEAD, HEAD, radius=5)
            text(svg, left + 37, 76, words["head"].format(head), size=15, anchor="middle")
        if programs == 1:
            box(svg, x - 5, 51, 82 * GROUP + 2, 40, "none", INK, radius=8)
        for i, block in enumerate(TABLE):
            box(svg, x + 82 * i, 196, 74, 34, KEPT, KEPT, radius=4)
            text(svg, x + 82 * i + 37, 218, words["block"].format(block), 15, "#ffffff", "600", "middle")
        text(svg, x, 254, words["memory"], size=14, fill=MUTED)
        text(svg, x, 280, words["read"].format(programs), size=17, weight="600")
    return written(svg)


def lines(svg: ET.Element, x: float, program: int, heads: int) -> None:
    """From a program of so many heads to each block, one line per read."""
    middle = x + 82 * (program * heads + (heads - 1) / 2) + 37
    top = 86 if heads == 1 else 91
    for i in range(len(TABLE)):
        path(svg, f"M{middle} {top}L{x + 82 * i + 37} 194", KEPT, 1.5)


def split(words: dict) -> str:
    """Two charts of who works when: one program per walk, and each walk divided."""
    svg = card(WIDTH, 462, words["split_title"])
    numbers = {"all": PROCESSORS, "busy": NUM_KV_HEADS, "splits": SPLITS}
    text(svg, LEFT, 36, words["whole"].format(**numbers, time=TILES), size=16, weight="600")
    chart(svg, 50, 1, words)
    text(svg, LEFT, 242, words["divided"].format(**numbers, time=TILES // SPLITS), size=16, weight="600")
    chart(svg, 256, SPLITS, words)
    x = LEFT
    for fill, label in zip((*WALKS, MERGE, IDLE), words["legend"], strict=True):
        box(svg, x, 432, 16, 14, fill, LINE if fill == IDLE else fill, radius=3)
        text(svg, x + 23, 444, label, size=14)
        x += 150
    return written(svg)


def busy(splits: int) -> list[tuple[int, int, float]]:
    """(processor, KV head, tiles of time until it is done) when each walk is divided among so many programs."""
    return [(head * splits + part, head, TILES / splits) for head in range(NUM_KV_HEADS) for part in range(splits)]


def chart(svg: ET.Element, top: int, splits: int, words: dict) -> None:
    """A row per processor, time from left to right."""
    start, tile, row = LEFT + 104, 35, 21
    for processor in range(PROCESSORS):
        y = top + row * processor
        text(svg, LEFT, y + 14, words["processor"].format(processor), size=13, fill=MUTED)
        box(svg, start, y + 1, tile * TILES, row - 3, IDLE, LINE, radius=2)
    for processor, head, end in busy(splits):
        y = top + row * processor
        for at in range(int(end)):
            box(svg, start + tile * at + 1, y + 1, tile - 2, row - 3, WALKS[head], WALKS[head], radius=2)
    if splits > 1:
        for head in range(NUM_KV_HEADS):
            y = top + row * splits * head
            x = start + tile * TILES / splits + 1
            box(svg, x, y + 1, tile * MERGING, row - 3, MERGE, MERGE, radius=2)
