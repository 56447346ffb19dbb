"""Chapter 8's animation: request C's 14 scores, block after block, and the three numbers that a softmax carries along.

Scores and block table are those of the chapter's strip; the value of position p is the number p, as in chapter 3. It
plays as chapter 1's does (first_fit.py): by CSS alone, and drawn without motion it is the end of the walk.
"""

from itertools import pairwise
from math import exp, inf
from typing import NamedTuple
from xml.etree import ElementTree as ET

from first_fit import LOOP, Film
from strips.strip_08 import SCORES
from svg import ALARM, INK, LINE, MUTED, box, card, path, text

BLOCK_SIZE = 4
WIDTH, HEIGHT, LEFT = 720, 364, 24
COLUMN, GAP, FIRST = 34, 10, 88  # slots, the space between blocks, x of the first slot
GROUND, FULL = 216, 76  # y on which the bars stand, and the height of weight 1
KEPT, ADDED = "#0072b2", "#00755a"

# Seconds: each block is looked at, what is there is scaled, and then the block is added.
BEGIN, STEP, ADD = 0.6, 4.3, 1.9

TEXT = {
    "en": {
        "title": "The softmax of 14 scores, kept while the blocks 5, 6, 7 and 0 are read one after the other",
        "heading": "Block after block, and only three numbers to carry along",
        "rows": ["position", "score", "weight"],
        "block": "block {}",
        "kept": ["highest score", "sum of the weights", "sum of weight × value"],
        "first": "Block {block}: the highest score becomes {high}. Nothing is there yet to be scaled.",
        "same": "Block {block}: the highest score stays {high}. What is there counts as before.",
        "higher": "Block {block}: a {high}! What is there counts e^({old} − {high}) = {shrink:.3f} of what it did.",
        "added": "Then the block’s weights, e^(score − {high}), are added.",
        "end": "In the end one division: {summed:.2f} / {total:.3f} = {result:.2f}, as if all scores had been there.",
    },
    "zh": {
        "title": "14 个分数的 softmax：按 5、6、7、0 的次序一块一块地读，边读边算",
        "heading": "一块一块地读，身上只带三个数",
        "rows": ["位置", "分数", "权重"],
        "block": "块 {}",
        "kept": ["最大的分数", "权重的和", "权重 × value 的和"],
        "first": "块 {block}：最大的分数变成 {high}。手里还什么都没有，没有东西要缩小。",
        "same": "块 {block}：最大的分数还是 {high}。手里的照旧。",
        "higher": "块 {block}：来了个 {high}！手里的全部乘以 e^({old} − {high}) = {shrink:.3f}。",
        "added": "再把这一块的权重 e^(分数 − {high}) 加进去。",
        "end": "最后除一次：{summed:.2f} / {total:.3f} = {result:.2f}，和一次看到全部分数时一样。",
    },
}


class Step(NamedTuple):
    """One block of the walk. old and high: the highest score before and after it; shrink: what the numbers kept are
    scaled by; total and summed: the sums after scaling (`before`) and after the block was added."""

    block: int
    first: int
    scores: tuple[int, ...]
    old: float
    high: float
    shrink: float
    before: tuple[float, float]
    total: float
    summed: float


def run() -> list[Step]:
    """The walk along the block table, in order."""
    steps, high, total, summed, first = [], -inf, 0.0, 0.0, 0
    for block, scores in SCORES.items():
        old, high = high, max(high, *scores)
        shrink = exp(old - high)
        before = total * shrink, summed * shrink
        weights = [exp(score - high) for score in scores]
        total = before[0] + sum(weights)
        summed = before[1] + sum(weight * position for position, weight in enumerate(weights, first))
        steps.append(Step(block, first, scores, old, high, shrink, before, total, summed))
        first += len(scores)
    return steps


def walk(words: dict) -> str:
    """The animation in one language."""
    svg, steps = card(WIDTH, HEIGHT, words["title"]), run()
    film, times = Film(svg), [BEGIN + STEP * i for i in range(len(steps))]
    text(svg, LEFT, 36, words["heading"], size=17, weight="600")
    for y, row in zip((91, 116, GROUND + 17), words["rows"], strict=True):
        text(svg, LEFT, y, row, size=14, fill=MUTED)
    frame = film.moved(svg, [(time, column(i * BLOCK_SIZE) - FIRST) for i, time in enumerate(times)])
    box(frame, FIRST - 4, 48, COLUMN * BLOCK_SIZE + 8, GROUND - 20, "#eef2f5", LINE, radius=6)
    for i, step in enumerate(steps):
        slots(svg, i, step, words)
    path(svg, f"M{FIRST - 4} {GROUND}H{column(15) + COLUMN + 4}", MUTED)
    bars(film, steps, times)
    carried(film, steps, times, words)
    said(film, steps, times, words)
    return film.finish()


def column(index: int) -> float:
    """x of slot `index` of the walk: blocks of 4 slots, apart from each other."""
    return FIRST + COLUMN * index + GAP * (index // BLOCK_SIZE)


def slots(svg: ET.Element, index: int, step: Step, words: dict) -> None:
    """A block as it lies in memory, with its positions and their scores; a slot past the context is empty."""
    start = index * BLOCK_SIZE
    text(svg, column(start) + COLUMN * 2, 65, words["block"].format(step.block), 14, weight="600", anchor="middle")
    for offset in range(BLOCK_SIZE):
        x, here = column(start + offset), offset < len(step.scores)
        box(svg, x + 2, 75, COLUMN - 4, 22, KEPT if here else "#ffffff", KEPT if here else LINE, radius=3)
        if here:
            label = str(step.first + offset)
            text(svg, x + COLUMN / 2, 91, label, 14, "#ffffff", "600", "middle")
            text(svg, x + COLUMN / 2, 117, str(step.scores[offset]), 15, anchor="middle")


def bars(film: Film, steps: list[Step], times: list[float]) -> None:
    """The weight of each position, from when its block is added; drawn anew whenever the highest score has grown."""
    for i, step in enumerate(steps):
        since = times[i] + ADD
        grown = [j for j in range(i + 1, len(steps)) if steps[j].high > steps[j - 1].high]
        for start, end in pairwise([since, *(times[j] for j in grown), LOOP]):
            high = max(other.high for other, time in zip(steps, times, strict=True) if time <= start)
            group = film.shown(start, end)
            for offset, score in enumerate(step.scores):
                weight, x = exp(score - high), column(i * BLOCK_SIZE + offset)
                tall = round(FULL * weight, 1)
                box(group, x + 5, GROUND - tall, COLUMN - 10, tall, ADDED, ADDED, radius=1)
                text(group, x + COLUMN / 2, GROUND + 17, f"{weight:.2f}", 13, anchor="middle")


def carried(film: Film, steps: list[Step], times: list[float], words: dict) -> None:
    """The three numbers: at the start, scaled when a block is looked at, and with the block added."""
    ends = [*times[1:], LOOP]
    moments = [(0.0, times[0], (-inf, 0.0, 0.0))]
    for step, time, end in zip(steps, times, ends, strict=True):
        moments += [(time, time + ADD, (step.high, *step.before))]
        moments += [(time + ADD, end, (step.high, step.total, step.summed))]
    for i, label in enumerate(words["kept"]):
        x = LEFT + 230 * i
        box(film.svg, x, 250, 212, 58, "#ffffff", LINE, radius=6)
        text(film.svg, x + 12, 271, label, size=14, fill=MUTED)
        for start, end, numbers in moments:
            text(film.shown(start, end), x + 12, 298, written_out(numbers[i], i), size=20, weight="600")


def written_out(number: float, place: int) -> str:
    """A carried number; scores are whole."""
    if number == -inf:
        return "−∞"
    return f"{number:.0f}" if place == 0 else f"{number:.3f}"


def said(film: Film, steps: list[Step], times: list[float], words: dict) -> None:
    """What happens, in a line below."""
    for i, (step, time) in enumerate(zip(steps, times, strict=True)):
        kind = "first" if step.old == -inf else "higher" if step.high > step.old else "same"
        about = {"block": step.block, "high": f"{step.high:.0f}", "old": f"{step.old:.0f}", "shrink": step.shrink}
        line = words[kind].format(**about)
        text(film.shown(time, time + ADD), LEFT, 340, line, size=15, fill=ALARM if kind == "higher" else INK)
        end = times[i + 1] if i + 1 < len(times) else time + 2 * ADD
        text(film.shown(time + ADD, end), LEFT, 340, words["added"].format(**about), size=15, fill=ADDED)
    last = steps[-1]
    end = words["end"].format(summed=last.summed, total=last.total, result=last.summed / last.total)
    text(film.shown(times[-1] + 2 * ADD), LEFT, 340, end, size=15, weight="600")
