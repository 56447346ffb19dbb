"""A failing answer is told what one believes who errs like this, and never something that only might be so."""

import dataclasses
import json
from types import SimpleNamespace

import pytest
from house import DOUBLE, RIGHT, WRONG

from practice.judging import catalogue, diagnose
from practice.judging.verdict import judge

PLENTY = {"shrink_seconds": 5.0, "diagnose_seconds": 60.0}

MISTAKES = {
    "a_large_one_stays": ("numbers from 1000 on are large enough", "一千以上的数已经够大了", WRONG),
    "tripled": ("twice is one more than two", "两倍就是再多一倍", "def double(x):\n    return 3 * x\n"),
    "raises": (
        "large numbers are an error",
        "数太大就该报错",
        "def double(x):\n    if x >= 1000:\n        raise ValueError('too large')\n    return 2 * x\n",
    ),
}
DEADLY = {
    "endless": (
        "a loop ends by itself",
        "循环自己会停",
        "def double(x):\n    while x >= 1000: pass\n    return 2 * x\n",
    ),
    "floods": (
        "every step is worth a line",
        "每一步都值得打印",
        "def double(x):\n    while x >= 1000: print('x' * 10_000)\n    return 2 * x\n",
    ),
}


def mistake(belief: str, other: str, source: str) -> str:
    return f"# {belief}\n# {other}\n{source}"


def put(house, **bank: tuple[str, str, str]):
    """Fill the bank of mistakes of 901."""
    folder = house.problems / "901-double" / "wrong"
    folder.mkdir()
    for name, parts in bank.items():
        (folder / f"{name}.py").write_text(mistake(*parts), encoding="utf-8")


@pytest.fixture
def named(double, children):
    """named(source): what a judgement of an answer to 901 names, in English."""

    def judged(source: str, **options) -> list[str]:
        found = judge(double, source.encode(), children=children, **PLENTY | options)
        return [belief["en"] for belief in found.beliefs]

    return judged


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("121", "blocks_rounded_down"),
        pytest.param("121", "reservation_in_blocks", marks=pytest.mark.slow),
        ("123", "copy_of_the_queue_consumed"),
        pytest.param("123", "none_for_zero_blocks", marks=pytest.mark.slow),
        ("124", "block_not_multiplied"),
        pytest.param("124", "padded_with_zero", marks=pytest.mark.slow),
        ("127", "fork_shares_the_list"),
        pytest.param("127", "allocate_zero_gives_none", marks=pytest.mark.slow),
    ],
)
def test_a_mistake_of_the_bank_is_told_its_own_belief_in_both_languages(children, number, name):
    problem = catalogue.find(number)
    source = (problem.folder / "wrong" / f"{name}.py").read_text(encoding="utf-8")
    english, chinese = (line.removeprefix("# ") for line in source.splitlines()[:2])
    assert english.isascii() and not chinese.isascii()
    found = judge(problem, source.encode(), children=children, **PLENTY)
    assert {"en": english, "zh": chinese} in found.beliefs
    assert len(found.beliefs) <= 3


# what is shown


def test_text_and_json_tell_the_belief_in_the_language_asked_for(house):
    put(house, a_large_one_stays=MISTAKES["a_large_one_stays"])
    file = house.answer(WRONG)
    english, chinese, _ = MISTAKES["a_large_one_stays"]
    told = [
        ("en", f"You may believe that {english}", english),
        ("zh", f"这样错，通常是因为以为：{chinese}", chinese),
    ]
    for lang, line, belief in told:
        assert line in house.judge("test", "901", file, "--lang", lang).stdout.splitlines()
        assert json.loads(house.judge("test", "901", file, "--lang", lang, "--json").stdout)["beliefs"] == [belief]


def test_a_notebook_tells_it_on_the_card_escaped(book):
    put(book.house, angle=("x < 1000 & <b>nothing</b> else is doubled", "只有小数才加倍", WRONG))
    card, _ = book.judge(WRONG)
    assert "believe that x &lt; 1000 &amp; &lt;b&gt;nothing&lt;/b&gt; else is doubled" in card["text/html"]
    assert "believe that x < 1000 & <b>nothing</b> else is doubled" in card["text/plain"]


# which mistakes count


def test_a_mistake_that_gives_something_else_at_the_same_call_is_not_named(house, named):
    put(house, **MISTAKES)
    assert named(WRONG) == ["numbers from 1000 on are large enough"]
    assert named("def double(x):\n    return 7\n") == []


def test_exceptions_are_alike_by_their_type_not_by_what_they_say(house, named):
    put(house, **MISTAKES)
    raising = "def double(x):\n    if x >= 1000:\n        raise {}\n    return x + x\n"
    assert named(raising.format("ValueError(x)")) == ["large numbers are an error"]
    assert named(raising.format("TypeError('too large')")) == []


def test_those_that_share_more_of_the_other_failures_are_named_alone(house, named):
    both = "def double(x):\n    return 2 * x if x < 5 else x\n"
    small = "def double(x):\n    return x if 5 <= x < 1000 else 2 * x\n"
    put(
        house,
        both=("only the smallest are doubled", "只加倍最小的", both),
        small=("not five to 999", "中间不算", small),
    )
    assert named(both) == ["only the smallest are doubled"]
    assert named(small) == ["not five to 999"]  # which gets the large ones right, and so does the answer


def test_at_most_three_are_named(house, named):
    put(house, **{f"m{n}": (f"belief number {n}", f"想法 {n}", WRONG + f"# {n}\n") for n in range(5)})
    assert named(WRONG) == ["belief number 0", "belief number 1", "belief number 2"]


def test_a_right_answer_is_told_nothing(house, named):
    put(house, **MISTAKES)
    assert named(RIGHT) == []
    result = house.judge("test", "901", house.answer(RIGHT), "--json")
    assert json.loads(result.stdout)["beliefs"] == []
    assert "believes" not in house.judge("test", "901", house.answer(RIGHT)).stdout


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (DEADLY["endless"][2], "TLE"),
        (DEADLY["floods"][2], "OLE"),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))\n", "MLE"),
        ("import os\ndef double(x):\n    if x >= 1000: os._exit(0)\n    return 2 * x\n", "RE"),
        ("raise ValueError\n", "RE"),
        ("def double(x:\n", "CE"),
    ],
    ids=["endless", "floods", "memory", "leaves", "import", "syntax"],
)
def test_an_answer_that_dies_is_told_nothing(house, double, source, verdict):
    """Although two of the bank die as it does: it would take too long to find out."""
    put(house, **DEADLY)
    limits = double.limits | ({"call_seconds": 0.2} if verdict == "TLE" else {})
    found = judge(dataclasses.replace(double, limits=limits), source.encode(), **PLENTY)
    assert (found.verdict, found.beliefs) == (verdict, [])


def test_an_answer_whose_failure_does_not_come_again_is_told_nothing(house, children):
    """Judged until both has happened: the failure came again when its run was played once more, and it did not."""
    one_call = DOUBLE["tests.py"].replace("(2, 4)", "(1, 1)")
    problem = catalogue.read(house.add("902-double", DOUBLE | {"tests.py": one_call}))
    (problem.folder / "wrong").mkdir()
    (problem.folder / "wrong" / "large.py").write_text(mistake("large is large", "大就是大", WRONG), encoding="utf-8")
    flaky = "import os\ndef double(x):\n    return x if x >= 1000 and os.urandom(1)[0] < 100 else 2 * x\n"
    told = {}
    for _ in range(60):
        found = judge(problem, flaky.encode(), shrink_seconds=0, diagnose_seconds=60, children=children)
        if found.failed:
            told.setdefault(found.shortest.failure.flaky, []).append([belief["en"] for belief in found.beliefs])
        if len(told) == 2:
            break
    assert told.keys() == {True, False}
    assert all(beliefs == [] for beliefs in told[True])
    assert all(beliefs == ["large is large"] for beliefs in told[False])


# how long it takes


def test_what_the_time_does_not_allow_is_not_named(house, double, monkeypatch):
    """By a clock that goes on by a second each time it is looked at: within 2.5 s, two forks of one mistake."""
    put(house, **{f"m{n}": (f"belief number {n}", f"想法 {n}", WRONG + f"# {n}\n") for n in range(5)})
    monkeypatch.setattr(diagnose, "AT_ONCE", 1)
    ticks = iter(range(100))
    monkeypatch.setattr(diagnose, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    found = judge(double, WRONG.encode(), shrink_seconds=0, diagnose_seconds=2.5)
    assert [belief["en"] for belief in found.beliefs] == ["belief number 0", "belief number 1"]
    assert (found.verdict, found.score) == ("WA", 40)


def test_without_time_nothing_is_tried(house, named, monkeypatch):
    put(house, **MISTAKES)
    monkeypatch.setattr(diagnose, "play", None)  # calling it would be an error
    assert named(WRONG, diagnose_seconds=0) == []


@pytest.mark.parametrize("at_once", [1, 2, 24])
def test_a_mistake_that_hangs_or_dies_is_passed_over(house, double, monkeypatch, at_once):
    """The others that were to be tried with it are tried all the same."""
    hangs = "def double(x):\n    while x >= 1000: pass\n    return 2 * x\n"
    dies = "import os\ndef double(x):\n    x >= 1000 and os._exit(3)\n    return 2 * x\n"
    put(
        house,
        a=("a believes", "甲", WRONG),
        b=("b hangs", "乙", hangs),
        c=("c believes", "丙", WRONG + "# c\n"),
        d=("d dies", "丁", dies),
        e=("e believes", "戊", WRONG + "# e\n"),
    )
    monkeypatch.setattr(diagnose, "AT_ONCE", at_once)
    found = judge(double, WRONG.encode(), **PLENTY)
    assert [belief["en"] for belief in found.beliefs] == ["a believes", "c believes", "e believes"]


def test_who_shares_a_bank_does_not_try_a_mistake_twice_on_a_program(house, double, children, monkeypatch):
    put(house, **MISTAKES)
    tried, bank = [], diagnose.Bank(double)

    def counted(child, problem, programs, seconds, sources=None, limits=None):
        tried.extend((id(program), source) for program in programs for source in sources)
        return play(child, problem, programs, seconds, sources, limits)

    play = diagnose.play
    monkeypatch.setattr(diagnose, "play", counted)
    options = {"shrink_seconds": 0, "diagnose_seconds": 60, "children": children}
    alone = [judge(double, source.encode(), **options).beliefs for *_, source in MISTAKES.values()]
    count = len(tried)
    tried.clear()
    shared = [judge(double, source.encode(), **options, bank=bank).beliefs for *_, source in MISTAKES.values()]
    assert shared == alone and all(shared)
    assert len(tried) == len(set(tried)) < count


def test_a_mistake_that_kills_the_child_does_not_spoil_the_verdict(house, double):
    killer = "import os\ndef double(x):\n    x >= 1000 and os.kill(os.getppid(), 9)\n    return 2 * x\n"
    put(house, a_killer=("parents are expendable", "父进程可有可无", killer), large=MISTAKES["a_large_one_stays"])
    found = judge(double, WRONG.encode(), **PLENTY)
    assert (found.verdict, found.score) == ("WA", 40)
    assert "parents are expendable" not in [belief["en"] for belief in found.beliefs]


def test_a_belief_said_once_serves_both_languages():
    assert diagnose.belief("# one\n\ndef f(): pass\n") == {"en": "one", "zh": "one"}
    assert diagnose.belief("# one\n# 一\n") == {"en": "one", "zh": "一"}
