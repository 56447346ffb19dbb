"""Chapter 2's strip: drawers that queue up to be handed out, a list that says whose they are, and where a token lives.

Played on the library's own example: 8 blocks of 4; allocate(3), allocate(2), free the first three, allocate(4).
"""

from strips.cast import clerk, drawer, query, token
from strips.lettering import bubble, caption
from strips.paper import WHITE, Pen, sheet
from strips.props import backdrop, plate, table, tray

WALL, FLOOR, STORE, STORE_FLOOR = "#d5e6df", "#9fbcae", "#cfdcec", "#9fb3cb"
TABLE = ["5", "6", "7", "0"]

TEXT = {
    "en": {
        "title": "The Drawers, a comic strip in six panels",
        "queue": "Backstage: 8 drawers of 4 places. The free ones queue.",
        "three": "Three, please.",
        "sign": "FIRST IN, FIRST OUT",
        "head": "From the head:\n0, 1, 2.",
        "back": "B took 3 and 4. A is done, 0, 1 and 2 come back.",
        "first": "But I was first!",
        "before": "That was then. End of the queue.",
        "four": "Four for C.",
        "zero": "Five, six, seven … zero?",
        "any": "Any free one will do. Here’s your list.",
        "again": "Back already!",
        "table": "block table",
        "where": "Where’s C’s token 13?",
        "entry": "13 // 4 = 3: the list’s entry 3 says drawer 0.",
        "place": "13 % 4 = 1: place 1.",
        "order": "Order is in the list, not in the numbers on the doors.",
        "last": "I’m token 13. I live in slot 1.",
        "oldest": "I’m token 0. I live in slot 20.",
        "sum": "slot = 0 × 4 + 1 = 1",
        "later": "Later that day.",
        "return": "I’d like to return 0, 1, 2.",
        "refused": "Again? Nobody owns 1. So: no.",
        "even": "Even 0?",
        "inside": "Above all 0. C’s things are in there.",
        "old": "A’s old list",
    },
    "zh": {
        "title": "六格漫画：抽屉们",
        "queue": "后台：8 个抽屉，每个 4 格，\n空闲的排队等活",
        "three": "要三个，谢谢。",
        "sign": "先进先出",
        "head": "队头的\n0、1、2，出列！",
        "back": "B 领走 3、4。A 用完了，\n0、1、2 回来排队",
        "first": "我本来排第一！",
        "before": "那是上一轮。\n请到队尾。",
        "four": "C 要四个",
        "zero": "五、六、七……零？",
        "any": "空着就行，挨不挨着\n无所谓。单子拿好。",
        "again": "又是我！",
        "table": "块表",
        "where": "C 的 13 号 token\n住哪儿？",
        "entry": "13 // 4 = 3，单子第 3 项\n写着：0 号抽屉。",
        "place": "13 % 4 = 1，第 1 格。",
        "order": "谁先谁后看单子，不看门牌号",
        "last": "我是 13 号，\n住 1 号槽位。",
        "oldest": "我是 0 号，\n住 20 号槽位。",
        "sum": "槽位 = 0 × 4 + 1 = 1",
        "later": "当天晚些时候",
        "return": "我来还\n0、1、2。",
        "refused": "还过了。1 号没有主人，\n三个都不收！",
        "even": "0 号也不行？",
        "inside": "0 号更不行，\n里面是 C 的东西。",
        "old": "A 的旧单子",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: Backstage, eight drawers of four places, with eyes, feet and the "
        "numbers 0 to 7, queue below a sign: first in, first out. Token A: three, please. The robot clerk: from the "
        "head: 0, 1, 2. Panel 2: B took 3 and 4; A is done, so 0, 1 and 2 come back, and the queue is 5, 6, 7, 0, 1, "
        "2. Drawer 0: but I was first! The clerk: that was then, end of the queue. Panel 3: Four for C. Token C: "
        "five, six, seven … zero? The clerk: any free one will do, here’s your list, the block table 5, 6, 7, 0. "
        "Drawer 0, pleased: back already! Panel 4: The detective with a magnifying glass for a head: where’s C’s "
        "token 13? The clerk: 13 // 4 = 3: the list’s entry 3 says drawer 0. 13 % 4 = 1: place 1. Panel 5: Order is "
        "in the list, not in the numbers on the doors. Two open drawers: token 13, in place 1 of drawer 0, lives in "
        "slot 1, since slot = 0 × 4 + 1 = 1; token 0, in place 0 of drawer 5, lives in slot 20. Panel 6: Later that "
        "day A comes with its old list: I’d like to return 0, 1, 2. The clerk: again? Nobody owns 1, so: no. Even "
        "0? Above all 0, C’s things are in there."
    ),
    "zh": (
        "六格漫画。第一格：后台，8 个长着眼睛和脚的抽屉，每个 4 格，编号 0 到 7，在“先进先出”的牌子下排队。token A "
        "说：要三个，谢谢。机器人管理员说：队头的 0、1、2，出列！第二格：B 领走了 3、4；A 用完了，0、1、2 回来排队，"
        "队伍变成 5、6、7、0、1、2。0 号抽屉抗议：我本来排第一！管理员说：那是上一轮，请到队尾。第三格：C 要四个。"
        "token C 纳闷：五、六、七……零？管理员说：空着就行，挨不挨着无所谓，单子拿好：块表 5、6、7、0。0 号抽屉高兴"
        "地说：又是我！第四格：脑袋是放大镜的侦探问：C 的 13 号 token 住哪儿？管理员说：13 // 4 = 3，单子第 3 项写着 "
        "0 号抽屉；13 % 4 = 1，第 1 格。第五格：谁先谁后看单子，不看门牌号。两个拉开的抽屉：13 号在 0 号抽屉第 1 格，"
        "住 1 号槽位，因为槽位 = 0 × 4 + 1 = 1；0 号在 5 号抽屉第 0 格，住 20 号槽位。第六格：当天晚些时候，A 拿着旧"
        "单子来了：我来还 0、1、2。管理员说：还过了，1 号没有主人，三个都不收！0 号也不行？0 号更不行，里面是 C 的东"
        "西。"
    ),
}


def draw(lang: str) -> str:
    """The strip's SVG text in one language."""
    words = TEXT[lang]
    return sheet([queue, back, zero, where, slots, twice], words, words["title"], ALT[lang], lang)


def queue(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 268)
    clerk(pen, 312, 344, look=(-0.8, 0.4), mood="happy", hands=((-62, -60), (50, -58)), scale=0.72)
    for number in range(7, 2, -1):
        drawer(pen, 248 - 46 * (number - 3), 304 - 3 * (number % 2), str(number), look=(0.7, 0), scale=0.72)
    for number, x in ((0, 236), (1, 170), (2, 104)):
        drawer(pen, x, 376, str(number), look=(0, -0.7), mood="happy", scale=0.95)
    token(pen, 40, 374, "A", look=(0.8, -0.6), mood="open", size=54)
    plate(pen, (22, 76, 144, 58), words["sign"], 17, "#fbf3dc")
    bubble(pen, words["three"], 12, 186, 190, (30, 300))
    bubble(pen, words["head"], 370, 84, 192, (312, 176), at=1)
    caption(pen, words["queue"])


def back(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 300)
    clerk(pen, 316, 346, look=(-0.7, 0.4), mood="deadpan", hands=((-70, -72), (50, -58)), scale=0.74)
    for index, number in enumerate("567012"):
        late = number in "012"
        drawer(
            pen,
            254 - 45 * index,
            372,
            number,
            look=(0.8, -0.7) if late else (0.7, 0),
            mood="open" if number == "0" else "sad" if late else "calm",
            scale=0.74,
        )
    plate(pen, (22, 76, 144, 58), words["sign"], 17, "#fbf3dc")
    bubble(pen, words["first"], 12, 206, 200, (119, 302))
    bubble(pen, words["before"], 370, 76, 176, (316, 176), at=1)
    caption(pen, words["back"])


def zero(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 300)
    clerk(pen, 318, 364, look=(-0.8, 0.1), mood="happy", hands=((-64, -84), (52, -54)), scale=0.72)
    token(pen, 42, 296, "C", look=(0.6, 0.8), mood="open", size=52)
    for x, number in zip((44, 110, 176, 242), TABLE, strict=True):
        last = number == "0"
        drawer(
            pen, x, 376, number, look=(0.8, -0.6) if last else (0, -0.6), mood="happy" if last else "calm", scale=0.9
        )
    table(pen, 100, 192, words["table"], TABLE, 32)
    bubble(pen, words["zero"], 12, 48, 214, (42, 232))
    bubble(pen, words["any"], 370, 96, 214, (318, 196), at=1)
    bubble(pen, words["again"], 254, 272, 190, (246, 318), at=1, size=18)
    caption(pen, words["four"])


def where(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 330)
    query(pen, 56, 376, look=(0.9, 0), mood="open", hands=(None, (40, -70)), scale=0.74)
    clerk(pen, 318, 374, look=(-0.8, 0.2), hands=((-64, -88), (48, -56)), scale=0.7)
    table(pen, 106, 254, words["table"], TABLE, 34, marked=3)
    bubble(pen, words["where"], 12, 12, 200, (52, 120))
    bubble(pen, words["entry"], 370, 88, 284, (336, 220), at=1)
    bubble(pen, words["place"], 304, 166, 260, (318, 230), at=1)


def slots(pen: Pen, words: dict) -> None:
    backdrop(pen, STORE, STORE_FLOOR, 350)
    plate(pen, (55, 198, 270, 40), words["sum"], 19, "#35524a", WHITE)
    late, early = tray(pen, 12, 312, 0), tray(pen, 196, 312, 5)
    for x, label in zip(late, ("12", "13"), strict=False):
        token(pen, x, 312, "C", label, look=(0.2, -0.8), mood="open" if label == "13" else "calm", size=36)
    for x, label in zip(early, "0123", strict=True):
        token(pen, x, 312, "C", label, look=(-0.2, -0.8), mood="open" if label == "0" else "calm", size=36)
    bubble(pen, words["last"], 12, 72, 180, (late[1], 270))
    bubble(pen, words["oldest"], 370, 72, 180, (early[0], 270), at=1)
    caption(pen, words["order"])


def twice(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 316)
    clerk(pen, 322, 380, look=(-0.8, 0.3), mood="deadpan", hands=((-70, -96), (50, -56)), scale=0.6)
    drawer(pen, 240, 376, "0", look=(-0.9, -0.2), mood="worried", scale=0.9)
    token(pen, 46, 376, "A", look=(0.8, -0.3), mood="open", size=56)
    table(pen, 82, 244, words["old"], ["0", "1", "2"], 34)
    bubble(pen, words["return"], 12, 44, 176, (40, 114))
    bubble(pen, words["refused"], 370, 48, 184, (316, 210), at=1)
    bubble(pen, words["even"], 12, 126, 176, (36, 300))
    bubble(pen, words["inside"], 370, 168, 230, (322, 246), at=1)
    caption(pen, words["later"])
