"""Chapter 5's figures: three answers to one prompt before and after their first token, and a beam search on blocks.

Both are the runs of the chapter's cells; a prompt of 6 tokens in blocks of 4.
"""

from xml.etree import ElementTree as ET

from svg import ALARM, INK, LINE, MUTED, box, card, path, text, written

WIDTH, LEFT, BLOCK_SIZE, PROMPT = 720, 24, 4, 6
PROMPT_COLOUR, FREE = "#0072b2", "#ffffff"
COLOURS = {"a": "#a0450b", "b": "#00755a", "c": "#7d4694"}
# Three answers: the tables and owners after the forks, and after each has appended a token.
FORKED = ({"a": [0, 1], "b": [0, 1], "c": [0, 1]}, [3, 3, 0, 0])
APPENDED = ({"a": [0, 2], "b": [0, 3], "c": [0, 1]}, [3, 1, 1, 1])
COPIES = [(1, 2), (1, 3)]
# A beam search: of each step the parents, then the tables, the copies and the blocks in use after it.
SEARCH = [
    (None, [[0, 1], [0, 1], [0, 1]], [], 2),
    ([0, 1, 2], [[0, 2], [0, 3], [0, 1]], [(1, 2), (1, 3)], 4),
    ([1, 1, 0], [[0, 4], [0, 3], [0, 2]], [(3, 4)], 4),
    ([0, 0, 2], [[0, 4, 5], [0, 4, 6], [0, 2, 7]], [], 6),
    ([2, 0, 0], [[0, 2, 7], [0, 4, 1], [0, 4, 5]], [(5, 1)], 6),
]

TEXT = {
    "en": {
        "fork_title": "Three answers to one prompt, after the forks and after one token each",
        "forked": "After two forks: six tokens, stored once",
        "appended": "Then each appends a token: two copies, not three",
        "block": "block {}",
        "owners": ["free", "1 owner", "2 owners", "3 owners"],
        "copy": "copy",
        "note": "The last one is alone in block 1 by then and writes in place.",
        "beams_title": "Four steps of a beam search of width 3, with the block tables of the beams",
        "beams": "Four steps of a beam search, width 3",
        "start": "forks",
        "step": "step {}",
        "rows": ["blocks in use", "without sharing", "copies"],
        "none": "none",
    },
    "zh": {
        "fork_title": "同一个提示词的三个回答：fork 之后，以及各写一个 token 之后",
        "forked": "fork 两次之后：六个 token，只存一份",
        "appended": "然后各写一个 token：复制两次，不是三次",
        "block": "块 {}",
        "owners": ["空闲", "1 个所有者", "2 个所有者", "3 个所有者"],
        "copy": "复制",
        "note": "轮到最后一个时，块 1 已归它独有，直接写。",
        "beams_title": "宽度为 3 的束搜索走四步，以及各条束的块表",
        "beams": "束搜索走四步，宽度 3",
        "start": "fork",
        "step": "第 {} 步",
        "rows": ["占用的块", "不共享时", "复制"],
        "none": "无",
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    figures = {"05-fork": fork, "05-beams": beams}
    return {f"{name}.{lang}.svg": figure(words) for name, figure in figures.items() for lang, words in TEXT.items()}


def contents(tables: dict[str, list[int]]) -> list[list[str]]:
    """What each of four blocks holds after the step's writes: positions of the prompt, then whose token it is."""
    slots = [[""] * BLOCK_SIZE for _ in range(4)]
    for name, table in tables.items():
        for position in range(PROMPT):
            slots[table[position // BLOCK_SIZE]][position % BLOCK_SIZE] = str(position)
        if tables is APPENDED[0]:
            slots[table[PROMPT // BLOCK_SIZE]][PROMPT % BLOCK_SIZE] = f"{name}6"
    return slots


def fork(words: dict) -> str:
    """Tables on the left, four blocks on the right; above as the forks leave them, below after the first tokens."""
    svg = card(WIDTH, 408, words["fork_title"])
    for top, state, title in ((12, FORKED, "forked"), (170, APPENDED, "appended")):
        text(svg, LEFT, top + 24, words[title], size=17, weight="600")
        for row, (name, table) in enumerate(state[0].items()):
            y = top + 44 + 29 * row
            text(svg, LEFT, y + 18, name, 16, COLOURS[name], "600")
            for entry, block in enumerate(table):
                own = state[1][block] == 1
                x = LEFT + 24 + 36 * entry
                box(svg, x, y, 32, 25, FREE, COLOURS[name] if own else PROMPT_COLOUR, radius=4)
                text(svg, x + 16, y + 18, str(block), 15, INK, "600", "middle")
        for block, held in enumerate(contents(state[0])):
            memory_block(svg, block, top + 44, held, words["owners"][state[1][block]], words)
    for _, new in COPIES:
        start, end = (block_left(block) + 56 for block in (1, new))
        path(svg, f"M{start} 308C{start} 345 {end} 345 {end} 314m-5 7l5 -7l5 7", ALARM, 2)
    text(svg, block_left(2) - 8, 360, words["copy"], 14, ALARM, "600", "middle")
    text(svg, LEFT, 389, words["note"], size=15)
    return written(svg)


def block_left(block: int) -> float:
    return 176 + 132 * block


def memory_block(svg: ET.Element, block: int, y: float, held: list[str], owners: str, words: dict) -> None:
    """A block of four slots, its number above and the number of its owners below."""
    left = block_left(block)
    text(svg, left + 56, y + 8, words["block"].format(block), size=14, weight="600", anchor="middle")
    for offset, token in enumerate(held):
        fill = COLOURS.get(token[:1], PROMPT_COLOUR) if token else FREE
        box(svg, left + 28 * offset, y + 18, 27, 34, fill, fill if token else LINE, radius=3)
        text(svg, left + 28 * offset + 13.5, y + 40, token, 14, "#ffffff", "400", "middle")
    text(svg, left + 56, y + 72, owners, size=13, fill=MUTED, anchor="middle")


def beams(words: dict) -> str:
    """A column for each generation, its beams with their tables, a line from each beam to each of its children."""
    svg = card(WIDTH, 330, words["beams_title"])
    text(svg, LEFT, 36, words["beams"], size=17, weight="600")
    for step, (parents, tables, copies, in_use) in enumerate(SEARCH):
        x = 128 + 118 * step
        heading = words["step"].format(step) if step else words["start"]
        text(svg, x + 48, 66, heading, size=14, fill=MUTED, anchor="middle")
        following = SEARCH[step + 1][0] if step + 1 < len(SEARCH) else range(len(tables))
        for row, table in enumerate(tables):
            y = 80 + 46 * row
            if parents is not None:
                start = 80 + 46 * parents[row] + 15
                path(svg, f"M{x - 20} {start}C{x - 10} {start} {x - 12} {y + 15} {x - 1} {y + 15}", PROMPT_COLOUR, 1.8)
            lives = row in following
            box(svg, x, y, 97, 30, FREE if lives else "#f0e9e6", PROMPT_COLOUR if lives else LINE, radius=5)
            text(svg, x + 48, y + 20, ", ".join(map(str, table)), 15, INK if lives else MUTED, "600", "middle")
            if not lives:
                path(svg, f"M{x + 8} {y + 4}l81 22", ALARM, 2)
        alone = sum(map(len, tables))
        pairs = ", ".join(f"{old}→{new}" for old, new in copies) or words["none"]
        for row, value in enumerate((str(in_use), str(alone), pairs)):
            text(svg, x + 48, 248 + 28 * row, value, 15, INK, "600" if row == 0 else "400", "middle")
    for row, label in enumerate(words["rows"]):
        text(svg, LEFT, 248 + 28 * row, label, size=14, fill=MUTED)
    return written(svg)
