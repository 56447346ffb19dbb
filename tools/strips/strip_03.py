"""Chapter 3's strip: keys and juice in drawers, read by the list, up to the length and not one jar further.

Goes on where strip 2 ends: C holds blocks 5, 6, 7, 0 of four places and has 14 tokens, so the last two places of block
0 still hold what A, its owner before, left there.
"""

from strips.cast import REQUESTS, WOOD, clerk, eyes, mouth, query, token
from strips.lettering import bubble, caption, letter
from strips.paper import INK, WHITE, Pen, sheet
from strips.props import backdrop, jar, key, plate, rope, tray

WALL, FLOOR = "#cfdcec", "#9fb3cb"
SLIME, JUICE = "#9ccc3c", ["#dba6d6", "#c98bc4", "#e7bfe3", "#b877b3"]

TEXT = {
    "en": {
        "title": "Keys and Juice, a comic strip in six panels",
        "two": "Every token leaves two things: a key and a value.",
        "leaves": "My key: how to find me. My juice: what you get.",
        "both": "Same slot in both.",
        "written": "Next, please. Slot?",
        "one": "1.",
        "padding": "−1. I’m only here to fill the row.",
        "walk": "Just walk on. We keep nothing.",
        "order": "C’s keys and juice.\nIn order, please.",
        "list": "By the list: 5, 6, 7, 0.",
        "closer": "Drawer 0, a closer look.",
        "behind": "What’s behind 13?",
        "leftovers": "A’s old juice. Drawers change hands unwashed.",
        "psst": "Psst. Drink me.",
        "weight": "Just give me weight 0. Where’s the harm?",
        "stop": "0 × NaN = NaN. The length says 14, so I stop after 13.",
        "length": "length 14",
        "mixed": "14 keys compared, 14 juices mixed. All of them C’s.",
        "taste": "Lots of 12, a dash of 3. As if all in one row!",
        "checked": "To within 1e-5. I checked.",
        "memorable": "I’d have been unforgettable.",
    },
    "zh": {
        "title": "六格漫画：钥匙和果汁",
        "two": "每个 token 留下两样东西：\n一个 key，一个 value",
        "leaves": "钥匙：凭它找我。\n果汁：找到请喝。",
        "both": "两边存进\n同一个槽位。",
        "written": "下一位，几号槽位？",
        "one": "1 号。",
        "padding": "−1。我是\n来凑数的。",
        "walk": "那请直接走，\n什么都不用存。",
        "order": "C 的钥匙和果汁，\n按顺序全拿来。",
        "list": "照单子拿：\n5、6、7、0。",
        "closer": "凑近看 0 号抽屉",
        "behind": "13 后面\n是什么？",
        "leftovers": "A 剩下的。\n抽屉换主人从来不洗。",
        "psst": "嘘……\n喝我。",
        "weight": "给我权重 0 就行，\n能出什么事？",
        "stop": "0 × NaN = NaN。长度是 14，\n拿完 13 就收手。",
        "length": "长度 14",
        "mixed": "比 14 把钥匙，调 14 瓶果汁，\n全是 C 自己的",
        "taste": "12 味儿重，\n3 只有一点点。\n跟排成一排时\n一个味道！",
        "checked": "误差不到 1e-5，\n我量过。",
        "memorable": "喝了我，\n你会终生难忘。",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: Every token leaves two things, a key and a value. Token 13, with a key "
        "and a jar of juice, before two cabinets, K and V: my key: how to find me; my juice: what you get. The robot "
        "clerk, peeping over the cabinets: same slot in both. Panel 2: The clerk: next, please, slot? Token 13: 1. A "
        "blank white block: −1, I’m only here to fill the row. The clerk: just walk on, we keep nothing. Panel 3: "
        "The detective with a magnifying glass for a head: C’s keys and juice, in order, please. The clerk, by the "
        "list 5, 6, 7, 0: on the shelf stand fourteen jars, 0 to 13, each with its key, four from each drawer and "
        "two from drawer 0. Panel 4: Drawer 0, a closer look: jars 12 and 13, then a nearly empty jar 2 and a green "
        "one. What’s behind 13? A’s old juice, drawers change hands unwashed. The green jar has eyes and is called "
        "NaN: psst, drink me. Panel 5: NaN behind a rope with the sign length 14: just give me weight 0, where’s "
        "the harm? The clerk: 0 × NaN = NaN. The length says 14, so I stop after 13. Panel 6: 14 keys compared, 14 "
        "juices mixed, all of them C’s. The detective drinks: lots of 12, a dash of 3, as if all in one row! The "
        "clerk: to within 1e-5, I checked. NaN, from the bin: I’d have been unforgettable."
    ),
    "zh": (
        "六格漫画。第一格：每个 token 留下两样东西，一个 key，一个 value。13 号 token 带着一把钥匙和一瓶果汁，站在 K"
        "、V 两个柜子前说：钥匙，凭它找我；果汁，找到请喝。机器人管理员从柜子后面探出头：两边存进同一个槽位。第二格："
        "管理员问：下一位，几号槽位？13 号说：1 号。一个空白的白方块说：−1，我是来凑数的。管理员说：那请直接走，什么"
        "都不用存。第三格：脑袋是放大镜的侦探说：C 的钥匙和果汁，按顺序全拿来。管理员照单子 5、6、7、0 拿：架子上摆着"
        " 0 到 13 共十四瓶，都挂着钥匙，前三个抽屉各四瓶，0 号抽屉两瓶。第四格：凑近看 0 号抽屉：12、13 两瓶后面，是"
        "快见底的 2 号瓶和一个绿瓶子。13 后面是什么？A 剩下的，抽屉换主人从来不洗。绿瓶子长着眼睛，名叫 NaN：嘘……喝"
        "我。第五格：NaN 在绳子后面，牌子上写着长度 14：给我权重 0 就行，能出什么事？管理员说：0 × NaN = NaN。长度是"
        " 14，拿完 13 就收手。第六格：比 14 把钥匙，调 14 瓶果汁，全是 C 自己的。侦探边喝边说：12 味儿重，3 只有一点"
        "点，跟排成一排时一个味道！管理员说：误差不到 1e-5，我量过。垃圾桶里的 NaN 说：喝了我，你会终生难忘。"
    ),
}


def draw(lang: str) -> str:
    """The strip's SVG text in one language."""
    words = TEXT[lang]
    return sheet([leave, write, gather, leftovers, stop, taste], words, words["title"], ALT[lang], lang)


def leave(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 316)
    clerk(pen, 270, 306, look=(-0.8, 0.5), hands=(None, None), scale=0.68)
    cabinet(pen, 172, 234, "K")
    cabinet(pen, 270, 234, "V")
    token(pen, 78, 374, "C", "13", look=(0.3, -0.8), mood="open", size=72)
    key(pen, 26, 318, "#f0b64d", 1.35)
    jar(pen, 138, 374, JUICE[1], scale=1.25)
    bubble(pen, words["leaves"], 12, 66, 204, (70, 280))
    bubble(pen, words["both"], 370, 70, 150, (282, 156), at=1)
    caption(pen, words["two"])


def cabinet(pen: Pen, x: float, y: float, name: str) -> None:
    """A cabinet of eight drawers with its name on top, 98 wide and 138 high."""
    pen.rect(x, y, 98, 138, "#b9814a", r=6)
    letter(pen, (x, y + 3, 98, 30), name, 22, fill=WHITE, weight=700)
    for index in range(8):
        left, top = x + 6 + index % 2 * 44, y + 34 + index // 2 * 25
        pen.rect(left, top, 42, 23, WOOD, r=3, line=2)
        pen.circle(left + 21, top + 12, 3, INK, line=0)


def write(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 316)
    clerk(pen, 70, 382, look=(0.8, 0.4), hands=((-46, -52), (64, -66)), scale=0.6)
    token(pen, 190, 374, "C", "13", look=(-0.8, -0.6), mood="happy", size=54)
    jar(pen, 234, 374, JUICE[1])
    key(pen, 154, 336, "#f0b64d")
    token(pen, 318, 374, "", "−1", look=(-0.8, -0.4), mood="deadpan", size=60)
    bubble(pen, words["written"], 12, 12, 250, (54, 140))
    bubble(pen, words["one"], 148, 72, 100, (184, 300))
    bubble(pen, words["padding"], 370, 116, 166, (322, 306), at=1)
    bubble(pen, words["walk"], 12, 148, 182, (70, 246))


def gather(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 180, 298, look=(-0.8, 0.3), mood="happy", hands=(None, None), scale=0.72)
    query(pen, 48, 376, look=(0.9, 0), mood="open", hands=(None, None), scale=0.72)
    pen.rect(92, 206, 282, 160, "#b9814a", r=6)
    for row, blocks in enumerate(("56", "70")):
        base = 262 + 78 * row
        pen.rect(97, base - 50, 272, 52, "#f7e8cf", line=2)
        for group, block in enumerate(blocks):
            plate(pen, (132 + 136 * group, base + 3, 66, 22), block, 15)
            for place in range(4):
                position = 8 * row + 4 * group + place
                if position < 14:
                    x = 115 + 136 * group + 33.5 * place
                    jar(pen, x, base, JUICE[position % 4], str(position))
                    key(pen, x + 9, base - 36, "#f0b64d", 0.4)
    bubble(pen, words["order"], 12, 12, 240, (46, 206))
    bubble(pen, words["list"], 370, 86, 180, (204, 172), at=1)


def nan_jar(pen: Pen, x: float, y: float, look: tuple, face: str, scale: float = 1) -> None:
    """The villain: a jar of something green with eyes."""
    g = pen.group(x, y, scale)
    jar(g, 0, 0, SLIME, level=0.95)
    letter(g, (-15, -14, 30, 13), "NaN", 10, weight=700, pad=0)
    eyes(g, 0, -26, 6.2, 5.5, look, "calm", SLIME)
    mouth(g, 0, -16.5, face, 0.28)
    g.path("M15 -20q8 2 6 9M-15 -20q-8 2 -6 9", line=2)


def leftovers(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 316)
    query(pen, 56, 326, look=(0.9, 0.6), mood="open", hands=(None, None), scale=0.74)
    clerk(pen, 180, 318, look=(0.8, 0.6), mood="worried", hands=(None, None), scale=0.66)
    places = tray(pen, 40, 318, 0, place=74)
    jar(pen, places[0], 318, JUICE[0], "12", scale=1.5)
    jar(pen, places[1], 318, JUICE[1], "13", scale=1.5)
    jar(pen, places[2], 318, REQUESTS["A"], "2", level=0.35, scale=1.5)
    nan_jar(pen, places[3], 318, (-0.8, -0.3), "happy", 1.55)
    bubble(pen, words["behind"], 12, 44, 160, (54, 168))
    bubble(pen, words["leftovers"], 370, 44, 200, (196, 172), at=1)
    bubble(pen, words["psst"], 370, 164, 150, (places[3], 260), at=1)
    caption(pen, words["closer"])


def stop(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 152, 374, look=(0.8, 0.1), mood="deadpan", hands=((-48, -54), (66, -96)), scale=0.72)
    for x, label in ((28, "12"), (74, "13")):
        jar(pen, x, 376, JUICE[int(label) % 4], label, scale=1.3)
    pen.rect(256, 318, 96, 70, "#e8d7b5", r=6)
    rope(pen, [226, 370], 378, 60)
    plate(pen, (236, 344, 124, 32), words["length"], 17, "#fbf3dc")
    nan_jar(pen, 304, 322, (-0.7, -0.4), "happy", 2.3)
    bubble(pen, words["weight"], 370, 12, 262, (316, 214), at=1)
    bubble(pen, words["stop"], 12, 92, 262, (152, 208))


def taste(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    query(pen, 64, 376, look=(0.5, 0.6), mood="happy", hands=((-36, -44), (44, -84)), scale=0.74)
    glass(pen, 104, 318)
    clerk(pen, 182, 376, look=(-0.8, 0.1), mood="happy", hands=((-46, -56), (46, -56)), scale=0.62)
    nan_jar(pen, 316, 326, (-0.8, -0.2), "sad", 1.7)
    pen.path("M276 308H356L348 378H284Z", "#8c97a5")
    pen.path("M300 322L303 364M316 322V364M332 322L329 364", line=2)
    pen.rect(270, 300, 92, 12, "#76818f", r=5)
    bubble(pen, words["taste"], 12, 64, 190, (64, 214))
    bubble(pen, words["checked"], 348, 64, 144, (190, 200), at=1)
    bubble(pen, words["memorable"], 370, 188, 176, (326, 262), at=1)
    caption(pen, words["mixed"])


def glass(pen: Pen, x: float, y: float) -> None:
    """A glass of mixed juice with a straw, standing in a hand at (x, y)."""
    pen.path(f"M{x} {y - 40}L{x - 6} {y - 62}L{x - 18} {y - 68}", line=5)
    pen.path(f"M{x} {y - 40}L{x - 6} {y - 62}L{x - 18} {y - 68}", line=2, ink="#f08f86")
    pen.path(f"M{x - 14} {y - 44}H{x + 14}L{x + 10} {y - 8}H{x - 10}Z", WHITE)
    for index, colour in enumerate((JUICE[0], JUICE[2], JUICE[1])):
        top = y - 36 + 9 * index
        pen.path(
            f"M{x - 12 + index} {top}H{x + 12 - index}L{x + 11 - index} {top + 9}H{x - 11 + index}Z", colour, line=0
        )
    pen.path(f"M{x - 14} {y - 44}H{x + 14}L{x + 10} {y - 8}H{x - 10}Z")
