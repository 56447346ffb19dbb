"""`%%judge NNN` in IPython: the cell is saved, judged, shown as a card, and run where that is safe."""

import re

import pytest
from house import DOUBLE, RIGHT, WRONG

from practice.judging import progress


def test_an_accepted_cell_is_saved_shown_recorded_and_run(book):
    card, _ = book.judge(RIGHT)
    assert "AC accepted" in card["text/html"] and "100/100" in card["text/html"]
    assert book.saved.read_text() == RIGHT
    assert progress.states() == {901: "solved"}
    assert book.shell.user_ns["double"](21) == 42


def test_a_wrong_cell_is_shown_with_its_shortest_run_and_run_all_the_same(book):
    card, _ = book.judge(WRONG)
    assert "WA wrong answer" in card["text/html"]
    assert "&gt;&gt;&gt; double(1000)" in card["text/html"]
    assert book.shell.user_ns["double"](1000) == 1000


def test_the_starter_does_not_take_the_place_of_work(book):
    book.judge(RIGHT)
    book.judge(DOUBLE["starter.py"])
    assert book.saved.read_text() == RIGHT


def test_what_the_answer_says_is_escaped(book):
    script = "<script>alert(1)</script>"
    card, _ = book.judge(f"def double(x):\n    print({script!r})\n    return {script!r}\n")
    assert script not in card["text/html"]
    assert card["text/html"].count("&lt;script&gt;") >= 2  # as a value and as print


def test_what_an_exception_says_is_escaped(book):
    card, _ = book.judge("def double(x):\n    raise type('<b>', (Exception,), {})('<img src=x>')\n")
    assert "<img" not in card["text/html"] and "<b>" not in card["text/html"]


def test_html_is_well_formed(book):
    from html.parser import HTMLParser

    class Nesting(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open = []

        def handle_starttag(self, tag, attributes):
            self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

    for cell in (RIGHT, WRONG, "def double(x:\n", "def double(x):\n    return '</pre>'\n"):
        parser = Nesting()
        parser.feed(book.judge(cell)[0]["text/html"])
        assert parser.open == []


def test_the_card_is_plain_text_where_there_is_no_html(book):
    card, _ = book.judge(WRONG)
    text = card["text/plain"]
    assert text.splitlines()[0].startswith("901 Double  WA wrong answer  40/100")
    assert ">>> double(1000)" in text
    assert "\x1b" not in text and "<" not in text.replace(">>>", "")


def test_the_card_speaks_the_notebooks_language(book, monkeypatch):
    monkeypatch.setenv("LANG_EDITION", "zh")
    card, _ = book.judge(WRONG)
    for text in card["text/html"], card["text/plain"]:
        assert "加倍" in text and "答案错误" in text and "出错的最短一段调用" in text
        assert "wrong answer" not in text


def test_the_card_is_announced_to_screen_readers(book):
    card, _ = book.judge(RIGHT)
    assert re.match(r'<section role="status" aria-label="901 Double"', card["text/html"])


@pytest.mark.parametrize(
    ("cell", "verdict"),
    [
        ("while True: pass\n", "TLE"),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))\n", "MLE"),
        ("while True: print('x' * 1000)\n", "OLE"),
        ("def double(x:\n", "CE"),
        ("import os; os._exit(0)\n", "RE"),
        ("import os; os.kill(os.getpid(), 9)\n", "RE"),
        ("import ctypes; ctypes.string_at(0)\n", "RE"),
    ],
    ids=["endless", "memory", "output", "syntax", "exit", "kill", "crash"],
)
def test_a_cell_that_would_hurt_the_kernel_is_saved_but_not_run(book, monkeypatch, cell, verdict):
    ran = []
    original = book.shell.run_cell

    def run_cell(source, *args, **kwargs):
        if source.startswith("%%judge"):
            return original(source, *args, **kwargs)
        ran.append(source)

    monkeypatch.setattr(book.shell, "run_cell", run_cell)
    card, _ = book.judge(cell)
    assert f">{verdict} " in card["text/html"]
    assert ran == []
    assert book.saved.read_text() == cell


def test_an_unknown_problem_is_one_line(book):
    card, said = book.judge(RIGHT, number="999")
    assert card is None
    assert said.stdout == "there is no problem 999; there are 901\n"
    assert not book.saved.exists()


def test_no_number_is_one_line(book):
    card, said = book.judge(RIGHT, number="")
    assert card is None
    assert len(said.stdout.splitlines()) == 1


def test_a_broken_problem_is_shown_as_the_judges_fault(book):
    (book.house.problems / "901-double" / "tests.py").write_text("raise ValueError('none')\n")
    card, said = book.judge(RIGHT)
    assert "the judge itself failed: ValueError: none" in card["text/plain"]
    assert "Traceback" not in said.stdout + said.stderr
    assert book.saved.read_text() == RIGHT


@pytest.mark.parametrize("folder", ["plain", "[bold]", "[/b]"])
def test_progress_that_cannot_be_saved_is_one_line_on_the_card(book, monkeypatch, folder):
    """Whatever its path looks like; brackets mean nothing."""
    place = book.house.home / "progress" / folder
    place.parent.mkdir(parents=True)
    place.write_text("a file in the way")
    monkeypatch.setenv("JUDGE_DATA", str(place))
    card, _ = book.judge(RIGHT)
    for text in card["text/html"], card["text/plain"]:
        assert "AC accepted" in text
        assert "progress was not saved" in text
        assert folder in text


def test_a_workspace_that_cannot_be_written_is_one_line_on_the_card(book):
    book.house.workspace.write_text("a file where the folder should be")
    card, _ = book.judge(RIGHT)
    assert "AC accepted" in card["text/html"]
    assert "not saved as your answer" in card["text/html"]
