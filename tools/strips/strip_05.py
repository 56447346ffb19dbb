"""Chapter 5's strip: three answers share one prompt; whoever writes first moves to a copy, the last one stays.

Played on the library's own example: a prompt of six tokens in blocks of four, forked twice, then A, B and C append a
token each: copies 1 -> 2 and 1 -> 3, carried out before anybody writes.
"""

from strips.cast import REQUESTS, clerk, drawer, token
from strips.lettering import bubble, caption, letter
from strips.paper import WHITE, Pen, sheet
from strips.props import backdrop, plate, table, tray

WALL, FLOOR, STORE, STORE_FLOOR = "#d5e6df", "#9fbcae", "#cfdcec", "#9fb3cb"
SHEET = "#fffaf0"

TEXT = {
    "en": {
        "title": "One Drawer for Three, a comic strip in six panels",
        "fork": "One prompt, three answers.",
        "once": "Six tokens, kept once. A list for each of you.",
        "mine": ["Mine!", "Mine!", "Mine!"],
        "prompt": "Tell me a good joke.",
        "why": "My answer starts with “Why”. In here!",
        "shared": "Three owners! Nobody writes in 1.",
        "reading": "We live here!",
        "first": "Whoever writes first moves to a copy.",
        "where": "Then where do I write?",
        "yours": "In drawer 2. I’ll copy 1 into it.",
        "me": "Who, me?",
        "copy": "to copy",
        "last": "Two copies will do for three.",
        "too": "Me, too!",
        "three": "Drawer 3 for B.",
        "and": "And me?",
        "alone": "You’re alone in 1. Just write.",
        "order": "First the copies, then the pens.",
        "there": "Still empty! I’ll start.",
        "wait": "Wait for the copy! It fills the whole drawer. Your “Why” would be gone.",
        "four": "Four drawers instead of six.",
        "jokes": ["Why …", "Knock …", "Once …"],
        "never": "Three owners, and nobody will ever write in me. I’m full!",
    },
    "zh": {
        "title": "六格漫画：三家合用一个抽屉",
        "fork": "一个提示词，三个回答",
        "once": "六个 token 只存一份，\n单子一人一张。",
        "mine": ["我的！", "我的！", "我的！"],
        "prompt": "讲个好笑的笑话",
        "why": "我第一个词是“从前”，\n就写这儿！",
        "shared": "三个主人！\n谁都不许写。",
        "reading": "还有我们呢！",
        "first": "谁先动笔，谁搬去副本",
        "where": "那我写哪儿？",
        "yours": "写 2 号，\n我这就复制。",
        "me": "轮到我啦？",
        "copy": "待复制",
        "last": "三个要写，两份副本就够",
        "too": "我也要写！",
        "three": "B 去 3 号。",
        "and": "我呢？",
        "alone": "1 号就剩你一个，\n直接写吧。",
        "order": "先复制，后动笔",
        "there": "2 号空着，我先写！",
        "wait": "等复制完！一复制就盖满\n整个抽屉，你的“从前”\n就没了。",
        "four": "六个抽屉的事，四个就够",
        "jokes": ["从前……", "有个……", "话说……"],
        "never": "三个主人，却没人能在我\n这儿写字。我满啦！",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: One prompt, three answers. On a sign: tell me a good joke. Two open "
        "drawers of four places, 0 and 1, hold the prompt’s white tokens 0 to 5; two places of drawer 1 are free. "
        "Tokens A, B and C peep over the drawers, each holds up a list 0, 1 and says: mine! The robot clerk: six "
        "tokens, kept once, a list for each of you. Panel 2: A, in the air above drawer 1: my answer starts with "
        "“Why”, in here! B and C, behind the drawer: we live here! The clerk: three owners, nobody writes in 1! Panel "
        "3: Whoever writes first moves to a copy. A: then where do I write? The clerk: in drawer 2, I’ll copy 1 into "
        "it; on the board stands: to copy, 1 → 2. A’s list is now 0, 2. Drawer 2, pleased: who, me? Panel 4: Two "
        "copies will do for three. B: me, too! The clerk: drawer 3 for B; the board has 1 → 2 and 1 → 3. C: and me? "
        "The clerk: you’re alone in 1, just write. Panel 5: First the copies, then the pens. A over the empty drawer "
        "2: still empty, I’ll start! The clerk: wait for the copy! It fills the whole drawer, your “Why” would be "
        "gone. Panel 6: Four drawers instead of six. Drawers 2, 3 and 1 each hold tokens 4 and 5 and one more, of A, "
        "B and C, who begin: why …, knock …, once … Drawer 0, from a shelf: three owners, and nobody will ever write "
        "in me. I’m full!"
    ),
    "zh": (
        "六格漫画。第一格：一个提示词，三个回答。牌子上写着：讲个好笑的笑话。两个拉开的抽屉，每个 4 格：0 号和 1 号里"
        "坐着提示词的六个白色 token，0 到 5，1 号还空两格。A、B、C 三个 token 从抽屉后面探出头，各举一张单子 0、1，都"
        "喊：我的！机器人管理员说：六个 token 只存一份，单子一人一张。第二格：A 蹦到 1 号抽屉上方：我第一个词是“从前”"
        "，就写这儿！B 和 C 在抽屉后面喊：还有我们呢！管理员说：三个主人，谁都不许写！第三格：谁先动笔，谁搬去副本。A "
        "问：那我写哪儿？管理员说：写 2 号，我这就复制；黑板上记着：待复制，1 → 2。A 的单子改成了 0、2。2 号抽屉高兴地"
        "说：轮到我啦？第四格：三个要写，两份副本就够。B 说：我也要写！管理员说：B 去 3 号；黑板上是 1 → 2 和 1 → 3。C"
        " 问：我呢？管理员说：1 号就剩你一个，直接写吧。第五格：先复制，后动笔。A 站在空的 2 号抽屉上：2 号空着，我先"
        "写！管理员说：等复制完！一复制就盖满整个抽屉，你的“从前”就没了。第六格：六个抽屉的事，四个就够。2、3、1 号抽"
        "屉里都是 4、5 加一个自己的 token，分别属于 A、B、C，他们开讲：从前……有个……话说……架子上的 0 号抽屉说：三个主人"
        "，却没人能在我这儿写字。我满啦！"
    ),
}


def draw(lang: str) -> str:
    """The strip's SVG text in one language."""
    words = TEXT[lang]
    return sheet([fork, jump, first, last, order, four], words, words["title"], ALT[lang], lang)


def shared_tray(pen: Pen, x: float, y: float, number: int, owners: str, place: float = 41) -> list[float]:
    """An open drawer with a dot in its owners' colours, one for each of them. Returns the middle of each place."""
    middles = tray(pen, x, y, number, place)
    for index, owner in enumerate(owners):
        pen.circle(x + 14 + 18 * index, y + 38, 7, REQUESTS[owner], line=2)
    return middles


def prompt(pen: Pen, middles: list[float], y: float, positions: str, size: float = 36) -> None:
    """Tokens of the prompt, which belong to everybody, in the places of a drawer."""
    for x, position in zip(middles, positions, strict=False):
        token(pen, x, y, "", position, look=(0, -0.7), size=size)


def held(pen: Pen, x: float, y: float, entries: str) -> None:
    """A short block table on a stick whose foot is (x, y)."""
    pen.path(f"M{x} {y}V{y - 30}", line=4)
    pen.rect(x - 24, y - 62, 54, 32, SHEET, r=4)
    for index, entry in enumerate(entries):
        box = (x - 20 + 23 * index, y - 57, 23, 22)
        pen.rect(*box, WHITE, line=2)
        letter(pen, box, entry, 16, weight=700, pad=1)


def board(pen: Pen, x: float, y: float, head: str, copies: list[str]) -> None:
    """The copies that are still to be made."""
    pen.rect(x, y, 88, 32 + 26 * len(copies), "#35524a", r=7)
    letter(pen, (x, y + 4, 88, 24), head, 15, fill="#ffe08a", weight=600, pad=2)
    for row, copy in enumerate(copies):
        letter(pen, (x, y + 28 + 25 * row, 88, 25), copy, 18, fill=WHITE, weight=700, pad=2)


def pencil(pen: Pen, x: float, y: float, turn: float = 30) -> None:
    """A pencil whose tip is (x, y)."""
    g = pen.group(x, y, 1, turn)
    g.path("M0 0L-5 -11H5Z", "#f3d9b8", line=2)
    g.rect(-5, -40, 10, 29, "#f0b64d", line=2)
    g.rect(-5, -46, 10, 7, "#e58a8a", r=2, line=2)


def fork(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 350)
    for x, name in ((36, "A"), (120, "B"), (204, "C")):
        held(pen, x + 22, 252, "01")
        token(pen, x, 280, name, look=(0, 0.8), mood="open", size=52)
    clerk(pen, 322, 322, look=(-0.8, 0.3), mood="happy", hands=(None, None), scale=0.68)
    for x, number, positions in ((12, 0, "0123"), (196, 1, "45")):
        prompt(pen, shared_tray(pen, x, 312, number, "ABC"), 312, positions)
    plate(pen, (12, 44, 150, 46), words["prompt"], 15, "#fbf3dc")
    bubble(pen, words["once"], 372, 46, 200, (318, 166), at=1)
    for x, said in zip((36, 120, 204), words["mine"], strict=True):
        bubble(pen, said, x + 6, 141, 76, (x - 10, 222), at=0.5, size=15)
    caption(pen, words["fork"])


def jump(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 350)
    for x, name in ((112, "B"), (44, "C")):
        token(pen, x, 282, name, look=(0.8, -0.6), mood="worried", size=54)
    clerk(pen, 326, 330, look=(-0.9, -0.1), mood="deadpan", hands=((-58, -100), None), scale=0.7)
    middles = shared_tray(pen, 14, 316, 1, "ABC", place=62)
    prompt(pen, middles, 316, "45", 52)
    token(pen, middles[2] + 4, 252, "A", look=(0, 0.9), mood="open", size=56)
    pencil(pen, middles[2] + 40, 250, 24)
    for x in (-22, 0, 22):
        pen.path(f"M{middles[2] + 4 + x} 258v10", line=2)
    bubble(pen, words["why"], 12, 12, 226, (168, 190))
    bubble(pen, words["shared"], 370, 54, 160, (326, 178), at=1)
    bubble(pen, words["reading"], 12, 146, 150, (70, 222), size=17)


def first(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 330)
    clerk(pen, 308, 376, look=(-0.8, 0.3), mood="happy", hands=((-66, -84), (48, -56)), scale=0.76)
    board(pen, 142, 190, words["copy"], ["1 → 2"])
    token(pen, 46, 374, "A", look=(0.8, -0.5), mood="open", size=62)
    table(pen, 88, 304, "A", ["0", "2"], 30)
    drawer(pen, 216, 376, "2", look=(0.2, -0.9), mood="happy", scale=0.95)
    bubble(pen, words["where"], 12, 74, 150, (46, 296))
    bubble(pen, words["yours"], 370, 74, 196, (308, 196), at=1)
    bubble(pen, words["me"], 204, 256, 140, (216, 306), at=0.5, size=17)
    caption(pen, words["first"])


def last(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 330)
    clerk(pen, 314, 320, look=(-0.8, 0.3), hands=((-60, -84), None), scale=0.6)
    board(pen, 90, 122, words["copy"], ["1 → 2", "1 → 3"])
    token(pen, 48, 304, "B", look=(0.8, -0.4), mood="happy", size=52)
    middles = shared_tray(pen, 190, 316, 1, "C")
    prompt(pen, middles, 316, "45")
    token(pen, 140, 376, "C", look=(0.6, -0.5), mood="open", size=56)
    pencil(pen, 177, 374, 4)
    table(pen, 8, 304, "B", ["0", "3"], 30)
    bubble(pen, words["too"], 12, 68, 150, (46, 236))
    bubble(pen, words["three"], 372, 66, 216, (330, 180), at=1)
    bubble(pen, words["alone"], 372, 116, 216, (314, 192), at=1)
    bubble(pen, words["and"], 142, 222, 130, (142, 308), at=0.5)
    caption(pen, words["last"])


def order(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 350)
    clerk(pen, 112, 342, look=(0.9, 0.1), mood="worried", hands=(None, (86, -118)), scale=0.6)
    prompt(pen, shared_tray(pen, 10, 316, 1, "C"), 316, "45")
    middles = shared_tray(pen, 196, 316, 2, "A")
    token(pen, middles[2] + 12, 276, "A", look=(-0.8, 0.4), mood="happy", size=52)
    pencil(pen, middles[2] - 8, 302, 20)
    pen.path("M166 262Q192 236 212 256M212 256l-13 -2M212 256l1 -13", line=4)
    bubble(pen, words["there"], 372, 64, 280, (322, 220), at=1)
    bubble(pen, words["wait"], 12, 112, 300, (112, 208))
    caption(pen, words["order"])


def four(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 350)
    pen.rect(10, 152, 92, 10, "#b9814a", r=3)
    drawer(pen, 56, 152, "0", look=(0.8, 0.2), mood="open", scale=1.15)
    for index, (number, name) in enumerate(((2, "A"), (3, "B"), (1, "C"))):
        g = pen.group(4 + 125 * index, 332, 0.68)
        middles = shared_tray(g, 0, 0, number, name)
        prompt(g, middles, 0, "45", 38)
        token(g, middles[2], 0, name, look=(0, -0.7), mood="open", size=40)
    for index, joke in enumerate(words["jokes"]):
        bubble(pen, joke, 62 + 125 * index, 212, 128, (74 + 125 * index, 300), at=0.5)
    bubble(pen, words["never"], 370, 60, 256, (96, 116), at=1)
    caption(pen, words["four"])
