"""Whatever the verdict, no line of a problem's tests, oracle, mistakes or other right answers is in the feedback."""

import html
import re

import pytest
from course import SOLVED, Course, adds, answers, copied, reference, wrong

from classroom.autograde import judging
from practice.judging import catalogue
from practice.judging import verdict as verdicts

pytestmark = pytest.mark.needs("bubblewrap")
FOLDER = catalogue.PROBLEMS / "127-block-pool-cow"
SHORTEST = 25  # letters of a line that count as a quotation


def in_allocate(code: str) -> str:
    return f"{reference()}\nclass BlockPool(BlockPool):\n    def allocate(self, n):\n        {code}\n"


ANSWERS = {
    "AC": reference(),
    "WA": wrong("fork_shares_the_list"),
    "RE": in_allocate("raise RuntimeError(n)"),
    "TLE": in_allocate("exec('while True: pass')"),
    "MLE": "x = []\nwhile True: x.append(bytearray(1 << 20))\n",
    "OLE": in_allocate("exec('while True: print(\"x\" * 10_000)')"),
    "CE": "class BlockPool:\n    def __init__(self, num_blocks\n",
}


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory):
    """Graded as a teacher grades, with the shortest run and the misconception behind it."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    course.configure("c.Judge.shrink_seconds = c.Judge.diagnose_seconds = 0.3")
    for verdict, source in ANSWERS.items():
        course.hand_in(verdict, answers(source))
    assert course.autograde()["success"]
    course.hand_in("IE", SOLVED)
    course.hand_in("SKIPPED", SOLVED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "judge", _broken)
        assert course.api.autograde(course.chapter, "IE")["success"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts.Problem, "missing", lambda problem: ["torch"])
        assert course.api.autograde(course.chapter, "SKIPPED")["success"]
    return course


def _broken(*args, **kwargs):
    """Fails as a broken test may: with a line of it."""
    raise LookupError(hidden()[0])


def hidden() -> list[str]:
    """The lines that nobody must see, but for those that the public part of the problem has as well."""
    files = [FOLDER / name for name in ("tests.py", "oracle.py", "play.py")]
    files += [*(FOLDER / "wrong").glob("*.py"), *(FOLDER / "right").glob("*.py")]
    lines = {" ".join(line.split()) for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    public = " ".join((FOLDER / name).read_text(encoding="utf-8") for name in ("starter.py", "statement.en.md"))
    public = " ".join((public + reference()).split())
    return sorted(line for line in lines if len(line) >= SHORTEST and line[0] != "#" and line not in public)


def readable(page: str) -> str:
    """A page's text as it is read, and its source, so that nothing hides in either."""
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    return " ".join(f"{text} {html.unescape(page)}".split())


def quoted(course: Course, student: str) -> list[str]:
    own = " ".join(ANSWERS.get(student, "").split())
    page = readable(course.feedback(student))
    assert "127 · Block pool, fork and copy-on-write" in page
    return [line for line in hidden() if line in page and line not in own]


@pytest.mark.parametrize("verdict", [*ANSWERS, "IE", "SKIPPED"])
def test_feedback_on_any_verdict_quotes_nothing_hidden(course, verdict):
    assert re.search(rf"\b{verdict} ", course.said(verdict))
    assert len(hidden()) > 400
    assert quoted(course, verdict) == []


def test_feedback_leaves_out_the_marking_scheme_that_graders_see(course):
    assert "BEGIN MARK SCHEME" in str(course.graded("AC"))
    page = readable(course.feedback("AC"))
    assert "Explain it" in page
    assert "MARK SCHEME" not in page and "Blocks are shared until one writes" not in page


def test_the_feedback_on_a_wrong_answer_says_what_went_wrong(course):
    page = readable(course.feedback("WA"))
    for text in (">>> ", "The shortest run that goes wrong:", "What this breaks:", "You may believe that"):
        assert text in page


def test_a_quotation_would_be_found(course):
    course.hand_in("quoter", SOLVED, adds(f"# {hidden()[0]}"))
    assert course.api.autograde(course.chapter, "quoter")["success"]
    assert quoted(course, "quoter") == [hidden()[0]]
