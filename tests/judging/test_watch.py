"""`judge.py watch` on a terminal: a verdict at once and after each save; keys for a hint, the next problem, the end."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time

import pytest
from house import DOUBLE, RIGHT, WRONG, one_line

from practice.judging import watch, workspace

KEYS = "h hint · n next problem · q quit"
PATIENCE = 20.0  # seconds; what is waited for comes, or the test fails


class Watching:
    """A `watch` that runs on a terminal of its own."""

    def __init__(self, house, *args, **environment):
        self.house = house
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, str(house.root / "judge.py"), "watch", *args],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=house.home,
            env=house.environment(TERM="xterm-256color", COLUMNS="250", **environment),
            start_new_session=True,
        )
        self.said = ""

    def read(self, seconds: float) -> bool:
        """Take in what was written since, waiting `seconds` for the first of it; whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.said += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(self.master, 1 << 16).decode("utf-8", "replace"))
        return True

    def sees(self, text: str, again=None) -> str:
        """Wait until `text` is written; returns all that came up to its end. `again` is done now and then meanwhile."""
        deadline, asked = time.monotonic() + PATIENCE, 0.0
        while text not in self.said:
            assert time.monotonic() < deadline and self.process.poll() is None, f"no {text!r} in {self.said!r}"
            if again and time.monotonic() > asked + 2:
                again()
                asked = time.monotonic()
            self.read(0.1)
        upto = self.said.index(text) + len(text)
        seen, self.said = self.said[:upto], self.said[upto:]
        return seen

    def listens(self) -> None:
        """Wait until the line that names the keys is written and single keys are read."""
        self.sees(KEYS)
        deadline = time.monotonic() + PATIENCE
        while self.terminal_is_as_before():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def save(self, source: str, name="901-double") -> None:
        """As most editors do: a file beside the answer takes its place."""
        beside = self.house.workspace / f".{name}.swp"
        beside.write_text(source)
        os.replace(beside, self.house.workspace / f"{name}.py")

    def ends(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it goes on: {self.said!r}"
            self.read(0.1)
        return self.process.returncode

    def terminal_is_as_before(self) -> bool:
        return termios.tcgetattr(self.slave) == self.before


@pytest.fixture
def watching(house):
    """watching(*args): `judge.py watch` with these arguments."""
    triple = {name: text.replace("Double", "Triple") for name, text in DOUBLE.items()}
    house.add("902-triple", triple)
    with contextlib.ExitStack() as stack:

        def start(*args, **environment):
            running = Watching(house, *args, **environment)
            stack.callback(os.close, running.master)
            stack.callback(os.close, running.slave)
            stack.callback(running.process.wait)
            stack.callback(running.process.kill)
            return running

        yield start


def test_a_learners_loop(watching):
    """Starter, wrong answer, hint, right answer, next problem, round again, end."""
    running = watching("901")
    running.sees("901 Double  RE runtime error")
    running.listens()
    running.sees("901 Double  WA wrong answer  40/100", again=lambda: running.save(WRONG))
    running.listens()
    running.press("h")
    running.sees("Hint 1 of 3")
    running.sees("First nudge.")
    running.sees("901 Double  AC accepted  100/100", again=lambda: running.save(RIGHT))
    running.listens()
    running.press("n")
    running.sees("902 Triple  RE")
    running.listens()
    running.press("n")
    running.sees("901 Double  AC")
    running.listens()
    running.press("q")
    assert running.ends() == 0
    assert running.terminal_is_as_before()
    assert (running.house.workspace / "902-triple.py").read_text() == DOUBLE["starter.py"]
    assert (running.house.workspace / "901-double.py").read_text() == RIGHT
    rows = json.loads(running.house.judge("progress", "--json").stdout)["problems"]
    assert [(row["number"], row["state"]) for row in rows] == [(901, "solved"), (902, "tried")]
    assert rows[0]["attempts"] >= 4 and rows[1]["attempts"] == 1


@pytest.mark.slow
def test_a_save_in_place_is_seen_and_other_files_are_not(watching, house):
    running = watching("901")
    running.listens()
    answer = house.workspace / "901-double.py"
    running.sees("AC accepted", again=lambda: answer.write_text(RIGHT))
    running.listens()
    (house.workspace / "902-triple.py").write_text(WRONG)
    (house.workspace / "901-double.20261129-120000-000000.bak.py").write_text(WRONG)
    running.press("h")
    assert "901 Double" not in running.sees("Hint 1 of 3")


def test_keys_typed_in_one_go_all_count(watching):
    running = watching("901")
    running.listens()
    running.press("hhq")
    running.sees("Hint 1 of 3")
    running.sees("Hint 2 of 3")
    assert running.ends() == 0


def test_what_is_saved_and_typed_while_the_first_verdict_is_reached_counts(watching, house):
    """From the moment at which the starter is there."""
    running = watching("901")
    deadline = time.monotonic() + PATIENCE
    while not (house.workspace / "901-double.py").exists():
        assert time.monotonic() < deadline
        time.sleep(0.005)
    running.press("h")
    running.save(RIGHT)
    said = running.sees("Hint 1 of 3")
    assert "AC accepted" in said or running.sees("AC accepted")


def test_an_answer_that_can_not_be_read_does_not_end_it(watching, house):
    running = watching("901")
    running.listens()
    running.sees("CE can't be loaded", again=lambda: running.save("def double(x:\n"))
    running.sees("1048577 bytes", again=lambda: running.save("#" * (1 << 20) + "\n"))
    (house.workspace / "901-double.py").unlink()
    running.sees("AC accepted", again=lambda: running.save(RIGHT))


@pytest.mark.slow
def test_ended_by_ctrl_c_it_leaves_the_terminal_as_before(watching):
    running = watching("901")
    running.listens()
    running.process.send_signal(signal.SIGINT)
    running.ends()
    assert running.terminal_is_as_before()
    assert "Traceback" not in running.said


# without a terminal, in this process


@pytest.fixture
def once(monkeypatch):
    """Watching that ends after one verdict and one hint; the problems it was given."""
    seen = []

    def follow(problem, judge, hint):
        seen.append(problem.number)
        workspace.start(problem)
        judge(problem)
        hint(problem)

    monkeypatch.setattr(watch, "follow", follow)
    return seen


def test_without_a_number_it_begins_with_the_first_problem_that_is_not_solved(house, once):
    house.add("902-triple", DOUBLE)
    assert house.judge("watch").returncode == 0
    assert house.judge("test", "901", house.answer(RIGHT)).returncode == 0
    assert house.judge("watch").returncode == 0
    assert house.judge("watch", "901").returncode == 0
    assert once == [901, 902, 901]


def test_it_speaks_chinese(house, once):
    said = " ".join(house.judge("watch", "901", LANG_EDITION="zh").stdout.split())
    for words in "901 加倍 RE 运行出错", "h 提示 · n 下一题 · q 退出", "提示 1 / 3", "提示甲。":
        assert words in said


def test_an_unknown_problem_is_one_line(house, once):
    result = house.judge("watch", "999")
    assert (result.returncode, one_line(result)) == (2, "there is no problem 999; there are 901")
    assert once == []
