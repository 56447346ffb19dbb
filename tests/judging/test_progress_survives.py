"""What was recorded stays, through full disks, read-only folders and kills at any moment; and it can be shown."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest
from house import DOUBLE, RIGHT, WRONG, one_line
from test_cli_progress import TROUBLES
from test_progress import rows, verdict, writer

from practice.judging import catalogue, progress

OPENER = """
import sys
from practice.judging import progress

for _ in range(int(sys.argv[1])):
    print(progress.open_next(127, "hint", 1000))
"""

UNTIL_FULL = """
import resource, sys
from test_progress import verdict
from practice.judging import progress

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
count = 0
try:
    while count < 20_000:
        progress.record(verdict())
        count += 1
except progress.Unavailable as error:
    print(count, error, sep="\\n")
"""


def python(script: str, *args) -> subprocess.Popen:
    """A process that runs `script` and may import what stands in this folder."""
    start = f"import sys; sys.path.insert(0, {str(catalogue.ROOT / 'tests' / 'judging')!r})\n"
    command = [sys.executable, "-c", start + script, *map(str, args)]
    return subprocess.Popen(command, cwd=catalogue.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said_by(process: subprocess.Popen) -> list[str]:
    said, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (0, "")
    return said.splitlines()


def in_order(house, *command: str, data: str = "rw") -> subprocess.CompletedProcess:
    """Run a command of the house where the folder of its progress can be written (rw) or only read (ro)."""
    word = "--bind" if data == "rw" else "--ro-bind"
    outer = ["bwrap", "--dev-bind", "/", "/", word, str(house.data), str(house.data)]
    return subprocess.run(
        [*outer, sys.executable, str(house.root / "judge.py"), *command],
        cwd=house.home,
        env=house.environment(JUDGE_SANDBOX="plain"),
        capture_output=True,
        text=True,
        timeout=120,
    )


# several at once


def test_two_processes_never_open_the_same_level(house):
    openers = [python(OPENER, 40) for _ in range(2)]
    levels = [[int(line) for line in said_by(process)] for process in openers]
    assert sorted(levels[0] + levels[1]) == list(range(1, 81))
    assert all(one == sorted(one) for one in levels)


# killed


@pytest.mark.slow
def test_killed_at_any_moment_it_keeps_what_was_confirmed(monkeypatch, tmp_path):
    """From the moment at which the process starts, so that some are killed while the file is laid out."""
    chance, reached = random.Random(20261129), set()
    for turn in range(40):
        monkeypatch.setenv("JUDGE_DATA", str(tmp_path / str(turn)))
        process = writer(100_000)
        time.sleep(chance.uniform(0.0, 0.5))
        process.send_signal(signal.SIGKILL)
        said, _ = process.communicate(timeout=60)
        confirmed = said.count("\n")
        progress.record(verdict())
        assert confirmed + 1 <= rows() <= confirmed + 2  # one more may have been written than was said
        assert progress.states() == {127: "tried"}
        reached.add(confirmed > 0)
    assert reached == {True, False}


# no room


@pytest.mark.parametrize("limit", [1_000, 20_000, 33_000], ids=["not even the file", "the file alone", "some rows"])
def test_a_full_disk_loses_nothing_that_was_confirmed(limit):
    """A limit on the size of files stands for the disk. Once there is room again, all goes on."""
    count, complaint = said_by(python(UNTIL_FULL, limit))
    assert complaint.startswith(str(progress.file()))
    assert (int(count) > 0) == (limit == 33_000)
    progress.record(verdict(127, "AC"))
    assert rows() == int(count) + 1
    assert progress.states() == {127: "solved"}


def test_a_full_disk_does_not_stand_in_the_way_of_a_verdict(house):
    assert house.judge("test", "901", house.answer(WRONG)).returncode == 1
    judge = [sys.executable, str(house.root / "judge.py"), "test", "901", str(house.answer(RIGHT)), "--json"]
    full = subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *judge],
        cwd=house.home,
        env=house.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (full.returncode, json.loads(full.stdout)["verdict"]) == (0, "AC")
    [line] = full.stderr.splitlines()
    assert line.startswith("judge: progress was not saved: ")
    [row] = json.loads(house.judge("progress", "--json").stdout)["problems"]
    assert (row["state"], row["attempts"], row["best"]) == ("tried", 1, 40)


# not to be written


@pytest.mark.needs("bubblewrap")
def test_a_folder_that_can_only_be_read_does_not_stand_in_the_way_of_a_verdict(house):
    assert house.judge("test", "901", house.answer(WRONG)).returncode == 1
    file = house.data / "progress.sqlite3"
    before = file.read_bytes()
    result = in_order(house, "test", "901", str(house.answer(RIGHT)), "--json", data="ro")
    assert (result.returncode, json.loads(result.stdout)["verdict"]) == (0, "AC")
    [line] = result.stderr.splitlines()
    assert line.startswith("judge: progress was not saved: ")
    assert file.read_bytes() == before
    assert in_order(house, "test", "901", str(house.answer(RIGHT)), "--json").stderr == ""
    [row] = json.loads(house.judge("progress", "--json").stdout)["problems"]
    assert (row["state"], row["attempts"], row["best"]) == ("solved", 2, 100)


# what is shown


@pytest.fixture
def tried(house, monkeypatch):
    """A house with three problems in two chapters: one solved, one tried, one new."""
    for folder, chapter in (("902-triple", 1), ("903-double", 12)):
        house.add(
            folder, DOUBLE | {"problem.toml": DOUBLE["problem.toml"].replace("chapter = 1", f"chapter = {chapter}")}
        )
    monkeypatch.setenv("JUDGE_DATA", str(house.data))
    for number, result, score in ((901, "WA", 70), (901, "AC", 100), (902, "WA", 40)):
        recorded = verdict(number, result)
        recorded.score = score
        progress.record(recorded)
    return house


def test_progress_as_json_has_a_row_for_every_problem(tried):
    result = tried.judge("progress", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found.keys() == {"file", "problems"}
    assert found["file"] == str(tried.data / "progress.sqlite3")
    solved, begun, new = found["problems"]
    assert time.time() - 3600 < solved.pop("last") <= time.time()
    assert solved == {"number": 901, "slug": "double", "chapter": 1, "state": "solved", "attempts": 2, "best": 100}
    assert (begun["number"], begun["state"], begun["attempts"], begun["best"]) == (902, "tried", 1, 40)
    assert new.get("last") is None
    assert (new["number"], new["chapter"], new["state"], new["attempts"], new["best"]) == (903, 12, "new", 0, 0)


@pytest.mark.parametrize(("lang", "word"), [("en", "chapter"), ("zh", "章")])
def test_progress_has_a_line_per_chapter_with_its_problems(tried, lang, word):
    lines = tried.judge("progress", "--lang", lang).stdout.splitlines()
    assert [word in line for line in lines] == [True, True]
    assert "1/2" in lines[0] and "901✓" in lines[0] and "902…" in lines[0]
    assert "0/1" in lines[1] and "903" in lines[1] and "12" in lines[1]


def test_progress_of_nobody_is_no_error(house):
    result = house.judge("progress")
    assert (result.returncode, result.stderr) == (0, "")
    assert "0/1" in result.stdout


@pytest.mark.parametrize("trouble", TROUBLES)
def test_progress_that_can_not_be_read_is_one_line(house, trouble):
    said = trouble(house)
    for lang in ("en", "zh"):
        result = house.judge("progress", "--lang", lang)
        assert result.returncode == 2
        assert said in one_line(result)


def test_progress_from_the_future_is_left_as_it_is(house):
    house.judge("test", "901", house.answer(RIGHT))
    file = house.data / "progress.sqlite3"
    with progress.sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 2")
    before = file.read_bytes()
    assert "(schema 2)" in one_line(house.judge("progress", "--json"))
    assert file.read_bytes() == before
