"""Chapter 4's figures: two requests that begin alike under four block sizes, and what a latent stands for.

Request A has 22 tokens, and request B begins with the first 13 of them. DeepSeek-V3's sizes are those of its
config.json; 8 KV heads of 128 are what Llama-3.1-70B keeps.
"""

from math import sqrt
from xml.etree import ElementTree as ET

from svg import INK, LINE, MUTED, box, card, path, text, written

WIDTH, LEFT = 720, 24
NUM_TOKENS, ALIKE = 22, 13
SIZES = (1, 4, 8, 16)
SLOT, STRIP, COLUMNS = 12.5, 122, (558, 619, 680)
SHARED, REPEATED, OWN, EMPTY = "#0072b2", "#f0b64d", "#d5dbe1", "#ffffff"

# One token in one layer of DeepSeek-V3: 128 heads, keys of 128 + 64 numbers and values of 128; latent 512, RoPE key 64.
KEPT = {"heads": 128 * (128 + 64 + 128), "grouped": 2 * 8 * 128, "latent": 512 + 64}
SCALE = 0.8  # pixels along the side of a square that stands for one number

TEXT = {
    "en": {
        "sizes_title": "Two requests that begin alike, stored in blocks of 1, 4, 8 and 16 tokens",
        "sizes": "Request A, 22 tokens. Request B begins with the same 13.",
        "block": "blocks of {}",
        "columns": ["entries", "empty", "shared"],
        "alike": "alike up to here",
        "legend": ["shared with B", "alike, but B needs its own copy", "A’s own", "empty"],
        "latent_title": "What DeepSeek-V3 keeps of a token in one layer, and what it computes again",
        "kept": "Kept: 576 numbers",
        "hidden": "hidden state, 7,168",
        "latent": "latent, 512",
        "rope": "RoPE key, 64",
        "again": "Computed from the latent, never stored",
        "keys": "128 keys of 128",
        "values": "128 values of 128",
        "joined": "joined to each key",
        "scale": "Numbers kept, to scale",
        "heads": "128 heads: {}",
        "grouped": "8 KV heads",
        "mla": "latent",
        "number": "{:,}",
    },
    "zh": {
        "sizes_title": "开头相同的两个请求，分别存在每块 1、4、8、16 个 token 的块里",
        "sizes": "请求 A 有 22 个 token，请求 B 的前 13 个和它相同。",
        "block": "块大小 {}",
        "columns": ["表项", "空位", "共用"],
        "alike": "到这里都相同",
        "legend": ["与 B 共用", "相同，但 B 要另存一份", "A 自己的", "空位"],
        "latent_title": "DeepSeek-V3 在一层里为一个 token 存什么，又重新算什么",
        "kept": "存下来：576 个数",
        "hidden": "隐藏状态，7168",
        "latent": "潜向量，512",
        "rope": "RoPE key，64",
        "again": "由潜向量算出，从不存",
        "keys": "128 个 key，各 128",
        "values": "128 个 value，各 128",
        "joined": "拼在每个 key 后面",
        "scale": "要存的数，按比例画",
        "heads": "128 个头：{}",
        "grouped": "8 个 KV 头",
        "mla": "潜向量",
        "number": "{}",
    },
}


def draw() -> dict[str, str]:
    """File name -> SVG text of each figure of the chapter."""
    figures = {"04-sizes": sizes, "04-latent": latent}
    return {f"{name}.{lang}.svg": figure(words) for name, figure in figures.items() for lang, words in TEXT.items()}


def slots(block_size: int) -> list[str]:
    """The colour of each slot of A's blocks; only blocks whose tokens are all alike can be shared."""
    count = -(-NUM_TOKENS // block_size) * block_size
    shared = ALIKE // block_size * block_size
    ends = ((shared, SHARED), (ALIKE, REPEATED), (NUM_TOKENS, OWN), (count, EMPTY))
    return [next(colour for end, colour in ends if slot < end) for slot in range(count)]


def sizes(words: dict) -> str:
    """A row per block size: A's blocks, and what the table, the last block and sharing come to."""
    svg = card(WIDTH, 322, words["sizes_title"])
    text(svg, LEFT, 36, words["sizes"], size=17, weight="600")
    for x, column in zip(COLUMNS, words["columns"], strict=True):
        text(svg, x, 66, column, size=14, fill=MUTED, anchor="middle")
    for row, block_size in enumerate(SIZES):
        top, colours = 80 + 45 * row, slots(block_size)
        text(svg, LEFT, top + 20, words["block"].format(block_size), size=15)
        for slot, colour in enumerate(colours):
            edge = LINE if colour == EMPTY else colour
            box(svg, STRIP + SLOT * slot + 1, top + 3, SLOT - 2, 24, colour, edge, radius=2)
        for start in range(0, len(colours), block_size):
            box(svg, STRIP + SLOT * start, top, SLOT * block_size, 30, "none", MUTED, radius=3)
        numbers = (len(colours) // block_size, colours.count(EMPTY), colours.count(SHARED))
        for x, number in zip(COLUMNS, numbers, strict=True):
            text(svg, x, top + 21, str(number), size=17, weight="600", anchor="middle")
    end = STRIP + SLOT * ALIKE
    path(svg, f"M{end} 70V254", INK, 2)
    text(svg, end, 64, words["alike"], size=13, anchor="middle")
    x = LEFT
    for colour, label in zip((SHARED, REPEATED, OWN, EMPTY), words["legend"], strict=True):
        box(svg, x, 281, 16, 16, colour, LINE if colour == EMPTY else colour, radius=3)
        text(svg, x + 23, 294, label, size=14)
        x += 52 + 7.2 * sum(2 if character > "\u2e80" else 1 for character in label)
    return written(svg)


def latent(words: dict) -> str:
    """On the left what is computed from what, on the right squares whose areas are numbers kept."""
    svg = card(WIDTH, 286, words["latent_title"])
    text(svg, LEFT, 36, words["kept"], size=17, weight="600")
    stage(svg, LEFT, 52, 372, words["hidden"], OWN, INK)
    path(svg, f"M{LEFT + 90} 88v24m-5 -7l5 7l5 -7M{LEFT + 300} 88v24m-5 -7l5 7l5 -7", width=1.5)
    stage(svg, LEFT, 114, 228, words["latent"], SHARED, "#ffffff")
    stage(svg, LEFT + 244, 114, 128, words["rope"], SHARED, "#ffffff")
    path(svg, f"M{LEFT + 50} 150v56m-5 -7l5 7l5 -7M{LEFT + 212} 150v56m-5 -7l5 7l5 -7", width=1.5)
    text(svg, LEFT, 266, words["again"], size=14, fill=MUTED)
    for x, name in ((LEFT, "keys"), (LEFT + 192, "values")):
        stage(svg, x, 208, 180, words[name], EMPTY, INK)
    path(svg, f"M{LEFT + 308} 150v20h-178v36m-5 -7l5 7l5 -7", SHARED, 1.5)
    text(svg, LEFT + 224, 192, words["joined"], size=13, fill=MUTED)
    squares(svg, 430, words)
    return written(svg)


def stage(svg: ET.Element, x: float, y: float, width: float, label: str, fill: str, ink: str) -> None:
    """A box of the diagram; white ones are computed and never kept."""
    box(svg, x, y, width, 36, fill, MUTED if fill == EMPTY else fill, radius=5)
    text(svg, x + width / 2, y + 24, label, size=15, fill=ink, weight="600", anchor="middle")


def squares(svg: ET.Element, left: float, words: dict) -> None:
    """The numbers of KEPT as squares that stand on one line."""
    text(svg, left, 36, words["scale"], size=17, weight="600")
    number = words["number"].format
    places = {"heads": (left, OWN, words["heads"].format(number(KEPT["heads"])))}
    places |= {"grouped": (left + 186, OWN, ""), "latent": (left + 186, SHARED, "")}
    bottom = 246
    for name, (x, colour, label) in places.items():
        side = SCALE * sqrt(KEPT[name])
        base = bottom if name != "grouped" else bottom - 78
        box(svg, x, round(base - side, 1), round(side, 1), round(side, 1), colour, colour, radius=0)
        text(svg, x, base + 20, label, size=14)
    for base, name, label in ((bottom - 78, "grouped", words["grouped"]), (bottom, "latent", words["mla"])):
        text(svg, left + 186, base + 18, label, size=13)
        text(svg, left + 186 + 44, base - 8, number(KEPT[name]), size=14, weight="600")
