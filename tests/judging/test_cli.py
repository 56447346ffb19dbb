"""`judge.py test`: exit status, one JSON object, and one line for whatever can't be judged."""

import errno
import hashlib
import json
import os
from pathlib import Path

import pytest
from house import DOUBLE, RIGHT, WRONG, one_line

KEYS = {
    "problem", "slug", "verdict", "score", "max_score", "seconds", "sandbox", "backend", "file", "sha256", "seed",
    "reason", "coverage", "checks",
}  # fmt: skip
CHECK_KEYS = {"name", "visible", "verdict", "score", "max_score", "steps", "expected", "got", "hint"}


def json_of(result) -> dict:
    """The one JSON object on stdout."""
    [line] = result.stdout.splitlines()
    found = json.loads(line)
    assert set(found) >= KEYS
    assert all(set(check) >= CHECK_KEYS for check in found["checks"])
    return found


@pytest.mark.parametrize(
    ("source", "verdict", "score", "status"),
    [
        (RIGHT, "AC", 100, 0),
        (WRONG, "WA", 40, 1),
        ("def double(x): raise ValueError(x)\n", "RE", 0, 1),
        ("def double(x:\n", "CE", 0, 1),
        ("def triple(x): return 3 * x\n", "CE", 0, 1),
        ("# nothing\n", "CE", 0, 1),
    ],
    ids=["right", "wrong", "raises", "syntax", "lacks the name", "comment only"],
)
def test_a_verdict_is_one_json_object_and_an_exit_status(house, source, verdict, score, status):
    file = house.answer(source)
    result = house.judge("test", "901", file, "--json")
    found = json_of(result)
    assert (found["verdict"], found["score"], found["max_score"]) == (verdict, score, 100)
    assert (found["problem"], found["slug"], found["file"], found["backend"]) == (901, "double", "answer.py", "python")
    assert found["sha256"] == hashlib.sha256(source.encode()).hexdigest()
    assert result.returncode == status
    assert result.stderr == ""


def test_a_file_that_is_not_utf8_is_one_json_object_too(house):
    file = house.home / "latin.py"
    file.write_bytes("# grün\n".encode("latin-1"))
    result = house.judge("test", "901", file, "--json")
    found = json_of(result)
    assert (found["verdict"], result.returncode) == ("CE", 1)
    assert "0xfc" in found["reason"]


def test_a_wrong_answer_names_steps_expected_and_got(house):
    found = json_of(house.judge("test", "double", house.answer(WRONG), "--json"))
    [large] = [check for check in found["checks"] if check["name"] == "large"]
    assert large["steps"] == ["double(1000)"]
    assert (large["expected"], large["got"]) == ({"result": "2000"}, {"result": "1000"})
    assert large["visible"] is False


def test_a_problem_that_needs_what_is_not_there_is_skipped(house):
    house.add("903-gone", DOUBLE | {"problem.toml": 'requires = ["no_such_module"]\n' + DOUBLE["problem.toml"]})
    result = house.judge("test", "903", house.answer(RIGHT), "--json")
    found = json_of(result)
    assert (found["verdict"], found["reason"], found["checks"]) == ("SKIPPED", "no_such_module", [])
    assert result.returncode == 4
    text = house.judge("test", "903", house.answer(RIGHT))
    assert text.returncode == 4
    assert "needs no_such_module" in text.stdout


@pytest.mark.parametrize("broken", ["raise ValueError('two\\nlines')", "def play(", "GROUPS = 7"])
def test_a_broken_problem_is_the_judges_fault(house, broken):
    house.add("903-broken", DOUBLE | {"tests.py": broken + "\n"})
    result = house.judge("test", "903", house.answer(RIGHT), "--json")
    assert json_of(result)["verdict"] == "IE"
    assert (result.returncode, result.stderr) == (3, "")


def test_the_judges_fault_reads_as_one_clear_line(house):
    house.add("903-broken", DOUBLE | {"tests.py": "raise ValueError('none')\n"})
    result = house.judge("test", "903", house.answer(RIGHT))
    assert result.returncode == 3
    assert "the judge itself failed: ValueError: none" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_a_problem_that_cannot_be_read_is_the_judges_fault_in_one_line(house):
    house.add("903-broken", DOUBLE | {"problem.toml": "title = 'none'\nchapter = \n"})
    result = house.judge("test", "903", house.answer(RIGHT))
    assert result.returncode == 3
    assert "problem.toml" in one_line(result)


def test_the_visible_examples_alone(house):
    result = house.judge("test", "901", house.answer(WRONG), "--examples", "--json")
    found = json_of(result)
    assert (found["verdict"], found["score"], found["max_score"], result.returncode) == ("AC", 10, 10, 0)


def test_a_seed_is_kept_and_makes_other_runs(house):
    found = [json_of(house.judge("test", "901", house.answer(RIGHT), "--json", "--seed", seed)) for seed in (0, 5)]
    assert [each["seed"] for each in found] == [0, 5]
    assert found[0]["coverage"] != found[1]["coverage"]


# what can't be judged: wrong usage


def fifo(house):
    os.mkfifo(house.home / "fifo")
    return house.home / "fifo"


def loop(house):
    (house.home / "loop").symlink_to("loop")
    return house.home / "loop"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda house: house.home / "missing.py", "missing.py does not exist"),
        (lambda house: house.home, "is not a regular file"),
        (lambda house: "/dev/zero", "/dev/zero is not a regular file"),
        (fifo, "fifo is not a regular file"),
        (lambda house: house.answer("#" * (1 << 20) + "\n"), "has 1048577 bytes; an answer may have 1048576"),
        (lambda house: "x" * 5000 + ".py", "can't be read"),
        (loop, "loop"),
    ],
    ids=["missing", "folder", "endless", "fifo", "too large", "name too long", "loop"],
)
def test_what_is_no_file_to_judge_is_one_line_and_exit_2(house, make, said):
    result = house.judge("test", "901", make(house), "--json")
    assert result.returncode == 2
    assert said in one_line(result)


def test_a_file_that_may_not_be_read_is_one_line_and_exit_2(house, monkeypatch):
    """Root may read everything, so the refusal is put in by hand."""

    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    file = house.answer(RIGHT)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = house.judge("test", "901", file)
    assert result.returncode == 2
    assert one_line(result) == "answer.py can't be read: Permission denied"


def test_a_file_of_the_largest_size_is_judged(house):
    file = house.answer(RIGHT + "#" * ((1 << 20) - len(RIGHT) - 1) + "\n")
    assert file.stat().st_size == 1 << 20
    assert house.judge("test", "901", file).returncode == 0


@pytest.mark.parametrize("command", ["test", "show", "check"])
def test_a_problem_that_is_not_there_is_one_line_that_names_those_that_are(house, command):
    result = house.judge(command, "999")
    assert result.returncode == 2
    assert one_line(result) == "there is no problem 999; there are 901"


def test_an_answer_not_yet_started_says_how_to_start_it(house):
    result = house.judge("test", "901")
    assert result.returncode == 2
    assert "judge.py start 901" in one_line(result)


@pytest.mark.parametrize("args", [["--lang", "fr", "list"], ["list", "--lang", "fr"], ["test", "901", "--lang", "fr"]])
def test_a_language_that_is_not_spoken_is_one_line(house, args):
    result = house.judge(*args)
    assert result.returncode == 2
    assert "en or zh" in one_line(result)


@pytest.mark.parametrize("args", [["nonsense"], ["test"], ["test", "901", "--seed", "-1"], ["list", "--nonsense"]])
def test_a_command_that_is_not_understood_is_no_traceback(house, args):
    result = house.judge(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert result.stderr
