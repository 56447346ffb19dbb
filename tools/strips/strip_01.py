"""Chapter 1's strip: a cinema that ropes off whole rows for groups that might grow, and then stops doing so.

The numbers are the chapter's: 55 GiB in slots of 56 KiB; 31 groups when each reserves 32,768; 342 of 3,000 tokens in
blocks of 16.
"""

from strips.cast import clerk, query, token
from strips.lettering import bubble, caption, letter
from strips.paper import INK, WHITE, Pen, sheet
from strips.props import VELVET, backdrop, coat, plate, rope, seat, table

WALL, FLOOR, HALL, HALL_FLOOR = "#f3d9c9", "#c99a7c", "#4b3a5a", "#6b5478"

TEXT = {
    "en": {
        "title": "The KV Cinema, a comic strip in six panels",
        "counter": "The KV Cinema. 1,029,851 seats, one token each.",
        "few": "Maybe 3,000 of us. Maybe 32,768. We do ramble.",
        "row": "Then I rope off 32,768.",
        "tickets": "TICKETS",
        "inside": "Ten minutes later.",
        "taken": "Anybody sitting here?",
        "later": "Friends. Later.",
        "there": "And there?",
        "never": "Friends we’ll never have.",
        "wastes": ["reserved", "internal fragmentation"],
        "full": "House full: 31 groups. Nine seats in ten are empty.",
        "hole": "But 14,043 seats are left! We’re only 3,000.",
        "no": "And if you become 32,768? In one row?",
        "sold": "SOLD OUT",
        "external": "external fragmentation",
        "rule": "New rule: no more rows. Sixteen seats at a time, wherever there are any.",
        "apart": "We’ll be all over the place!",
        "list": "You get a list.",
        "table": "block table",
        "packed": "Same hall: 342 groups. 99.6% of the seats are taken.",
        "again": "Anybody sitting here?",
        "tail": "No. We’re just the end of the last block.",
        "speed": "11 times the groups!\n11 times the throughput?",
        "three": "About 3. One film does for all. But each group wants its own “Previously on …” at every single step.",
        "film": "weights",
        "recap": "Previously on …",
    },
    "zh": {
        "title": "六格漫画：KV 电影院",
        "counter": "KV 电影院：1029851 个座位，\n一个 token 坐一个",
        "few": "可能 3000 个，\n可能 32768 个，\n看聊得多不多。",
        "row": "那我先围起来\n32768 个座。",
        "tickets": "售票处",
        "inside": "十分钟后",
        "taken": "请问这儿有人吗？",
        "later": "有，人还没到。",
        "there": "那边呢？",
        "never": "也有。\n就是永远不会到。",
        "wastes": ["预留", "内部碎片"],
        "full": "31 组就客满了。十个座位九个空。",
        "hole": "14043 个座空着呢！\n我们才 3000 个。",
        "no": "万一来 32768 个？\n还得连座。",
        "sold": "客满",
        "external": "外部碎片",
        "rule": "新规矩：不留整排了。一次发\n16 个座，哪儿空坐哪儿。",
        "apart": "那我们不就坐散了？",
        "list": "给，拿好单子。",
        "table": "块表",
        "packed": "还是这个厅：342 组，\n99.6% 的座位有人",
        "again": "请问这儿有人吗？",
        "tail": "真没有。\n我们是最后一块，\n坐不满。",
        "speed": "组数是 11 倍，\n每秒的 token 也是 11 倍吧？",
        "three": "3 倍左右。片子放一遍，大家都能看；可每走一步，每组都要单独听一遍自己的“前情提要”。",
        "film": "权重",
        "recap": "前情提要",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: At the ticket counter of the KV Cinema (1,029,851 seats, one token "
        "each) small block-shaped tokens of group A say: maybe 3,000 of us, maybe 32,768, we do ramble. The clerk, a "
        "round-eyed robot: then I rope off 32,768. Panel 2: In the hall two tokens sit beside two seats with coats "
        "on them and three empty seats behind a rope. A detective with a magnifying glass for a head asks: anybody "
        "sitting here? Friends, later (reserved). And there? Friends we’ll never have (internal fragmentation). "
        "Panel 3: House full with 31 groups, nine seats in ten are empty. Group D at the door: but 14,043 seats are "
        "left, we’re only 3,000! The clerk, with a sign saying sold out: and if you become 32,768, in one row? "
        "(external fragmentation). Panel 4: The clerk cuts the rope: new rule, no more rows, sixteen seats at a "
        "time, wherever there are any. D: we’ll be all over the place! You get a list: the block table 6, 7, 41, 3 "
        "and so on. Panel 5: Same hall, 342 groups, 99.6% of the seats taken, the groups mixed. The detective points "
        "at two empty seats: anybody sitting here? No, we’re just the end of the last block. Panel 6: The "
        "detective: 11 times the groups! 11 times the throughput? The clerk, worn out, reading a long scroll beside "
        "the projector called weights: about 3. One film does for all, but each group wants its own “Previously on "
        "…” at every single step."
    ),
    "zh": (
        "六格漫画。第一格：KV 电影院售票处，1029851 个座位，一个 token 坐一个。方块模样的 A 组 token 说：可能 3000 个"
        "，可能 32768 个，看聊得多不多。圆眼睛的机器人售票员说：那我先围起来 32768 个座。第二格：厅里坐着两个 token，"
        "旁边两个座位搭着外套，还有三个空座围着绳子。脑袋是放大镜的侦探问：请问这儿有人吗？有，人还没到（预留）。那边"
        "呢？也有，就是永远不会到（内部碎片）。第三格：31 组就客满了，十个座位九个空。门口的 D 组说：14043 个座空着呢"
        "！我们才 3000 个。举着客满牌子的售票员说：万一来 32768 个？还得连座（外部碎片）。第四格：售票员剪断绳子：新"
        "规矩，不留整排了，一次发 16 个座，哪儿空坐哪儿。D 问：那我们不就坐散了？给，拿好单子：块表 6、7、41、3……第"
        "五格：还是这个厅，342 组，99.6% 的座位有人，各组混着坐。侦探指着两个空座问：请问这儿有人吗？真没有，我们是最"
        "后一块，坐不满。第六格：侦探问：组数是 11 倍，每秒的 token 也是 11 倍吧？售票员在写着“权重”的放映机旁念长"
        "长的卷轴，一脸疲惫：3 倍左右。片子放一遍，大家都能看；可每走一步，每组都要单独听一遍自己的“前情提要”。"
    ),
}


def draw(lang: str) -> str:
    """The strip’s SVG text in one language."""
    words = TEXT[lang]
    return sheet([counter, wastes, sold_out, scissors, full_house, recap], words, words["title"], ALT[lang], lang)


def counter(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 286, 388, look=(-0.8, 0.3), hands=((-62, -92), (62, -92)), scale=0.95)
    pen.rect(206, 316, 200, 80, "#9c5f3e", r=6)
    pen.rect(198, 304, 210, 16, "#b97a52", r=6)
    plate(pen, (226, 330, 132, 34), words["tickets"], 18, "#f7e3b4")
    for x, y, size in ((34, 368, 40), (84, 376, 44), (148, 372, 58)):
        token(pen, x, y, "A", look=(0.8, -0.6), mood="open" if size == 58 else "happy", size=size)
    bubble(pen, words["few"], 12, 68, 190, (150, 300))
    bubble(pen, words["row"], 370, 68, 160, (286, 166), at=1)
    caption(pen, words["counter"])


def wastes(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 316)
    query(pen, 48, 350, look=(0.9, 0.2), mood="open", hands=(None, (48, -60)), scale=0.78)
    xs = [116 + 40 * i for i in range(7)]
    for x in xs:
        seat(pen, x, 330, 40)
    for x, mood in zip(xs[:2], ("open", "happy"), strict=True):
        token(pen, x, 322, "A", look=(-0.8, -0.6), mood=mood, size=36)
    coat(pen, xs[2], 328, "#6c8f78")
    coat(pen, xs[3], 328, "#b58b4c")
    rope(pen, [xs[4] - 18, xs[6] + 16], 338, 40)
    for (left, right), word in zip(((xs[2], xs[3]), (xs[4], xs[6])), words["wastes"], strict=True):
        pen.path(f"M{left - 16} 341v5H{right + 16}v-5", line=2, ink=WHITE)
        letter(pen, (left - 18, 348, right - left + 36, 34), word, 13, fill=WHITE, weight=600, pad=0)
    bubble(pen, words["taken"], 12, 46, 180, (40, 122))
    bubble(pen, words["later"], 368, 70, 178, (124, 280), at=1)
    bubble(pen, words["there"], 12, 124, 150, (48, 180))
    bubble(pen, words["never"], 368, 180, 188, (164, 290), at=1)
    caption(pen, words["inside"])


def sold_out(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    pen.rect(226, 182, 140, 150, "#7c4a33", r=4)
    clerk(pen, 296, 366, look=(-0.8, 0.4), mood="deadpan", hands=((-58, -58), (58, -58)), scale=0.8)
    plate(pen, (229, 302, 134, 40), words["sold"], 17, "#f7d1cc", "#8f1f2b", 700)
    seat_map(pen, 16, 208)
    letter(pen, (12, 278, 200, 20), words["external"], 14, fill="#8f1f2b", weight=600, pad=0)
    for x, y, size in ((30, 374, 40), (80, 378, 44), (140, 374, 56)):
        token(pen, x, y, "D", look=(0.8, -0.7), mood="open" if size == 56 else "sad", size=size)
    bubble(pen, words["hole"], 12, 66, 222, (144, 202))
    bubble(pen, words["no"], 370, 68, 164, (296, 190), at=1)
    caption(pen, words["full"])


def seat_map(pen: Pen, x: float, y: float) -> None:
    """The hall to scale: 31 roped-off stretches, 3,000 of 32,768 seats of each taken, and the hole of 14,043."""
    cell, high = 24, 15
    for index in range(31):
        left, top = x + index % 8 * cell, y + index // 8 * (high + 2)
        pen.rect(left, top, cell - 2, high, "#fbf4ee", line=0)
        pen.rect(left, top, (cell - 2) * 3000 / 32768, high, "#2f7fbf", line=0)
    left, top = x + 7 * cell, y + 3 * (high + 2)
    pen.rect(left, top, (cell - 2) * 14043 / 32768, high, "#e0554a", line=0)


def scissors(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    rope(pen, [-40, 26], 372, 66)
    pen.tube("M26 312Q44 318 40 350", VELVET, 4)
    pen.tube("M74 376Q86 366 98 374T122 372", VELVET, 4)
    clerk(pen, 128, 368, look=(0.9, 0.2), mood="happy", hands=((-60, -64), (64, -88)), scale=0.88)
    blades = pen.group(56, 306, 1, -10)
    blades.path("M14 0L-24 -12M14 0L-24 12", line=8)
    blades.path("M14 0L-24 -12M14 0L-24 12", line=4, ink="#dfe6ea")
    for y in (-9, 9):
        blades.circle(20, y, 7, "none", line=4)
    table(pen, 196, 236, words["table"], ["6", "7", "41", "3", "…"], 31)
    token(pen, 326, 376, "D", look=(-0.8, -0.8), mood="worried", size=52)
    bubble(pen, words["rule"], 12, 12, 330, (138, 158))
    bubble(pen, words["apart"], 368, 110, 198, (368, 232), at=1)
    bubble(pen, words["list"], 178, 186, 170, (166, 250), size=18)


def full_house(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 200)
    for y, row in ((256, "DD  BBBB"), (315, "AAAACCCC"), (374, "BBBBDDDD")):
        for index, request in enumerate(row):
            x = 116 + 33 * index + 8 * (index // 4)
            seat(pen, x, y, 33)
            if request != " ":
                speaker = y == 256 and index == 1
                mood = "open" if speaker else ("happy", "calm", "happy")[(index + y) % 3]
                token(pen, x, y - 6, request, look=(-0.8, -0.3) if y == 256 else (0, -0.6), mood=mood, size=31)
    query(pen, 50, 376, look=(0.9, 0.1), mood="open", hands=(None, (36, -92)), scale=0.8)
    bubble(pen, words["again"], 12, 68, 170, (50, 196))
    bubble(pen, words["tail"], 368, 68, 188, (156, 216), at=1)
    caption(pen, words["packed"])


def recap(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 336)
    pen.path("M104 262L400 200V330L104 278Z", "#fff3c4", line=0)
    projector(pen, 66, 300, words["film"])
    clerk(pen, 206, 374, look=(0.2, 0.9), mood="worried", hands=((-34, -70), (34, -70)), scale=0.72)
    scroll(pen, 206, 322, words["recap"])
    query(pen, 336, 376, look=(-0.9, 0), mood="happy", hands=((-44, -50), (30, -84)), scale=0.74)
    bubble(pen, words["speed"], 370, 12, 340, (366, 220), at=1)
    bubble(pen, words["three"], 10, 90, 322, (206, 212), size=19)


def projector(pen: Pen, x: float, y: float, label: str) -> None:
    for side in (-1, 1):
        pen.path(f"M{x} {y}L{x + 30 * side} 372", line=6)
    for reel in (-24, 22):
        pen.circle(x + reel, y - 66, 23, "#7d8794")
        pen.circle(x + reel, y - 66, 6, INK)
    pen.rect(x + 34, y - 40, 18, 22, "#5d6673", r=3)
    pen.rect(x - 42, y - 48, 80, 46, "#aab4bf", r=8)
    letter(pen, (x - 42, y - 48, 80, 46), label, 16, weight=700, pad=2)


def scroll(pen: Pen, x: float, y: float, label: str) -> None:
    """A strip of paper that has unrolled over the floor."""
    pen.path(f"M{x - 48} {y}H{x + 48}V{y + 42}Q{x + 52} 372 {x + 84} 390H{x - 48}Z", "#fffaf0")
    letter(pen, (x - 48, y, 96, 42), label, 14, weight=600, pad=0)
    pen.rect(x - 54, y - 8, 108, 12, "#e8d7b5", r=6)
