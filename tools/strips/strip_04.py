"""Chapter 4's strip: how many seats to a block? One makes a long list, 256 empty chairs, and kernels have tastes.

The numbers are the chapter's: 3,000 tokens in blocks of 1, 16 and 256; the 145 that short requests have on average;
250 tokens in common.
"""

from strips.cast import REQUESTS, arms, clerk, eyes, mouth, query, token
from strips.lettering import bubble, caption, letter
from strips.paper import INK, WHITE, Pen, sheet
from strips.props import VELVET, backdrop, coat, plate, seat, table

WALL, FLOOR, HALL, HALL_FLOOR = "#f3d9c9", "#c99a7c", "#4b3a5a", "#6b5478"
BOARD, SHEET = "#35524a", "#fffaf0"
SHORT = 145
SHARED = {1: 250, 16: 240, 256: 0}  # of 250 tokens in common, by block size

TEXT = {
    "en": {
        "title": "Just Right, a comic strip in six panels",
        "opening": "Before the cinema opens.",
        "how": "How many seats shall make a block?",
        "one": "We’re 3,000. Blocks of one! Then no seat stays empty.",
        "block": "block = ?",
        "ones": "Blocks of 1: not one empty seat.",
        "entry": "Entry 1,733. Back to the balcony …",
        "left": "Nearly there! Just 1,267 to go.",
        "long": "3,000 entries",
        "many": "Blocks of 256: A’s list has 12 entries.",
        "feet": "12 stops. My feet love it.",
        "echo": "There are 145 of us. Hello? … lo? … lo?",
        "empty": "111 empty",
        "alike": "A and B begin with the same 250.",
        "together": "Same start! Can’t we share seats?",
        "full": "Only full blocks. 250 don’t fill a 256.",
        "table": ["block", "shared"],
        "sixteen": "Blocks of 16: 188 entries, 8 seats empty.",
        "stroll": "188 stops? I call that a stroll.",
        "coats": "And room for our coats!",
        "last": "A’s last block",
        "taste": "Kernels are picky eaters.",
        "menu": "DIETARY REQUIREMENTS",
        "diets": [
            *("FlashAttention in vLLM 0.33.0", "16 · n"),
            *("FlashMLA in vLLM 0.33.0", "64"),
            *("FlashAttention-2 at 0251105a", "256 · n"),
            *("FlashInfer at fb28d724", "any"),
        ],
        "sixty": "64 a bite. Or I don’t eat.",
        "cut": "Then my 128 is two bites.",
        "any": "I eat anything.",
    },
    "zh": {
        "title": "六格漫画：不大不小",
        "opening": "KV 电影院，开张之前",
        "how": "一块几个座好呢？",
        "one": "我们 3000 个。\n一块一个座吧，\n一个都不会空！",
        "block": "一块 = ?",
        "ones": "一块 1 个座：一个不空",
        "entry": "第 1733 项，\n又要上二楼……",
        "left": "快了快了，\n只剩 1267 项！",
        "long": "共 3000 项",
        "many": "一块 256 个座：\nA 的单子只有 12 项",
        "feet": "12 趟走完，\n腿都舒坦了。",
        "echo": "我们才 145 个。\n有人吗——\n人吗——吗——",
        "empty": "空 111 个",
        "alike": "A 和 B，前 250 个一模一样",
        "together": "开头一样，\n座位合用行吗？",
        "full": "整块才能合用，\n250 个不够一块。",
        "table": ["一块", "合用"],
        "sixteen": "一块 16 个座：\n单子 188 项，空 8 个座",
        "stroll": "188 趟？\n就当散步了。",
        "coats": "正好放大衣！",
        "last": "A 的最后一块",
        "taste": "可是 kernel 也挑食",
        "menu": "忌口一览",
        "diets": [
            *("vLLM 0.33.0 的 FlashAttention", "16 · n"),
            *("vLLM 0.33.0 的 FlashMLA", "64"),
            *("FlashAttention-2，0251105a", "256 · n"),
            *("FlashInfer，fb28d724", "不忌口"),
        ],
        "sixty": "一口 64 个，\n不然不吃。",
        "cut": "那我这块 128，\n切成你的两口。",
        "any": "我什么都吃。",
    },
}

ALT = {
    "en": (
        "Comic strip in six panels. Panel 1: Before the cinema opens. The robot clerk with a board, block = ?: how "
        "many seats shall make a block? Token A: we’re 3,000; blocks of one, then no seat stays empty! Panel 2: "
        "Blocks of 1, not one empty seat. A list of 3,000 entries winds through the whole panel. The detective with a "
        "magnifying glass for a head, exhausted: entry 1,733, back to the balcony … The clerk: nearly there, just "
        "1,267 to go! Panel 3: Blocks of 256: A’s list has 12 entries. The detective: 12 stops, my feet love it. "
        "Token D in a block of 256 seats, 111 of them empty: there are 145 of us. Hello? … lo? … lo? Panel 4: A and B "
        "begin with the same 250. Both: same start, can’t we share seats? The clerk: only full blocks; 250 don’t fill "
        "a 256. A board: in blocks of 1 they would share 250 seats, of 16 240, of 256 none. Panel 5: Blocks of 16: "
        "188 entries, 8 seats empty. The detective: 188 stops? I call that a stroll. The eight tokens in the last "
        "block, coats on the eight other seats: and room for our coats! Panel 6: Kernels are picky eaters. A board, "
        "dietary requirements: FlashAttention in vLLM 0.33.0 takes multiples of 16, FlashMLA there 64, "
        "FlashAttention-2 itself (0251105a) multiples of 256, FlashInfer itself (fb28d724) any. A machine with teeth "
        "and a fork: 64 a bite, or I don’t eat. The clerk, with a block that is marked in the middle: then my 128 is "
        "two bites. A second machine, happily: I eat anything."
    ),
    "zh": (
        "六格漫画。第一格：KV 电影院，开张之前。机器人管理员举着牌子“一块 = ?”，问：一块几个座好呢？token A 说：我们 "
        "3000 个，一块一个座吧，一个都不会空！第二格：一块 1 个座，一个不空。3000 项的单子弯弯曲曲铺满画面。脑袋是放大"
        "镜的侦探累坏了：第 1733 项，又要上二楼……管理员说：快了快了，只剩 1267 项！第三格：一块 256 个座，A 的单子只有"
        " 12 项。侦探说：12 趟走完，腿都舒坦了。D 组坐在 256 个座里，空 111 个：我们才 145 个，有人吗——人吗——吗——。第"
        "四格：A 和 B，前 250 个一模一样。两个 token 说：开头一样，座位合用行吗？管理员说：整块才能合用，250 个不够一"
        "块。黑板上写着：一块 1 个座合用 250 个，16 个座合用 240 个，256 个座合用 0 个。第五格：一块 16 个座，单子 188"
        " 项，空 8 个座。侦探说：188 趟？就当散步了。最后一块里坐着八个 token，另外八个座上放着大衣：正好放大衣！第六"
        "格：可是 kernel 也挑食。黑板“忌口一览”：vLLM 0.33.0 的 FlashAttention 要 16 的倍数，FlashMLA 要 64；"
        "FlashAttention-2 原版（0251105a）要 256 的倍数；FlashInfer（fb28d724）不忌口。一台长着牙、拿着叉子的机器说："
        "一口 64 个，不然不吃。管理员捧着中间画了线的一块说：那我这块 128，切成你的两口。另一台机器乐呵呵地说：我什么"
        "都吃。"
    ),
}


def draw(lang: str) -> str:
    """The strip's SVG text in one language."""
    words = TEXT[lang]
    return sheet([opening, ones, many, alike, sixteen, kernels], words, words["title"], ALT[lang], lang)


def opening(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 324, 378, look=(-0.8, 0.3), mood="worried", hands=((-88, -66), (50, -56)), scale=0.8)
    pen.rect(231, 300, 6, 60, "#9a7150", line=2)
    plate(pen, (182, 258, 104, 44), words["block"], 17, BOARD, WHITE, 700)
    for x, y, size in ((32, 366, 40), (80, 376, 44), (142, 374, 58)):
        token(pen, x, y, "A", look=(0.8, -0.6), mood="open" if size == 58 else "happy", size=size)
    bubble(pen, words["how"], 370, 48, 230, (324, 190), at=1)
    bubble(pen, words["one"], 12, 122, 176, (140, 300))
    caption(pen, words["opening"])


def ones(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 232)
    pen.tube("M318 246H84Q30 246 30 276T84 306H296Q350 306 350 336T296 366H-20", SHEET, 26)
    for y, first, entries in ((246, 186, "907 12 88"), (306, 186, "41 6 53"), (366, 8, "3 777 19")):
        for index, entry in enumerate(entries.split()):
            x = first + 36 * index
            pen.path(f"M{x} {y - 13}v26M{x + 36} {y - 13}v26", line=1.5)
            letter(pen, (x, y - 12, 36, 24), entry, 14, weight=600, pad=0)
    query(pen, 132, 360, look=(0.6, 0.9), mood="worried", hands=((-46, -30), (44, -34)), scale=0.72)
    for x, y in ((88, 222), (94, 206), (176, 222)):
        pen.path(f"M{x} {y}q-5 8 0 10q5 -2 0 -10z", "#8fd0f0", line=1.5)
    clerk(pen, 326, 330, look=(-0.8, 0.5), mood="happy", hands=((-34, -110), (48, -60)), scale=0.72)
    plate(pen, (152, 330, 138, 30), words["long"], 14, "#fbf3dc")
    bubble(pen, words["entry"], 12, 66, 200, (128, 206))
    bubble(pen, words["left"], 372, 66, 182, (326, 166), at=1)
    caption(pen, words["ones"])


def many(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 316)
    query(pen, 70, 372, look=(0.7, 0.2), mood="happy", hands=((-40, -44), (46, -64)), scale=0.76)
    table(pen, 100, 296, "A", ["4", "9", "…"], 24)
    cell, left, top = 9.5, 208, 210
    pen.rect(left - 6, top - 6, 16 * cell + 12, 16 * cell + 12, "#3a2c48", r=6)
    for index in range(256):
        x, y = left + index % 16 * cell + 1, top + index // 16 * cell + 1
        taken = index < SHORT
        pen.rect(x, y, cell - 2, cell - 2, REQUESTS["D"] if taken else VELVET, r=2, line=1 if taken else 0)
    token(pen, left + 8 * cell + 30, top + 9 * cell + 4, "D", look=(0, 0.8), mood="open", size=44)
    plate(pen, (left + 24, top + 120, 104, 26), words["empty"], 14, "#fbf3dc")
    bubble(pen, words["feet"], 12, 74, 150, (68, 196))
    bubble(pen, words["echo"], 370, 72, 196, (316, 246), at=1)
    caption(pen, words["many"])


def alike(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    clerk(pen, 322, 376, look=(-0.8, 0.1), mood="deadpan", hands=((-62, -90), (48, -56)), scale=0.74)
    for x, name, mood in ((42, "A", "open"), (102, "B", "happy")):
        token(pen, x, 376, name, look=(0.7, -0.6), mood=mood, size=56)
    board(pen, 140, 210, words["table"])
    bubble(pen, words["together"], 12, 68, 168, (44, 306))
    bubble(pen, words["full"], 374, 92, 196, (320, 206), at=1)
    caption(pen, words["alike"])


def board(pen: Pen, x: float, y: float, heads: list[str]) -> None:
    """How many of the 250 are shared, by block size; a bar to scale beside each."""
    pen.rect(x, y, 130, 104, BOARD, r=7)
    for column, head in ((0, heads[0]), (62, heads[1])):
        letter(pen, (x + 2 + column, y + 5, 62, 20), head, 13, fill="#cfe3d8", weight=600, pad=0)
    for row, (size, shared) in enumerate(SHARED.items()):
        top = y + 28 + 24 * row
        letter(pen, (x + 8, top, 46, 18), str(size), 14, fill=WHITE, weight=700, pad=0)
        letter(pen, (x + 70, top, 46, 18), str(shared), 14, fill=WHITE, weight=700, pad=0)
        pen.rect(x + 68, top + 19, 50 * shared / 250, 3, REQUESTS["A"], line=0)


def sixteen(pen: Pen, words: dict) -> None:
    backdrop(pen, HALL, HALL_FLOOR, 270)
    query(pen, 50, 376, look=(0.8, -0.1), mood="happy", hands=((-36, -40), (42, -80)), scale=0.76)
    for row, y in enumerate((318, 374)):
        for index in range(8):
            x = 116 + 34 * index
            seat(pen, x, y, 34)
            if row:
                coat(pen, x, y - 2, ("#6c8f78", "#b58b4c", "#7d86ad", "#a8635d")[index % 4], 33)
            else:
                mood = "open" if index == 4 else ("happy", "calm")[index % 2]
                token(pen, x, y - 6, "A", look=(-0.7, -0.4), mood=mood, size=32)
    plate(pen, (214, 80, 152, 34), words["last"], 16, SHEET)
    bubble(pen, words["stroll"], 12, 72, 190, (52, 202))
    bubble(pen, words["coats"], 370, 156, 190, (116 + 34 * 4, 268), at=1)
    caption(pen, words["sixteen"])


def kernels(pen: Pen, words: dict) -> None:
    backdrop(pen, WALL, FLOOR, 330)
    pen.rect(14, 44, 352, 128, BOARD, r=7)
    letter(pen, (20, 47, 340, 24), words["menu"], 15, fill="#ffe08a", weight=700, pad=0)
    for row, (name, size) in enumerate(zip(words["diets"][::2], words["diets"][1::2], strict=True)):
        letter(pen, (20, 72 + 24 * row, 244, 24), name, 14.5, fill=WHITE, pad=0)
        letter(pen, (270, 72 + 24 * row, 90, 24), size, 16, fill=WHITE, weight=700, pad=0)
    machine(pen, 64, 376, "#8fb4d8", (0.8, -0.2), "deadpan", "64")
    clerk(pen, 192, 380, look=(-0.9, 0.3), mood="happy", hands=((-84, -60), (84, -60)), scale=0.5)
    pen.rect(150, 334, 84, 30, "#d9a56b", r=5)
    pen.add("path", d="M192 328V370", stroke=INK, stroke_width=2.5, stroke_dasharray="5 4")
    for x in (152, 194):
        letter(pen, (x, 336, 38, 26), "64", 17, weight=700, pad=0)
    machine(pen, 320, 376, "#e0b0c8", (-0.6, -0.6), "happy", "n")
    bubble(pen, words["sixty"], 8, 180, 124, (56, 296), size=15.5)
    bubble(pen, words["cut"], 200, 180, 140, (196, 268), at=0.5, size=15.5)
    bubble(pen, words["any"], 374, 186, 100, (322, 300), at=1, size=15.5)
    caption(pen, words["taste"])


def machine(pen: Pen, x: float, y: float, fill: str, look: tuple, mood: str, diet: str) -> None:
    """A kernel: a reading machine with an appetite, its diet on the bib. About 84 wide and 90 high."""
    g = pen.group(x, y)
    for side in (-1, 1):
        g.circle(22 * side, -8, 8, "#4d5562")
    arms(g, ((-32, -40), (32, -40)), ((-44, -26), (46, -48)), fill, WHITE)
    g.path("M46 -38V-72M40 -84V-76Q40 -70 46 -70Q52 -70 52 -76V-84M46 -84V-72", line=3)
    g.rect(-36, -76, 72, 64, fill, r=14)
    eyes(g, 0, -76, 14, 12, look, mood, fill)
    if mood == "happy":
        mouth(g, 0, -54, "happy", 1.2)
    else:
        g.rect(-24, -58, 48, 12, INK, r=4)
        g.path("M-24 -57l6 7 6 -7 6 7 6 -7 6 7 6 -7 6 7 6 -7z", WHITE, line=0)
    g.path("M-30 -40H30L24 -14Q0 -6 -24 -14Z", WHITE, line=2)
    letter(g, (-29, -38, 58, 22), diet, 17, weight=700, pad=0)
