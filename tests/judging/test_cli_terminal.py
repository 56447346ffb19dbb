"""On a terminal: colours where they are wanted, and an end of the reader that is no drama."""

import os
import pty
import subprocess
import sys

import pytest
from house import WRONG


def on_a_terminal(house, *args, **environment) -> str:
    """What a command writes to a terminal of its own."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(house.root / "judge.py"), *map(str, args)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=house.home,
        env=house.environment(TERM="xterm-256color", COLUMNS="100", **environment),
    )
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 1 << 16):
            said += part
    except OSError:
        pass  # Linux says so when the other side has closed
    process.wait(timeout=60)
    os.close(master)
    return said.decode()


def test_a_terminal_gets_colours_and_no_color_takes_them_away(house):
    file = house.answer(WRONG)
    assert "\x1b[" in on_a_terminal(house, "test", "901", file)
    plain = on_a_terminal(house, "test", "901", file, NO_COLOR="1")
    assert "\x1b[31m" not in plain and "\x1b[32m" not in plain
    assert "WA wrong answer" in plain


@pytest.mark.parametrize("args", [["list"], ["test", "901", "answer.py"], ["show", "901"]], ids=lambda args: args[0])
def test_a_reader_that_has_gone_is_no_traceback(house, args):
    house.answer(WRONG)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(house.root / "judge.py"), *args]
    environment = house.environment()
    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=house.home, env=environment, text=True)
    os.close(writer)
    assert result.stderr == ""
    assert result.returncode != 0


def test_the_first_line_alone_can_be_read(house):
    command = f"'{sys.executable}' '{house.root / 'judge.py'}' list | head -1"
    result = subprocess.run(
        ["sh", "-c", command], cwd=house.home, env=house.environment(), capture_output=True, text=True
    )
    assert result.stdout.split()[:2] == ["problem", "chapter"]
    assert result.stderr == ""


def test_a_terminal_that_speaks_only_ascii_gets_a_verdict_all_the_same(house):
    file = house.answer(WRONG)
    result = house.spawn("test", "901", file, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 1
    assert "WA wrong answer" in result.stdout
    assert result.stderr == ""
