"""The commands as a learner starts them: both front doors, from any folder, with their exit statuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import DOUBLE, RIGHT, WRONG, one_line


def test_exit_statuses(house):
    house.add("903-gone", DOUBLE | {"problem.toml": 'requires = ["no_such_module"]\n' + DOUBLE["problem.toml"]})
    house.add("904-broken", DOUBLE | {"tests.py": "raise ValueError\n"})
    right, wrong = house.answer(RIGHT, "right.py"), house.answer(WRONG, "wrong.py")
    asked = [("901", right), ("901", wrong), ("999", right), ("904", right), ("903", right)]
    results = [house.spawn("test", number, file, "--json") for number, file in asked]
    assert [result.returncode for result in results] == [0, 1, 2, 3, 4]
    said = [json.loads(result.stdout)["verdict"] if result.stdout else "" for result in results]
    assert said == ["AC", "WA", "", "IE", "SKIPPED"]
    assert one_line(results[2]).startswith("there is no problem 999")


@pytest.mark.parametrize("script", ["judge.py", "practice/judge.py"])
def test_a_front_door_works_from_any_folder(house, script):
    for folder in (house.root / "practice", Path("/")):
        result = house.spawn("list", "--json", script=script, cwd=folder)
        assert (result.returncode, result.stderr) == (0, "")
        assert [row["number"] for row in json.loads(result.stdout)] == [901]


def test_a_folder_that_was_deleted_under_the_learner_is_no_traceback(house):
    gone = house.home / "gone"
    gone.mkdir()
    command = f"rmdir '{gone}'; '{sys.executable}' '{house.root / 'judge.py'}' list"
    result = subprocess.run(
        ["sh", "-c", command], cwd=gone, env=house.environment(), capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in result.stderr
    assert result.returncode in (0, 2, 3)


def test_a_file_with_a_strange_name_is_judged(house):
    """Names on Linux are bytes; not all of them are text."""
    file = os.fsdecode(b"answer-\xff.py")
    (house.home / file).write_text(RIGHT)
    result = house.spawn("test", "901", file, "--json", PYTHONIOENCODING="utf-8:strict")
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["verdict"] == "AC"
