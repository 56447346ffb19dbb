"""Chapter 8's strip: the detective carries nothing to a desk any more, but walks the list with notes and a bowl.

Goes on where strip 3 ends: C's 14 tokens lie in blocks 5, 6, 7, 0. The notes are those of online softmax over SCORES,
with natural exponents; split-KV comes to the same sum.
"""

from strips.cast import COAT, arms, clerk, drawer, query, query_head
from strips.lettering import bubble, caption, letter
from strips.paper import INK, WHITE, Pen, sheet
from strips.props import backdrop, jar, plate, tray

WALL, FLOOR, ROOM, ROOM_FLOOR = "#cfdcec", "#9fb3cb", "#e9dcea", "#b9a3bd"
JUICE, MIX = ["#dba6d6", "#c98bc4", "#e7bfe3", "#b877b3"], "#cf9ccb"
SCORES = {5: (1, 3, 0, 2), 6: (0, 2, 1, 0), 7: (1, 0, 2, 1), 0: (5, 3)}  # block -> its keys' scores, in walking order

TEXT = {
    "en": {
        "title": "The Walk, a comic strip in six panels",
        "desk": "So far: carry it all to a desk.",
        "down": "Read, put down, read again …",
        "thrice": "Three trips for every jar. And then I clear the desk.",
        "walk": "Or walk, and take notes.",
        "need": "What will you take along?",
        "bowl": "A maximum, a sum and a bowl.",
        "start": ["max −∞", "sum 0"],
        "five": "First stop: drawer 5.",
        "score": "score",
        "spoon": "A 3! One full spoon of that. Of the others e^(score − 3).",
        "stays": "And I stay here.",
        "noted": ["max 3", "sum 1.55"],
        "zero": "Last stop: drawer 0.",
        "best": "A 5! Then all in the bowl counts e^(3 − 5) = 0.135 of what it did.",
        "carpet": "My carpet!",
        "scaled": ["max 3 → 5", "sum 2.84", "→ 1.52"],
        "heads": "Four query heads, one walk.",
        "tastes": ["12!", "3!", "Both!", "Sh!"],
        "once": "I open each drawer once. Not four times.",
        "reads": "K and V: 1 × instead of 4 ×",
        "split": "A long list? Two walk, then merge.",
        "mine": "My max is lower: mine × 0.135.",
        "pour": "Now pour! Tastes as on one walk.",
        "parts": [*("5, 6", "max 3", "sum 2.16"), *("7, 0", "max 5", "sum 1.23")],
        "merged": "2.16 × 0.135 + 1.23\n= 1.52",
        "divide": "÷ 1.52",
    },
    "zh": {
        "title": "六格漫画：边走边尝",
        "desk": "老办法：先全搬到桌上",
        "down": "读一遍，放下，\n再读一遍……",
        "thrice": "一瓶要折腾三回，\n收桌子还归我。",
        "walk": "新办法：边走边记",
        "need": "路上带什么？",
        "bowl": "一个最大值，\n一个和，一只碗。",
        "start": ["最大 −∞", "和 0"],
        "five": "第一站：5 号抽屉",
        "score": "分数",
        "spoon": "最高 3 分，舀一满勺。\n别的舀 e^(分数 − 3) 勺。",
        "stays": "我不用挪窝。",
        "noted": ["最大 3", "和 1.55"],
        "zero": "最后一站：0 号抽屉",
        "best": "来了个 5 分！\n碗里的都要乘\ne^(3 − 5) = 0.135。",
        "carpet": "我的地毯！",
        "scaled": ["最大 3 → 5", "和 2.84", "→ 1.52"],
        "heads": "四个 query 头，一趟走完",
        "tastes": ["要 12！", "要 3！", "都要！", "嘘！"],
        "once": "一个抽屉开一次，\n不用开四次。",
        "reads": "K、V 只读 1 遍，\n不是 4 遍",
        "split": "单子太长？两人分头走，再合并",
        "mine": "我的最大值小，\n我的乘 0.135。",
        "pour": "倒一起！跟一人\n走完一个味道。",
        "parts": [*("5、6", "最大 3", "和 2.16"), *("7、0", "最大 5", "和 1.23")],
        "merged": "2.16 × 0.135 + 1.23\n= 1.52",
        "divide": "÷ 1.52",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: So far: carry it all to a desk. The detective with a magnifying glass "
        "for a head balances a tower of jars in front of a desk on which fourteen jars stand, 0 to 13: read, put "
        "down, read again … The robot clerk behind the desk: three trips for every jar, and then I clear the desk. "
        "Panel 2: Or walk, and take notes. The clerk, behind drawers 5, 6, 7 and 0: what will you take along? The "
        "detective: a maximum, a sum and a bowl. The notepad says max −∞, sum 0, and the bowl is empty. Panel 3: "
        "First stop: drawer 5, with jars 0 to 3, whose keys score 1, 3, 0 and 2. The detective, with bowl and spoon: "
        "a 3! One full spoon of that, of the others e^(score − 3). The notepad: max 3, sum 1.55. The drawer: and I "
        "stay here. Panel 4: Last stop: drawer 0, with jars 12 and 13, scores 5 and 3. The detective pours out most "
        "of the bowl: a 5! Then all in the bowl counts e^(3 − 5) = 0.135 of what it did. The notepad: max 3 → 5, sum "
        "2.84 → 1.52. The clerk: my carpet! Panel 5: Four query heads, one walk. One long coat with four detectives’ "
        "heads and eight feet, four bowls on a tray: 12! 3! Both! Sh! The clerk: I open each drawer once, not four "
        "times. A sign: K and V: 1 × instead of 4 ×. Panel 6: A long list? Two walk, then merge. One detective has "
        "walked drawers 5 and 6, with max 3, sum 2.16, the other 7 and 0, with max 5, sum 1.23. The first: my max is "
        "lower: mine × 0.135. The second: now pour! Tastes as on one walk. On the board over a large bowl between "
        "them: 2.16 × 0.135 + 1.23 = 1.52; on the bowl: ÷ 1.52."
    ),
    "zh": (
        "六格漫画。第一格：老办法，先全搬到桌上。脑袋是放大镜的侦探捧着一摞瓶子，桌上摆着 0 到 13 十四瓶：读一遍，放下"
        "，再读一遍……桌子后面的机器人管理员说：一瓶要折腾三回，收桌子还归我。第二格：新办法，边走边记。管理员站在 5、6"
        "、7、0 号抽屉后面问：路上带什么？侦探说：一个最大值，一个和，一只碗。本子上写着最大 −∞，和 0，碗是空的。第三"
        "格：第一站，5 号抽屉，里面是 0 到 3 四瓶，它们的 key 得分 1、3、0、2。侦探拿着碗和勺说：最高 3 分，舀一满勺；"
        "别的舀 e^(分数 − 3) 勺。本子上：最大 3，和 1.55。抽屉说：我不用挪窝。第四格：最后一站，0 号抽屉，12、13 两瓶"
        "，得分 5 和 3。侦探把碗里的倒掉一大半：来了个 5 分！碗里的都要乘 e^(3 − 5) = 0.135。本子上：最大 3 → 5，和 "
        "2.84 → 1.52。管理员喊：我的地毯！第五格：四个 query 头，一趟走完。一件长风衣上长着四个侦探脑袋，底下八只脚，"
        "托盘上四只碗：要 12！要 3！都要！嘘！管理员说：一个抽屉开一次，不用开四次。牌子上写着：K、V 只读 1 遍，不是 4"
        " 遍。第六格：单子太长？两人分头走，再合并。一个侦探走完 5、6，记着最大 3，和 2.16；另一个走完 7、0，记着最大 "
        "5，和 1.23。前一个说：我的最大值小，我的乘 0.135。后一个说：倒一起！跟一人走完一个味道。两人中间是一只大碗，"
        "黑板上写着：2.16 × 0.135 + 1.23 = 1.52，碗上写着：÷ 1.52。"
    ),
}


def draw(lang: str) -> str:
    """The strip's SVG text in one language."""
    words = TEXT[lang]
    return sheet([desk, walk, five, zero, heads, split], words, words["title"], ALT[lang], lang)


def bowl(pen: Pen, x: float, y: float, level: float, fill: str = MIX, scale: float = 1, turn: float = 0) -> None:
    """A glass bowl that stands on (x, y), 52 wide and 30 high; level: how full, 0..1."""
    g = pen.group(x, y, scale, turn)
    shape = "M-26 -30H26Q26 0 10 0H-10Q-26 0 -26 -30Z"
    g.path(shape, WHITE)
    if level:
        half, top = 12 + 13 * level**0.5, -30 * level
        g.path(f"M{-half:.1f} {top:.1f}H{half:.1f}Q{half:.1f} 0 10 0H-10Q{-half:.1f} 0 {-half:.1f} {top:.1f}Z", fill)
    g.path(shape)


def notes(pen: Pen, x: float, y: float, lines: list[str], wide: float = 92) -> None:
    """A notepad with its spiral on top."""
    pen.rect(x, y, wide, 12 + 23 * len(lines), "#fff7d6", r=4)
    for at in range(int(x) + 12, int(x + wide) - 4, 14):
        pen.path(f"M{at} {y - 5}v10", line=3)
    for row, line in enumerate(lines):
        letter(pen, (x, y + 8 + 23 * row, wide, 22), line, 15, weight=600, pad=2)


def scored(pen: Pen, x: float, y: float, block: int, first: int, head: str, place: float) -> None:
    """An open drawer with its jars, and above each jar its key's score."""
    for index, (middle, score) in enumerate(zip(tray(pen, x, y, block, place), SCORES[block], strict=False)):
        jar(pen, middle, y, JUICE[(first + index) % 4], str(first + index), scale=place / 46)
        colour = "#fbd26a" if score == max(SCORES[block]) else WHITE
        plate(pen, (middle - 17, y - place - 36, 34, 26), str(score), 16, colour)
    letter(pen, (x + 4, y - place - 58, len(SCORES[block]) * place, 20), head, 14, weight=600, pad=0)


def desk(pen: Pen, words: dict) -> None:
    backdrop(pen, ROOM, ROOM_FLOOR, 330)
    clerk(pen, 286, 330, look=(-0.8, 0.3), mood="deadpan", hands=(None, None), scale=0.66)
    for index in range(14):
        jar(pen, 206 + 25 * (index % 7), 290 if index < 7 else 320, JUICE[index % 4], str(index), scale=0.74)
    pen.rect(182, 320, 200, 14, "#b97a52", r=5)
    pen.rect(192, 334, 180, 60, "#9c5f3e")
    query(pen, 62, 378, look=(0.8, -0.6), mood="worried", hands=(None, (56, -62)), scale=0.76)
    for index, x in enumerate((112, 108, 114, 110)):
        jar(pen, x, 334 - 29 * index, JUICE[index], scale=0.74)
    bubble(pen, words["down"], 12, 64, 170, (58, 206))
    bubble(pen, words["thrice"], 370, 48, 204, (286, 178), at=1)
    caption(pen, words["desk"])


def walk(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 316)
    clerk(pen, 290, 350, look=(-0.8, 0.2), hands=(None, None), scale=0.72)
    for x, block in zip((176, 234, 292, 350), SCORES, strict=True):
        drawer(pen, x, 376, str(block), look=(-0.8, -0.4), mood="happy", scale=0.84)
    query(pen, 56, 376, look=(0.8, 0.1), mood="happy", hands=((-36, -44), (48, -64)), scale=0.78)
    bowl(pen, 104, 326, 0)
    notes(pen, 112, 204, words["start"])
    bubble(pen, words["need"], 370, 52, 170, (290, 184), at=1)
    bubble(pen, words["bowl"], 12, 84, 196, (56, 200))
    caption(pen, words["walk"])


def five(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 340)
    query(pen, 58, 376, look=(0.8, 0.3), mood="open", hands=((-36, -44), (46, -70)), scale=0.76)
    spoon = pen.group(100, 322, 1, -62)
    spoon.path("M0 0V-44", line=5)
    spoon.add("ellipse", cx=0, cy=-50, rx=8, ry=11, fill=JUICE[1], stroke=INK, stroke_width=2.5)
    bowl(pen, 40, 346, 0.55)
    scored(pen, 150, 318, 5, 0, words["score"], 50)
    notes(pen, 120, 144, words["noted"])
    bubble(pen, words["spoon"], 12, 46, 340, (66, 204))
    bubble(pen, words["stays"], 374, 126, 150, (376, 280), at=1)
    caption(pen, words["five"])


def zero(pen: Pen, words: dict) -> None:
    backdrop(pen, ROOM, ROOM_FLOOR, 316)
    pen.add("ellipse", cx=118, cy=372, rx=100, ry=15, fill="#8e3b56", stroke=INK, stroke_width=2.5)
    pen.add("ellipse", cx=146, cy=372, rx=34, ry=8, fill=MIX, stroke=INK, stroke_width=2)
    clerk(pen, 334, 330, look=(-0.9, 0.9), mood="worried", hands=(None, None), scale=0.62)
    query(pen, 66, 366, look=(0.9, 0.2), mood="open", hands=(None, (54, -78)), scale=0.76)
    pen.path("M136 316Q150 330 146 370", line=9)
    pen.path("M136 316Q150 330 146 370", line=5, ink=MIX)
    bowl(pen, 110, 318, 0.3, turn=50)
    scored(pen, 204, 318, 0, 12, words["score"], 38)
    notes(pen, 112, 146, words["scaled"], 112)
    bubble(pen, words["best"], 12, 44, 268, (62, 196))
    bubble(pen, words["carpet"], 374, 140, 160, (334, 190), at=1)
    caption(pen, words["zero"])


def heads(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 326, 374, look=(-0.8, 0.1), mood="happy", hands=((-60, -44), (46, -54)), scale=0.72)
    drawer(pen, 270, 376, "7", look=(-0.8, -0.5), mood="happy", scale=0.7)
    four = pen.group(130, 374)
    for x in (-69, -23, 23, 69):
        for side in (-9, 9):
            four.path(f"M{x + side} -24V-6", line=8)
            four.add("ellipse", cx=x + side + 3, cy=-4, rx=9, ry=5, fill=INK)
    four.path("M-88 -102Q-100 -60 -106 -20H106Q100 -60 88 -102Z", COAT)
    looks = (((0.7, 0.7), "open"), ((-0.5, 0.7), "happy"), ((0.8, 0.2), "open"), ((-0.9, 0), "deadpan"))
    for x, (look, mood) in zip((-93, -31, 31, 93), looks, strict=True):
        four.rect(x - 6, -104, 12, 14, "#7a4f2a", r=3)
        query_head(four.group(x, -20, 0.7), look, mood)
    arms(four, ((-84, -84), (84, -84)), ((-100, -54), (100, -54)), COAT, "#f3d9b8")
    pen.rect(24, 322, 212, 9, "#b97a52", r=4)
    for index, x in enumerate((54, 105, 156, 207)):
        bowl(pen, x, 322, (0.5, 0.8, 0.65, 0.4)[index], JUICE[index], 0.75)
    plate(pen, (12, 46, 152, 46), words["reads"], 14, "#fbf3dc")
    for x, y, said in zip((46, 99, 161, 229), (152, 108, 152, 152), words["tastes"], strict=True):
        bubble(pen, said, x, y, 90, (x - 6, 208), at=0.5, size=15)
    bubble(pen, words["once"], 372, 48, 196, (326, 200), at=1)
    caption(pen, words["heads"])


def split(pen: Pen, words: dict) -> None:
    backdrop(pen, ROOM, ROOM_FLOOR, 330)
    query(pen, 48, 378, look=(0.8, 0.3), mood="calm", hands=(None, (54, -82)), scale=0.72)
    query(pen, 332, 378, look=(-0.8, 0.3), mood="happy", hands=((-54, -82), None), scale=0.72)
    for x, way in ((146, 26), (234, -26)):
        pen.path(f"M{x - way} 314Q{x} 310 {x + way / 3:.1f} 340", line=9)
        pen.path(f"M{x - way} 314Q{x} 310 {x + way / 3:.1f} 340", line=5, ink=MIX)
    bowl(pen, 96, 324, 0.3, turn=40)
    bowl(pen, 284, 324, 0.75, turn=-40)
    bowl(pen, 190, 380, 0.6, scale=1.9)
    letter(pen, (152, 325, 76, 20), words["divide"], 15, weight=700, pad=0)
    for x, part in ((92, words["parts"][:3]), (196, words["parts"][3:])):
        notes(pen, x, 162, part, 92)
    plate(pen, (106, 250, 168, 42), words["merged"], 14, "#35524a", WHITE, 500)
    bubble(pen, words["mine"], 8, 64, 178, (40, 216))
    bubble(pen, words["pour"], 374, 64, 184, (340, 216), at=1)
    caption(pen, words["split"])
