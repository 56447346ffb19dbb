"""Chapter 2's figures: a block table between a request and memory, a batch that is written, and two kinds of maps.

Requests B and C are those of the handbook's transcript; C has 14 tokens in blocks [5, 6, 7, 0] of 4 slots.
"""

from xml.etree import ElementTree as ET

from svg import ALARM, INK, LINE, MUTED, box, card, path, text, written

WIDTH, LEFT, SLOT, BLOCK_SIZE, NUM_BLOCKS = 720, 24, 21, 4, 8
TABLES = {"C": [5, 6, 7, 0], "B": [3, 4]}
NUM_TOKENS = {"C": 14, "B": 5}
LOGICAL = ["#0072b2", "#a0450b", "#00755a", "#7d4694"]  # one colour for each logical block of C
OTHER, FREE, PADDING = "#e4e8ec", "#ffffff", "#fbe6bd"
# The step of the batch: (request, positions of its new tokens), then as many entries of padding.
STEP, PADDED = [("C", [13]), ("B", [2, 3, 4])], 2
# Two requests that begin with the same 6 tokens: as blocks of 4, and as one slot per token.
SHARED_TOKENS = 6
SHARED_BLOCKS = {"A": [5, 6, 7, 1], "B": [5, 2, 3]}
SHARED_SLOTS = {"A": [*range(20, 32), 4, 5], "B": [*range(20, 26), 8, 9, 10]}

TEXT = {
    "en": {
        "map_title": "A block table leads from positions to slots",
        "request": "Request C: 14 tokens, in memory of 8 blocks with 4 slots each",
        "position": "position",
        "table": "block table",
        "entry": "entry {}",
        "slots": "slots {}–{}",
        "map_note": "Position 9 = 2 · 4 + 1: entry 2 says block 7, and offset 1 there is slot 7 · 4 + 1 = 29.",
        "batch_title": "The new tokens of two requests, laid end to end and padded to 6",
        "step": "One step: 4 new tokens, 2 entries of padding",
        "rows": ["request", "position", "slot"],
        "padding": "padding",
        "starts": "query_start_loc = [0, 1, 4]",
        "batch_note": "Padding with 0 would overwrite C12. Padding with −1 and no check would overwrite C11.",
        "two_title": "Two requests that begin with the same 6 tokens, as block tables and as token maps",
        "blocks": "Block table, block size 4: one entry per block",
        "tokens": "Token map: one entry per token, and each entry is a slot",
        "blocks_note": "Shared: one whole block, 4 tokens. B keeps its own copy of tokens 4 and 5 in block 2.",
        "tokens_note": "Shared: all 6 tokens. No division, but 14 entries for A and not 4.",
    },
    "zh": {
        "map_title": "块表把位置变成槽位",
        "request": "请求 C：14 个 token，存在 8 个块、每块 4 个槽位的显存里",
        "position": "位置",
        "table": "块表",
        "entry": "第 {} 项",
        "slots": "槽位 {}–{}",
        "map_note": "位置 9 = 2 · 4 + 1：第 2 项是块 7，块内偏移 1，槽位就是 7 · 4 + 1 = 29。",
        "batch_title": "两个请求的新 token 首尾相接，补到 6 项",
        "step": "一步：4 个新 token，加 2 项填充",
        "rows": ["请求", "位置", "槽位"],
        "padding": "填充",
        "starts": "query_start_loc = [0, 1, 4]",
        "batch_note": "填充用 0，会盖掉 C12；填充用 −1 又不检查，会盖掉 C11。",
        "two_title": "开头 6 个 token 相同的两个请求：块表和 token 映射表",
        "blocks": "块表，块大小 4：每块一项",
        "tokens": "token 映射表：每个 token 一项，直接就是槽位",
        "blocks_note": "共用：整整一块，4 个 token。第 4、5 个 token，B 在块 2 里另存一份。",
        "tokens_note": "共用：全部 6 个 token。不用做除法，但 A 要 14 项，而不是 4 项。",
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    figures = {"02-block-table": block_table, "02-batch": batch, "02-token-map": token_map}
    return {f"{name}.{lang}.svg": figure(words) for name, figure in figures.items() for lang, words in TEXT.items()}


def memory() -> list[tuple[str, int] | None]:
    """What each of the 32 slots holds: (request, position), or None."""
    slots: list[tuple[str, int] | None] = [None] * (NUM_BLOCKS * BLOCK_SIZE)
    for name, count in NUM_TOKENS.items():
        for position in range(count):
            slots[slot_of(name, position)] = (name, position)
    return slots


def slot_of(name: str, position: int) -> int:
    return TABLES[name][position // BLOCK_SIZE] * BLOCK_SIZE + position % BLOCK_SIZE


def block_table(words: dict) -> str:
    """Positions above, the block table in the middle, memory below; position 9 is followed through all three."""
    svg = card(WIDTH, 360, words["map_title"])
    text(svg, LEFT, 36, words["request"], size=17, weight="600")
    text(svg, LEFT, 68, words["position"], size=14, fill=MUTED)
    text(svg, LEFT, 117, words["table"], size=14, fill=MUTED)
    # From entry 3 on the far right the way to block 0 on the far left crosses the other three.
    starts = [LEFT + 110 + 150 * entry for entry in range(4)]
    for position in range(NUM_TOKENS["C"]):
        entry, offset = divmod(position, BLOCK_SIZE)
        cell(svg, starts[entry] + SLOT * offset, 52, str(position), LOGICAL[entry], "#ffffff")
    ring(svg, starts[2] + SLOT, 52)
    for entry, block in enumerate(TABLES["C"]):
        middle, end = starts[entry] + 2 * SLOT, LEFT + SLOT * BLOCK_SIZE * (block + 0.5)
        path(svg, f"M{middle} 76V94M{middle} 130C{middle} 185 {end} 165 {end} 220", LOGICAL[entry], 2)
        box(svg, middle - 18, 95, 36, 34, FREE, LOGICAL[entry], radius=5)
        text(svg, middle, 119, str(block), size=19, weight="600", anchor="middle")
        text(svg, middle + 26, 117, words["entry"].format(entry), size=13, fill=MUTED)
    strip(svg, 224, [slot_of("C", 9)])
    for block in range(NUM_BLOCKS):
        label = words["slots"].format(block * BLOCK_SIZE, block * BLOCK_SIZE + BLOCK_SIZE - 1)
        text(svg, LEFT + SLOT * BLOCK_SIZE * (block + 0.5), 287, label, size=11.5, fill=MUTED, anchor="middle")
    text(svg, LEFT, 333, words["map_note"], size=15)
    return written(svg)


def batch(words: dict) -> str:
    """The six entries of a step, and where in memory each one is written."""
    svg = card(WIDTH, 316, words["batch_title"])
    text(svg, LEFT, 36, words["step"], size=17, weight="600")
    text(svg, WIDTH - LEFT, 36, words["starts"], size=14, fill=MUTED, anchor="end")
    for row, label in enumerate(words["rows"]):
        text(svg, LEFT, 71 + 29 * row, label, size=14, fill=MUTED)
    tokens = [(name, position) for name, positions in STEP for position in positions]
    for column, (name, position) in enumerate(tokens):
        fill, ink = (LOGICAL[0], "#ffffff") if name == "C" else (OTHER, INK)
        slot = slot_of(name, position)
        middle, end = (
            entry_of_step(svg, column, [name, str(position), str(slot)], fill, ink),
            LEFT + SLOT * (slot + 0.5),
        )
        path(svg, f"M{middle} 142C{middle} 180 {end} 165 {end} 203", width=1.5)
    for column in range(len(tokens), len(tokens) + PADDED):
        middle = entry_of_step(svg, column, [words["padding"], "–", "−1"], PADDING, "#7a5200")
        path(svg, f"M{middle} 142v14m-6 6l12 12m0 -12l-12 12", ALARM, 2)
    strip(svg, 207, [slot_of(name, position) for name, position in tokens], names=True)
    text(svg, LEFT, 289, words["batch_note"], size=15)
    return written(svg)


def entry_of_step(svg: ET.Element, column: int, contents: list[str], fill: str, ink: str) -> float:
    """One column of the step: request, position, slot. Returns the x of its middle."""
    x = LEFT + 94 + 80 * column
    for row, content in enumerate(contents):
        box(svg, x, 52 + 29 * row, 76, 27, fill, fill, radius=4)
        text(svg, x + 38, 71 + 29 * row, content, 15, ink, "600" if row == 2 else "400", "middle")
    return x + 38


def token_map(words: dict) -> str:
    """The same two requests twice; what they share is drawn in blue in both rows."""
    svg = card(WIDTH, 352, words["two_title"])
    text(svg, LEFT, 36, words["blocks"], size=17, weight="600")
    rows(svg, 50, SHARED_BLOCKS, BLOCK_SIZE, shared=SHARED_TOKENS // BLOCK_SIZE)
    text(svg, LEFT, 145, words["blocks_note"], size=15)
    text(svg, LEFT, 197, words["tokens"], size=17, weight="600")
    rows(svg, 211, SHARED_SLOTS, 1, shared=SHARED_TOKENS)
    for position in range(len(SHARED_SLOTS["A"])):
        text(svg, 75 + 40 * position, 295, str(position), size=12, fill=MUTED, anchor="middle")
    text(svg, WIDTH - LEFT, 295, words["position"], size=12, fill=MUTED, anchor="end")
    text(svg, LEFT, 325, words["tokens_note"], size=15)
    return written(svg)


def rows(svg: ET.Element, y: int, tables: dict[str, list[int]], tokens: int, shared: int) -> None:
    """One row per request, an entry as wide as the `tokens` it stands for; the first `shared` entries are blue."""
    for row, (name, entries) in enumerate(tables.items()):
        top = y + 35 * row
        text(svg, LEFT, top + 20, name, size=16, weight="600")
        for i, entry in enumerate(entries):
            x, width = 56 + 40 * tokens * i, 40 * tokens - 4
            fill, ink = (LOGICAL[0], "#ffffff") if i < shared else (FREE, INK)
            box(svg, x, top, width, 30, fill, LOGICAL[0] if i < shared else "#8b98a4", radius=4)
            text(svg, x + width / 2, top + 20, str(entry), 15, ink, "600", "middle")


def strip(svg: ET.Element, y: int, rings: list[int], names: bool = False) -> None:
    """All 32 slots and the number of each block: C's tokens in colour, B's in grey, a ring around those in `rings`."""
    for slot, held in enumerate(memory()):
        x, (name, position) = LEFT + SLOT * slot, held or ("", 0)
        fill = {"C": LOGICAL[0 if names else position // BLOCK_SIZE], "B": OTHER, "": FREE}[name]
        label = f"{name}{position}" if names and name else str(position) if name == "C" else name
        cell(svg, x, y, label, fill, "#ffffff" if name == "C" else INK)
    for slot in rings:
        ring(svg, LEFT + SLOT * slot, y)
    for block in range(NUM_BLOCKS):
        x = LEFT + SLOT * BLOCK_SIZE * block
        path(svg, f"M{x + 2} {y + 28}v4h{SLOT * BLOCK_SIZE - 4}v-4")
        text(svg, x + SLOT * BLOCK_SIZE / 2, y + 48, str(block), size=14, anchor="middle", weight="600")


def cell(svg: ET.Element, x: float, y: float, label: str, fill: str, ink: str) -> None:
    box(svg, x + 1, y, SLOT - 2, 21, fill, LINE if fill == FREE else fill, radius=3)
    text(svg, x + SLOT / 2, y + 15, label, size=13 if len(label) < 3 else 9.5, fill=ink, anchor="middle")


def ring(svg: ET.Element, x: float, y: float) -> None:
    path(svg, f"M{x} {y - 1.5}h{SLOT}v24h-{SLOT}z", INK, 2.5)
