"""Whatever the verdict, no line of a problem's tests, oracle or plays is in what the learner reads."""

import json
import shutil

import pytest
from attacks import at_import, in_method

from practice.judging import catalogue, cli_judging
from practice.judging.verdict import judge

HANDBOOK = catalogue.PROBLEMS / "127-block-pool-cow"
SOURCES = ("tests.py", "oracle.py", "play.py")
SHORTEST = 25  # letters of a line that count as a quotation

ANSWERS = {
    "WA": (HANDBOOK / "wrong" / "fork_shares_the_list.py").read_text(encoding="utf-8"),
    "RE": in_method("raise RuntimeError(n)"),
    "TLE": in_method("exec('while True: pass')"),
    "CE": "class BlockPool:\n    def __init__(self, num_blocks\n",
    "OLE": in_method("exec('while True: print(\"x\" * 10_000)')"),
    "MLE": at_import("x = []\nwhile True: x.append(bytearray(1 << 20))"),
}
BREAKS = {
    "while it is loaded": ("tests.py", '\nraise LookupError("the plans are gone")\n'),
    "by its syntax": ("play.py", "\n    step_append = (\n"),
    "while it is played": ("oracle.py", '\n\nSequence.append = lambda self, n: {}["the block of the last token"]\n'),
}


@pytest.fixture
def handbook(house, monkeypatch):
    """127 in a house of its own, where one judgement is shown twice and a failure is explained for a moment only."""
    for what in ("shrink_seconds", "diagnose_seconds"):
        monkeypatch.setitem(judge.__kwdefaults__, what, 0.3)
    judged, verdicts = cli_judging.judged, {}

    def judged_once(problem, source, *lang, **options):
        if source not in verdicts:
            verdicts[source] = judged(problem, source, *lang, **options)
        return verdicts[source]

    monkeypatch.setattr(cli_judging, "judged", judged_once)
    target = house.problems / HANDBOOK.name
    shutil.copytree(HANDBOOK, target)
    return target


def quotable(folder) -> list[str]:
    lines = {line.strip() for name in SOURCES for line in (folder / name).read_text(encoding="utf-8").splitlines()}
    return [line for line in lines if len(line) >= SHORTEST]


def feedback(house, source: str, lang: str) -> list[str]:
    """What `judge.py test` says, as text and as JSON, and on stderr; in JSON as the strings that it holds."""
    file = house.answer(source)
    text = house.judge("test", "127", file, "--lang", lang)
    found = house.judge("test", "127", file, "--lang", lang, "--json")
    return [text.stdout, text.stderr, json.dumps(json.loads(found.stdout), ensure_ascii=False), found.stderr]


def append(file, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def assert_nothing_quoted(said: list[str], folder) -> None:
    unwrapped = [" ".join(text.replace("\\n", " ").replace('\\"', '"').split()) for text in said]
    lines = quotable(folder)
    assert len(lines) > 150
    assert [line for line in lines for text in unwrapped if " ".join(line.split()) in text] == []


@pytest.mark.parametrize("verdict", ANSWERS)
def test_no_verdict_quotes_the_tests(house, handbook, verdict):
    if verdict == "TLE":
        append(handbook / "problem.toml", "\n[limits]\ncall_seconds = 0.3\n")
    said = feedback(house, ANSWERS[verdict], "zh" if verdict == "WA" else "en")
    assert json.loads(said[2])["verdict"] == verdict
    assert_nothing_quoted(said, handbook)


@pytest.mark.parametrize("broken", BREAKS)
def test_nor_does_the_judges_own_fault(house, handbook, broken):
    name, line = BREAKS[broken]
    append(handbook / name, line)
    said = feedback(house, ANSWERS["WA"], "en")
    assert json.loads(said[2])["verdict"] == "IE"
    assert_nothing_quoted(said, handbook)


def test_a_quotation_would_be_found(handbook):
    lines = (handbook / "oracle.py").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if "list(range(num_blocks))" in line)
    with pytest.raises(AssertionError, match=r"list\(range"):
        assert_nothing_quoted([json.dumps({"printed": f"it is\n{line}\n"})], handbook)
