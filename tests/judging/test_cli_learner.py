"""The learner's way through a problem: what is next, start, hints, a verdict, the solution."""

import json
import os
import re

from house import DOUBLE, RIGHT, WRONG, one_line

ESCAPE = re.compile("\x1b")


def test_without_a_command_it_says_what_is_next(house):
    result = house.judge()
    assert result.returncode == 0
    assert result.stdout.splitlines()[:2] == ["0 of 1 problems solved", "Next: 901 Double"]
    house.judge("test", "901", house.answer(RIGHT))
    assert house.judge().stdout.splitlines() == ["1 of 1 problems solved", "All 1 problems are solved."]


def test_list_as_json_follows_its_schema(house):
    def state():
        [row] = json.loads(house.judge("list", "--json").stdout)
        assert list(row) == ["number", "slug", "title", "chapter", "difficulty", "requires", "state"]
        assert row | {"state": ""} == {
            "number": 901,
            "slug": "double",
            "title": "Double",
            "chapter": 1,
            "difficulty": "easy",
            "requires": [],
            "state": "",
        }
        return row["state"]

    states = [state()]
    for source in (WRONG, RIGHT, WRONG):
        house.judge("test", "901", house.answer(source))
        states.append(state())
    assert states == ["new", "tried", "solved", "solved"]


def test_the_visible_examples_alone_do_not_solve_a_problem(house):
    house.judge("test", "901", house.answer(WRONG), "--examples")
    assert json.loads(house.judge("list", "--json").stdout)[0]["state"] == "new"


def test_problems_are_listed_by_number_in_a_table(house):
    house.add("77-other", DOUBLE | {"problem.toml": DOUBLE["problem.toml"].replace("Double", "Another")})
    lines = house.judge("list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["problem", "77", "901"]


def test_the_statement_ends_with_the_examples(house):
    shown = house.judge("show", "901").stdout
    assert "Give twice the number." in shown
    assert shown.index("double(2)") < shown.index("double(0)")
    assert "---" not in shown


def test_start_writes_the_starter_and_never_overwrites_work(house):
    result = house.judge("start", "901", cwd=house.root)
    file = house.workspace / "901-double.py"
    assert result.stdout == f"Your file: {os.path.relpath(file, house.root)}\n"
    assert file.read_text() == DOUBLE["starter.py"]
    file.write_text(RIGHT)
    again = house.judge("start", "901")
    assert again.returncode == 0
    assert "stays as it is" in again.stdout
    assert file.read_text() == RIGHT
    assert house.judge("test", "901").returncode == 0


def test_reset_keeps_what_was_there_under_a_dated_name(house):
    house.judge("start", "901")
    (house.workspace / "901-double.py").write_text(RIGHT)
    assert house.judge("start", "901", "--reset").returncode == 0
    (house.workspace / "901-double.py").write_text(WRONG)
    said = house.judge("start", "901", "--reset").stdout
    backups = sorted(house.workspace.glob("901-double.*.bak.py"))
    assert [file.read_text() for file in backups] == [RIGHT, WRONG]
    assert all(re.fullmatch(r"901-double\.\d{8}-\d{6}-\d{6}\.bak\.py", file.name) for file in backups)
    assert backups[1].name in said
    assert (house.workspace / "901-double.py").read_text() == DOUBLE["starter.py"]


def test_a_workspace_that_cannot_be_written_is_one_line(house):
    house.workspace.write_text("a file where the folder should be")
    result = house.judge("start", "901")
    assert result.returncode == 2
    assert one_line(result)


def test_each_hint_goes_one_step_further(house):
    said = [house.judge("hint", "901").stdout for _ in range(4)]
    for text, level, hint in zip(said, (1, 2, 3, 3), ("First", "Second", "Third", "Third"), strict=True):
        assert text.splitlines()[0] == f"Hint {level} of 3"
        assert f"{hint} nudge." in text
    assert "提示甲。" in house.judge("hint", "901", "--lang", "zh", JUDGE_DATA=str(house.home / "afresh")).stdout


def test_the_solution_opens_when_the_answer_is_accepted(house):
    locked = house.judge("solution", "901")
    assert locked.returncode == 2
    assert "--give-up" in one_line(locked)
    house.judge("test", "901", house.answer(WRONG))
    assert house.judge("solution", "901").returncode == 2
    house.judge("test", "901", house.answer(RIGHT))
    opened = house.judge("solution", "901")
    assert (opened.returncode, opened.stdout) == (0, DOUBLE["reference.py"])


def test_giving_up_shows_the_solution_and_is_recorded(house):
    import sqlite3

    opened = house.judge("solution", "901", "--give-up")
    assert (opened.returncode, opened.stdout) == (0, DOUBLE["reference.py"])
    with sqlite3.connect(house.data / "progress.sqlite3") as database:
        assert database.execute("SELECT problem, what FROM opened").fetchall() == [(901, "solution")]
    assert json.loads(house.judge("list", "--json").stdout)[0]["state"] == "new"


def test_the_card_of_a_wrong_answer_says_what_went_wrong(house):
    card = house.judge("test", "901", house.answer(WRONG)).stdout
    assert card.splitlines()[0].startswith("901 Double  WA wrong answer  40/100")
    assert ">>> double(1000)" in card
    assert re.search(r"result of the last call +2000 +1000", card)


def test_what_the_code_printed_is_shown(house):
    card = house.judge(
        "test", "901", house.answer(WRONG.replace("    return", "    print('seen', x)\n    return"))
    ).stdout
    assert "Your code printed:" in card
    assert "seen 1000" in card


# languages


def test_chinese_by_option_by_edition_and_by_locale(house):
    file = house.answer(WRONG)
    for args, environment in (
        (["test", "901", file, "--lang", "zh"], {}),
        (["--lang", "zh", "test", "901", file], {}),
        (["test", "901", file], {"LANG_EDITION": "zh"}),
    ):
        assert house.judge(*args, **environment).stdout.startswith("901 加倍  WA 答案错误")
    assert "下一题：901 加倍" in house.judge(LC_ALL="zh_CN.UTF-8", PYTHONUTF8="1").stdout
    assert house.judge("test", "999", LANG_EDITION="zh").stderr == "judge: 没有题目 999；现有 901\n"


def test_an_option_is_stronger_than_the_edition(house):
    assert house.judge("list", "--json", "--lang", "en", LANG_EDITION="zh").stdout.count("Double") == 1


# colours


def test_piped_output_has_no_escape_codes(house):
    file = house.answer(WRONG)
    for args in (["list"], ["show", "901"], ["test", "901", file], ["hint", "901"]):
        result = house.judge(*args, TERM="xterm-256color")
        assert not ESCAPE.search(result.stdout + result.stderr), args


def test_escape_codes_in_what_the_code_says_do_not_reach_the_terminal(house):
    """Whoever judges another's file must not have their terminal driven by it."""
    source = "def double(x):\n    print('\\x1b]0;title\\x07 \\x1b[2J seen')\n    raise ValueError('\\x1b[31mred')\n"
    result = house.judge("test", "901", house.answer(source))
    assert "seen" in result.stdout and "red" in result.stdout
    assert not ESCAPE.search(result.stdout + result.stderr)
