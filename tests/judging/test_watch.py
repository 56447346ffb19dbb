"""`judge.py watch` on a terminal: a verdict at once and after each save; keys for a hint, the next problem, the end."""

import contextlib
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
from house import DOUBLE, RIGHT, WRONG

KEYS = "h hint · n next problem · q quit"
PATIENCE = 60.0  # seconds; what is waited for comes, or the test fails


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
            env=house.environment(TERM="xterm-256color", COLUMNS="100", **environment),
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
    watch = watching("901")
    watch.sees("901 Double  RE runtime error")
    watch.sees(KEYS)
    assert not watch.terminal_is_as_before()
    watch.sees("901 Double  WA wrong answer  40/100", again=lambda: watch.save(WRONG))
    watch.sees(KEYS)
    watch.press("h")
    watch.sees("Hint 1 of 3")
    watch.sees("First nudge.")
    watch.sees("901 Double  AC accepted  100/100", again=lambda: watch.save(RIGHT))
    watch.sees(KEYS)
    watch.press("n")
    watch.sees("902 Triple  RE")
    watch.sees(KEYS)
    watch.press("n")
    watch.sees("901 Double  AC")
    watch.sees(KEYS)
    watch.press("q")
    assert watch.ends() == 0
    assert watch.terminal_is_as_before()
    assert (watch.house.workspace / "902-triple.py").read_text() == DOUBLE["starter.py"]
    assert (watch.house.workspace / "901-double.py").read_text() == RIGHT
    listed = watch.house.judge("progress", "--json").stdout
    assert '"state": "solved", "attempts": ' in listed and '"state": "tried", "attempts": 1' in listed


def test_without_a_number_it_begins_with_the_first_problem_that_is_not_solved(watching, house):
    assert house.judge("test", "901", house.answer(RIGHT)).returncode == 0
    watch = watching()
    watch.sees("902 Triple  RE")
    watch.sees(KEYS)
    watch.press("q")
    assert watch.ends() == 0


def test_a_save_in_place_is_seen_and_other_files_are_not(watching, house):
    watch = watching("901")
    watch.sees(KEYS)
    answer = house.workspace / "901-double.py"
    watch.sees("AC accepted", again=lambda: answer.write_text(RIGHT))
    watch.sees(KEYS)
    (house.workspace / "902-triple.py").write_text(WRONG)
    (house.workspace / "901-double.20261129-120000-000000.bak.py").write_text(WRONG)
    watch.press("h")
    assert "901 Double" not in watch.sees("Hint 1 of 3")
    watch.press("q")
    assert watch.ends() == 0


def test_keys_typed_in_one_go_all_count(watching):
    watch = watching("901")
    watch.sees(KEYS)
    watch.press("hhq")
    watch.sees("Hint 1 of 3")
    watch.sees("Hint 2 of 3")
    assert watch.ends() == 0


def test_a_save_while_the_first_verdict_is_reached_is_judged_too(watching, house):
    """It hangs for a second; the learner sees the mistake meanwhile."""
    house.workspace.mkdir(parents=True, exist_ok=True)
    (house.workspace / "901-double.py").write_text("import time\ntime.sleep(1.5)\n" + WRONG)
    watch = watching("901")
    deadline = time.monotonic() + PATIENCE
    while not any("child.py" in line for line in processes_of(watch.process.pid)):
        assert time.monotonic() < deadline
        watch.read(0.02)
    watch.save(RIGHT)
    watch.sees("AC accepted")
    watch.press("q")
    assert watch.ends() == 0


def test_an_answer_that_can_not_be_judged_does_not_end_it(watching, house):
    watch = watching("901")
    watch.sees(KEYS)
    watch.sees("CE can't be loaded", again=lambda: watch.save("def double(x:\n"))
    watch.sees("1048577 bytes", again=lambda: watch.save("#" * (1 << 20) + "\n"))
    watch.sees("AC accepted", again=lambda: watch.save(RIGHT))
    watch.press("q")
    assert watch.ends() == 0


def test_a_file_that_is_deleted_and_comes_back_is_judged(watching, house):
    watch = watching("901")
    watch.sees(KEYS)
    (house.workspace / "901-double.py").unlink()
    watch.sees("AC accepted", again=lambda: watch.save(RIGHT))
    watch.press("q")
    assert watch.ends() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
def test_however_it_is_ended_the_terminal_is_as_before(watching, number):
    watch = watching("901")
    watch.sees(KEYS)
    deadline = time.monotonic() + PATIENCE
    while watch.terminal_is_as_before():
        assert time.monotonic() < deadline
        watch.read(0.02)
    watch.process.send_signal(number)
    watch.ends()
    assert watch.terminal_is_as_before()
    assert "Traceback" not in watch.said


def test_in_chinese(watching):
    watch = watching("901", LANG_EDITION="zh")
    watch.sees("901 加倍  RE 运行出错")
    watch.sees("h 提示 · n 下一题 · q 退出")
    watch.press("hq")
    watch.sees("提示甲。")


def test_an_unknown_problem_is_one_line(watching):
    watch = watching("999")
    assert watch.ends() == 2
    watch.read(0.1)
    assert watch.said.strip() == "judge: there is no problem 999; there are 901, 902"


def processes_of(parent: int) -> list[str]:
    """Command lines of the processes that `parent` started."""
    listed = subprocess.run(["ps", "-o", "args=", "--ppid", str(parent)], capture_output=True, text=True)
    return listed.stdout.splitlines()
