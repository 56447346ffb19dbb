"""Chapter 3's figures: how a layer's K is indexed, what a step hands to attention, and a block in three memory layouts.

The batch is the handbook's: contexts of 37, 5 and 20 tokens of which 1, 5 and 8 are new, in blocks of 4.
"""

from itertools import accumulate
from xml.etree import ElementTree as ET

from svg import LINE, MUTED, box, card, path, text, written

WIDTH, LEFT, RIGHT, START = 720, 24, 696, 118
COLOURS = ["#0072b2", "#a0450b", "#00755a"]  # one for each request
FREE, CONTEXT, NUMBER = "#ffffff", "#e4e8ec", "#8b98a4"
# The tensor: 8 blocks of 4 slots, 2 KV heads of 8 numbers. Followed: block 5, offset 1, head 0, number 2.
SHAPE, INDEX = (8, 4, 2, 8), (5, 1, 0, 2)
BLOCK_SIZE, SEQ_LENS, NUM_NEW = 4, [37, 5, 20], [1, 5, 8]
TABLES = [[0, 3, 6, 8, 10, 12, 13, 14, 15, 16], [1, 4], [2, 5, 7, 9, 11]]
TOKEN, HEAD = 1, 0  # followed through the layouts

TEXT = {
    "en": {
        "tensor_title": "One number of K: block, offset, KV head, and place in the head",
        "tensor": "K of one layer, shape [8, 4, 2, 8]",
        "axes": ["block", "offset", "KV head", "number"],
        "slot": "slot {}",
        "head": "head {}",
        "tensor_note": "Block 5, offset 1 is slot 5 · 4 + 1 = 21. Both ways of counting reach the same number.",
        "inputs_title": "The three inputs that tell attention whose tokens are where",
        "inputs": "One step of three requests: 14 new tokens, blocks of 4",
        "request": "request {}",
        "stages": ["decode", "whole prompt", "prompt chunk"],
        "table": "block table",
        "inputs_note": "New tokens come last in their context. The number in each is its row of q.",
        "layouts_title": "The K of one block in memory, in three layouts",
        "layouts": "One block, from left to right as it lies in memory",
        "rows": [("NHD", "LBNHC"), ("HND", "LBHNC"), ("HND, K‖V", "vLLM 0.30")],
        "cell": "t{} h{}",
        "layouts_note": "4 tokens, 2 KV heads. In blue: all of token 1. Underlined: all of head 0.",
    },
    "zh": {
        "tensor_title": "K 里的一个数：块、块内偏移、KV 头、头内的位置",
        "tensor": "一层的 K，形状 [8, 4, 2, 8]",
        "axes": ["块", "块内偏移", "KV 头", "第几个数"],
        "slot": "槽位 {}",
        "head": "头 {}",
        "tensor_note": "块 5 里偏移 1，就是槽位 5 · 4 + 1 = 21。两种数法，找到的是同一个数。",
        "inputs_title": "三个输入，说明谁的 token 在哪里",
        "inputs": "三个请求的一步：14 个新 token，每块 4 个槽位",
        "request": "请求 {}",
        "stages": ["解码", "整段提示词", "一段提示词"],
        "table": "块表",
        "inputs_note": "新 token 在上下文的最后，格子里写的是它在 q 里的行号。",
        "layouts_title": "一个块的 K 在内存里的三种布局",
        "layouts": "一个块，从左到右就是在内存里的次序",
        "rows": [("NHD", "LBNHC"), ("HND", "LBHNC"), ("HND，K‖V", "vLLM 0.30")],
        "cell": "t{} h{}",
        "layouts_note": "4 个 token（t），2 个 KV 头（h）。蓝色是 token 1 的全部，下划线是头 0 的全部。",
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    figures = {"03-tensor": tensor, "03-inputs": inputs, "03-layouts": layouts}
    return {f"{name}.{lang}.svg": figure(words) for name, figure in figures.items() for lang, words in TEXT.items()}


def tensor(words: dict) -> str:
    """Block 5 opens into its slots, slot 21 into its heads, and head 0 into its numbers."""
    svg = card(WIDTH, 396, words["tensor_title"])
    text(svg, LEFT, 36, words["tensor"], size=17, weight="600")
    slots = [words["slot"].format(INDEX[0] * SHAPE[1] + offset) for offset in range(SHAPE[1])]
    heads = [words["head"].format(head) for head in range(SHAPE[2])]
    rows = [[str(block) for block in range(SHAPE[0])], slots, heads, [str(number) for number in range(SHAPE[3])]]
    for axis, labels in enumerate(rows):
        y, width = 56 + 70 * axis, (RIGHT - START) / len(labels)
        text(svg, LEFT, y + 24, words["axes"][axis], size=14, fill=MUTED)
        for place, label in enumerate(labels):
            chosen = place == INDEX[axis]
            box(svg, START + width * place, y, width - 4, 36, COLOURS[0] if chosen else FREE, NUMBER, radius=4)
            ink = "#ffffff" if chosen else MUTED
            text(svg, START + width * (place + 0.5) - 2, y + 24, label, 15, ink, "600" if chosen else "400", "middle")
        if axis < 3:
            left = START + width * INDEX[axis]
            path(svg, f"M{left} {y + 39}L{START} {y + 67}M{left + width - 4} {y + 39}L{RIGHT - 4} {y + 67}", COLOURS[0])
    block, offset, head, number = INDEX
    slot = block * SHAPE[1] + offset
    shape = f"{SHAPE[0] * SHAPE[1]}, {SHAPE[2]}, {SHAPE[3]}"
    code = f"k[{block}, {offset}, {head}, {number}]  =  k.view({shape})[{slot}, {head}, {number}]"
    text(svg, LEFT, 338, code, size=16, weight="600")
    text(svg, LEFT, 366, words["tensor_note"], size=15)
    return written(svg)


def inputs(words: dict) -> str:
    """q as one flat strip, then each request's context with its blocks; new tokens in the request's colour."""
    svg = card(WIDTH, 424, words["inputs_title"])
    text(svg, LEFT, 36, words["inputs"], size=17, weight="600")
    starts = list(accumulate(NUM_NEW, initial=0))
    text(svg, LEFT, 96, "q", size=16, weight="600")
    for i, colour in enumerate(COLOURS):
        for row in range(starts[i], starts[i + 1]):
            token(svg, START + 30 * row, 76, 30, str(row), colour)
    for start in starts:
        path(svg, f"M{START + 30 * start} 68v38", "#22303c", 2)
        text(svg, START + 30 * start, 124, str(start), size=14, weight="600", anchor="middle")
    text(svg, START + 30 * starts[-1] + 16, 124, "query_start_loc", size=14, weight="600")
    for i, (seq_len, table) in enumerate(zip(SEQ_LENS, TABLES, strict=True)):
        y, first_new = 160 + 76 * i, SEQ_LENS[i] - NUM_NEW[i]
        text(svg, LEFT, y + 12, words["request"].format(i), size=15, weight="600")
        text(svg, LEFT, y + 28, words["stages"][i], size=12, fill=MUTED)
        text(svg, LEFT, y + 47, words["table"], size=12, fill=MUTED)
        for position in range(len(table) * BLOCK_SIZE):
            row = starts[i] + position - first_new if first_new <= position < seq_len else None
            fill = FREE if position >= seq_len else CONTEXT if row is None else COLOURS[i]
            token(svg, START + 14 * position, y, 14, "" if row is None else str(row), fill)
        for entry, block in enumerate(table):
            x = START + 14 * BLOCK_SIZE * entry
            path(svg, f"M{x + 2} {y + 27}v4h{14 * BLOCK_SIZE - 4}v-4")
            text(svg, x + 7 * BLOCK_SIZE, y + 47, str(block), size=14, weight="600", anchor="middle")
        # The bar of the longest context leaves no room beside it.
        x, label_y, anchor = (RIGHT, y - 9, "end") if i == 0 else (START + 56 * len(table) + 12, y + 16, "start")
        text(svg, x, label_y, f"seq_lens[{i}] = {seq_len}", size=14, weight="600", anchor=anchor)
    text(svg, LEFT, 402, words["inputs_note"], size=15)
    return written(svg)


def token(svg: ET.Element, x: float, y: float, width: float, label: str, fill: str) -> None:
    """A token's box with a label on it."""
    box(svg, x + 1, y, width - 2, 22, fill, LINE if fill == FREE else fill, radius=3)
    text(svg, x + width / 2, y + 16, label, 15 if width > 20 else 10.5, "#ffffff", "600", "middle")


def memory(row: int) -> list[tuple[int, int, str]]:
    """(token, head, part) of each piece of a block in the layout of this row, in the order of memory."""
    tokens, heads = range(SHAPE[1]), range(SHAPE[2])
    if row == 0:
        return [(t, h, "K") for t in tokens for h in heads]
    return [(t, h, part) for h in heads for t in tokens for part in ("K" if row == 1 else "KV")]


def layouts(words: dict) -> str:
    """The same block three times: what lies together in one layout is scattered in another."""
    svg = card(WIDTH, 292, words["layouts_title"])
    text(svg, LEFT, 36, words["layouts"], size=17, weight="600")
    for row, (name, order) in enumerate(words["rows"]):
        y, pieces = 56 + 66 * row, memory(row)
        width = (RIGHT - START) / len(pieces)
        text(svg, LEFT, y + 15, name, size=15, weight="600")
        text(svg, LEFT, y + 35, order, size=13, fill=MUTED)
        for place, (t, h, part) in enumerate(pieces):
            x, chosen = START + width * place, t == TOKEN
            ink = "#ffffff" if chosen else MUTED
            box(svg, x, y, width - 3, 34, COLOURS[0] if chosen else FREE, COLOURS[0] if chosen else NUMBER, radius=4)
            label = words["cell"].format(t, h)
            if row == 2:
                text(svg, x + width / 2 - 1.5, y + 15, part, 12, ink, "600", "middle")
                text(svg, x + width / 2 - 1.5, y + 28, label, 10, ink, anchor="middle")
            else:
                text(svg, x + width / 2 - 1.5, y + 22, label, 14, ink, "600" if chosen else "400", "middle")
            if h == HEAD:
                joined = place + 1 < len(pieces) and pieces[place + 1][1] == HEAD
                path(svg, f"M{x} {y + 41}h{width if joined else width - 3}", COLOURS[1], 3)
    text(svg, LEFT, 270, words["layouts_note"], size=15)
    return written(svg)
