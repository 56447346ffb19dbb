"""The set-up's progress: read from what pip prints, shown on one line or as plain lines."""

import io

import pytest
from bootstrap.display import Display, columns, fitted
from bootstrap.packages import Follower

TRANSCRIPT = """\
Looking in indexes: https://mirror.example/simple
Collecting alembic==1.20.1 (from -r requirements/core.txt (line 2))
  Downloading alembic-1.20.1-py3-none-any.whl (270 kB)
Collecting babel==2.19.0 (from -r requirements/core.txt (line 14))
  Downloading babel-2.19.0-py3-none-any.whl (11.0 MB)
Progress 0 of 10983582
Progress 5491791 of 10983582
"""


@pytest.fixture
def follower(tmp_path):
    return Follower(expected=4, site_packages=tmp_path)


def feed(follower, text):
    for line in text.splitlines():
        follower.feed(line)


def test_nothing_has_happened_before_pip_speaks(follower):
    assert follower.state() == (0.0, "0/4  ")


def test_half_of_the_second_of_four_downloads(follower):
    feed(follower, TRANSCRIPT)
    fraction, detail = follower.state()
    assert fraction == pytest.approx(0.7 * 1.5 / 4)
    assert detail == "2/4  babel 2.19.0  5/11 MB"


def test_unpacking_counts_the_packages_that_have_appeared(follower, tmp_path):
    (tmp_path / "pip-26.3.dist-info").mkdir()
    feed(follower, TRANSCRIPT + "Installing collected packages: babel, alembic\n")
    (tmp_path / "babel-2.19.0.dist-info").mkdir()
    assert follower.state() == (pytest.approx(0.7 + 0.3 / 4), "unpacking 1/4")


def test_the_fraction_stays_within_one_when_pip_brings_more_than_expected(follower):
    feed(follower, "\n".join(f"Collecting extra{i}==1.0" for i in range(9)))
    assert follower.state()[0] <= 0.7


def test_a_silent_index_shows(follower):
    follower.feed("WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'ReadTimeoutError'")
    assert "trying again" in follower.state()[1]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_has_one_line_redrawn_in_place(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    display = Display(screen := Terminal())
    display.stage("Packages")
    display.update(0.5, "66/131  numpy 2.4.6  and something much too long for the line")
    display.done()
    assert screen.getvalue().count("\n") == 1
    lines = screen.getvalue().split("\r")
    assert "████████████░░░░░░░░░░░░" in lines[2] and "50%  66/131  numpy" in lines[2]
    assert all(columns(line.removesuffix("\x1b[K").rstrip("\x1b[K\n")) < 60 for line in lines)
    assert "Packages  ✓" in lines[-1]


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_log_gets_plain_lines_and_no_control_characters(monkeypatch, term):
    monkeypatch.setenv("TERM", term)
    display = Display(log := io.StringIO())
    display.stage("Packages")
    for step in range(100):
        display.update(step / 100, "numpy")
    display.failed()
    assert log.getvalue() == "Packages …\nPackages  ✗\n"


def test_a_log_hears_from_a_long_stage_now_and_then(monkeypatch):
    now = iter(range(0, 1000, 4))
    monkeypatch.setattr("bootstrap.display.time.monotonic", lambda: next(now))
    display = Display(log := io.StringIO())
    display.stage("Packages")
    for step in range(6):
        display.update(step / 10, "numpy")
    assert 2 <= log.getvalue().count("numpy") <= 3


def test_a_chinese_character_takes_two_columns():
    assert columns("安装 8/9") == 8
    assert fitted("安装 8/9", 5) == "安装 "
