"""In Chinese every sentence is Chinese; what Python, the system or Typer says stands in it as it is."""

import pytest
from house import DOUBLE, RIGHT, one_line

from practice.judging import release, show
from practice.judging.failure import Failure, Raised


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["list", "--nonsense", "--lang", "zh"], "用法不对：No such option: --nonsense"),
        (["list", "--nonsense", "--lang=zh"], "用法不对：No such option: --nonsense"),
        (["--lang", "zh", "nonsense"], "用法不对：No such command"),
        (["test", "--lang", "zh"], "用法不对：缺少 problem_id"),
        (["test", "--lang", "en"], "problem_id is missing"),
        (["check", "--jobs", "0", "--lang", "zh"], "用法不对：--jobs 的值不能用：Input should be"),
        (["test", "901", "--seed", "-1", "--lang", "zh"], "用法不对：--seed 的值不能用：Input should be"),
        (["test", "901", "--seed", "x", "--lang", "en"], "the value of --seed can't be used: Input should be"),
    ],
)
def test_what_is_not_understood_is_said_in_the_language_typed(house, args, said):
    result = house.judge(*args)
    assert result.returncode == 2
    assert one_line(result).startswith(said)


@pytest.mark.parametrize("value", ["fr", "ZH", "zh_CN"])
def test_a_language_that_is_not_spoken_is_refused_in_the_one_that_is(house, value):
    result = house.judge("list", "--lang", value, LC_ALL="zh_CN.UTF-8")
    assert (result.returncode, one_line(result)) == (2, f"--lang 是 {value!r}；只能是 en 或 zh")


def test_whatever_fails_unforeseen_is_in_the_language_typed(house):
    house.add("903-broken", DOUBLE | {"problem.toml": "title = 1 2"})
    result = house.judge("test", "903", house.answer(RIGHT), "--lang", "zh")
    assert result.returncode == 3
    assert one_line(result).startswith("判题程序自己出错了：BrokenProblem: ")


def test_a_worked_answer_that_is_not_there_is_said_in_chinese(house):
    gone = DOUBLE["problem.toml"].replace("files = [", 'files = ["gone.py", ')
    house.add("903-gone", DOUBLE | {"problem.toml": gone})
    result = house.judge("solution", "903", "--give-up", "--lang", "zh")
    assert (result.returncode, one_line(result)) == (2, "这个版本没有 903 题的参考解答（gone.py）")


@pytest.mark.parametrize("where", ["full", "inside"])
def test_an_edition_that_can_not_be_written_is_said_in_chinese(house, tmp_path, where):
    (tmp_path / "file").write_text("x")
    out = tmp_path if where == "full" else release.ROOT / "edition"
    result = house.judge("release", out, "--lang", "zh")
    assert result.returncode == 2
    assert one_line(result) == f"{out} " + ("不是空文件夹" if where == "full" else f"在课程 {release.ROOT} 里面")


SYNTAX = Failure("CE", why="syntax", detail="line 3: invalid syntax")
RAISED = "ValueError: no\nline 2: so (line 7, in double)"


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "syntax error, line 3: invalid syntax"), ("zh", "语法错误，第 3 行：invalid syntax")]
)
def test_the_line_of_a_syntax_error_is_said_in_the_language(lang, said):
    assert show.why(SYNTAX, lang) == said


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", f"raises {RAISED}"), ("zh", "抛出 ValueError: no\nline 2: so（第 7 行，double 里）")],
)
def test_the_place_of_an_exception_is_said_in_the_language(lang, said):
    assert show.value_text(Raised(RAISED), None, lang) == said
