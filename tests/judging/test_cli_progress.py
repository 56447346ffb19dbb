"""Whatever is wrong with the progress file, the verdict comes all the same, plus one line."""

import json
import sqlite3

import pytest
from house import DOUBLE, RIGHT


def a_file_in_the_way(house):
    house.data.write_text("no folder")
    return "data"


def a_folder_in_the_way(house):
    (house.data / "progress.sqlite3").mkdir(parents=True)
    return "progress.sqlite3"


def corrupt(house):
    house.data.mkdir()
    (house.data / "progress.sqlite3").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    return "progress.sqlite3"


def no_database(house):
    house.data.mkdir()
    (house.data / "progress.sqlite3").write_text("{}" * 1000)
    return "progress.sqlite3"


def from_the_future(house):
    house.data.mkdir()
    with sqlite3.connect(house.data / "progress.sqlite3") as database:
        database.execute("PRAGMA user_version = 99")
    return "schema 99"


def without_its_tables(house):
    house.data.mkdir()
    with sqlite3.connect(house.data / "progress.sqlite3") as database:
        database.execute("PRAGMA user_version = 1")
    return "no such table"


TROUBLES = [a_file_in_the_way, a_folder_in_the_way, corrupt, no_database, from_the_future, without_its_tables]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_verdict_comes_all_the_same(house, trouble):
    said = trouble(house)
    result = house.judge("test", "901", house.answer(RIGHT), "--json")
    assert (result.returncode, json.loads(result.stdout)["verdict"]) == (0, "AC")
    [line] = result.stderr.splitlines()
    assert line.startswith("judge: progress was not saved: ")
    assert said in line


@pytest.mark.parametrize("trouble", TROUBLES)
def test_everything_else_goes_on_too(house, trouble):
    trouble(house)
    assert json.loads(house.judge("list", "--json").stdout)[0]["state"] == "new"
    assert house.judge().returncode == 0
    hint = house.judge("hint", "901")
    assert (hint.returncode, len(hint.stderr.splitlines())) == (0, 1)
    assert "First nudge." in hint.stdout
    solution = house.judge("solution", "901", "--give-up")
    assert (solution.returncode, solution.stdout) == (0, DOUBLE["reference.py"])


def test_a_file_from_the_future_is_not_touched(house):
    from_the_future(house)
    before = (house.data / "progress.sqlite3").read_bytes()
    house.judge("test", "901", house.answer(RIGHT))
    assert (house.data / "progress.sqlite3").read_bytes() == before


def test_in_chinese_too(house):
    from_the_future(house)
    result = house.judge("test", "901", house.answer(RIGHT), LANG_EDITION="zh")
    assert result.stderr.startswith("judge: 进度没有保存：")
