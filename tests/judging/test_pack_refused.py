"""A pack that can't be used is one line or the judge's own fault, and nothing in it is ever quoted."""

import json

import pytest
from house import DOUBLE, RIGHT, one_line
from packs import PRIVATE, pack

SECRET = "of this nobody may read"


def broken(text: str) -> dict[str, str]:
    return {"901-double/tests.py": text, "901-double/oracle.py": PRIVATE["901-double/oracle.py"]}


BAD_SETTINGS = {
    "not TOML": f"seed = = {SECRET}\n",
    "a negative seed": f"seed = -1 # {SECRET}\n",
    "words for a seed": f"seed = '{SECRET}'\n",
    "a fraction": f"seed = 1.5 # {SECRET}\n",
    "a truth value": f"seed = true # {SECRET}\n",
    "not UTF-8": f"seed = 1 # {SECRET} grün\n".encode("latin-1"),
}
BROKEN_TESTS = {
    "raises": broken(f"raise ValueError({SECRET!r})\n"),
    "does not parse": broken(f"GROUPS = [ {SECRET}\n"),
    "leaves": broken(f"raise SystemExit({SECRET!r})\n"),
    "lacks GROUPS": broken(f"groups = [{SECRET!r}]\n"),
    "lacks a name": broken(f"GROUPS = [{SECRET.replace(' ', '_')}]\n"),
    "lacks a module": broken(f"import {SECRET.replace(' ', '_')}\n"),
    "groups of words": broken(f"GROUPS = [{SECRET!r}]\n"),
    "no tests": {"901-double/notes.md": SECRET},
    "play raises": {
        name: text.replace("answer.count", f"raise KeyError({SECRET!r})\n        answer.count")
        for name, text in PRIVATE.items()
    },
}


@pytest.mark.parametrize("toml", BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_settings_that_can_not_be_used_are_one_line_that_quotes_nothing(house, tmp_path, toml):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack(tmp_path / "pack", {"pack.toml": toml}))
    assert result.returncode in (2, 3)
    said = one_line(result)
    assert "pack.toml" in said
    assert SECRET not in said


AT = {"raises": ":1", "does not parse": ":1", "leaves": ":1", "lacks a name": ":1", "lacks a module": ":1"}
AT |= {"play raises": ":10"}


@pytest.mark.parametrize("name", BROKEN_TESTS)
def test_tests_that_can_not_be_used_are_the_judges_fault_and_quote_nothing(house, tmp_path, name):
    folder = pack(tmp_path / "pack", BROKEN_TESTS[name])
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", folder, "--json")
    found = json.loads(result.stdout)
    assert (result.returncode, found["verdict"]) == (3, "IE")
    assert found["reason"].isidentifier()  # the kind of error, and no more
    place = f"901-double/tests.py{AT[name]}" if name in AT else "901-double"
    assert result.stderr == f"judge: the private pack can't be used as it is, {place}: {found['reason']}\n"
    said = result.stdout + result.stderr
    assert not any(mark in said for mark in (SECRET, SECRET.replace(" ", "_"), "nobody"))


def test_an_error_in_what_the_tests_import_is_placed_there(house, tmp_path):
    files = PRIVATE | {"901-double/oracle.py": f"\n\ndef double(x):\n    raise ValueError({SECRET!r})\n"}
    options = ["--pack", pack(tmp_path / "pack", files), "--lang", "zh"]
    result = house.judge("test", "901", house.answer(RIGHT), *options)
    assert result.returncode == 3
    assert result.stderr == "judge: 私有测试包有问题，901-double/oracle.py:4：ValueError\n"


def test_tests_for_a_problem_that_there_is_not_are_one_line(house, tmp_path):
    folder = pack(tmp_path / "pack", {"998-no-such/tests.py": "GROUPS = []\n"})
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", folder)
    assert result.returncode == 2
    assert "the pack has 998-no-such, and there is no problem 998" in one_line(result)


def test_on_a_terminal_neither(house, tmp_path):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack(tmp_path / "pack", BROKEN_TESTS["raises"]))
    assert (result.returncode, "nobody" in result.stderr) == (3, False)
    assert "the judge itself failed: ValueError" in result.stdout.splitlines()
    assert "nobody" not in result.stdout


def test_in_a_notebook_neither(book, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_PACK", str(pack(tmp_path / "pack", BROKEN_TESTS["raises"])))
    card, said = book.judge(RIGHT)
    assert "the judge itself failed: ValueError" in card["text/plain"]
    assert "nobody" not in card["text/html"] + card["text/plain"] + said.stdout + said.stderr


@pytest.mark.parametrize(
    "toml",
    [f"title = = {SECRET!r}\n", f"title = {SECRET!r}\n", DOUBLE["problem.toml"] + "[limits]\nhours = 1\n"],
    ids=["not TOML", "incomplete", "unknown limit"],
)
def test_a_variant_that_can_not_be_read_is_one_line_that_quotes_nothing(house, tmp_path, toml):
    result = house.judge(
        "test", "901", house.answer(RIGHT), "--pack", pack(tmp_path / "pack", {"901-double/problem.toml": toml})
    )
    assert result.returncode in (2, 3)
    said = one_line(result)
    assert "problem.toml" in said
    assert SECRET not in said


@pytest.mark.parametrize("command", [["test", "901"], ["check", "901"], ["show", "901"], ["hint", "901"]])
@pytest.mark.parametrize("kind", ["nothing", "a file"])
def test_a_pack_that_is_no_folder_is_one_line(house, tmp_path, command, kind):
    target = tmp_path / "pack"
    if kind == "a file":
        target.write_text(SECRET)
    result = house.judge(*command, JUDGE_PACK=str(target))
    assert result.returncode in (2, 3)
    assert f"JUDGE_PACK is {str(target)!r}, which is no folder" in one_line(result)


@pytest.mark.parametrize("command", ["test", "check"])
@pytest.mark.parametrize("environment", [{}, {"JUDGE_PACK": "/another"}], ids=["alone", "beside JUDGE_PACK"])
@pytest.mark.parametrize(
    ("lang", "said"), [("en", "--pack is {!r}, which is no folder"), ("zh", "--pack 是 {!r}，不是文件夹")]
)
def test_a_pack_that_is_no_folder_is_named_as_it_was_given(house, tmp_path, command, environment, lang, said):
    target = str(tmp_path / "pack")
    result = house.judge(command, "901", "--pack", target, "--lang", lang, **environment)
    assert (result.returncode, one_line(result)) == (2, said.format(target))


NO_PACK = {"empty": {}, "only notes": {"notes.txt": "x"}, "one folder too deep": {"more/901-double/tests.py": "x"}}
NO_PACK |= {"a folder without a name": {"901/tests.py": "x"}}


@pytest.mark.parametrize("name", NO_PACK)
@pytest.mark.parametrize("given", ["--pack", "JUDGE_PACK"])
@pytest.mark.parametrize(
    ("lang", "said"), [("en", "{} is {!r}, which holds no pack: "), ("zh", "{} 是 {!r}，里面不是私有测试包：")]
)
def test_a_folder_that_holds_no_pack_is_refused(house, tmp_path, name, given, lang, said):
    (tmp_path / "pack").mkdir()
    target = str(pack(tmp_path / "pack", NO_PACK[name]))
    options, environment = (["--pack", target], {}) if given == "--pack" else ([], {"JUDGE_PACK": target})
    result = house.judge("test", "901", house.answer(RIGHT), "--lang", lang, *options, **environment)
    assert (result.returncode, result.stdout) == (2, "")
    assert one_line(result).startswith(said.format(given, target))


@pytest.mark.parametrize("file", ["901/tests.py", "901_double/problem.toml", "double/tests.py"])
def test_tests_in_a_folder_that_says_of_no_problem_are_one_line(house, tmp_path, file):
    folder = pack(tmp_path / "pack", {"pack.toml": "seed = 1\n", file: "GROUPS = []\n"})
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", folder)
    assert result.returncode == 2
    assert f"the pack's {file.split('/')[0]} would not be used" in one_line(result)


REFUSED = {
    "not TOML": (BAD_SETTINGS["not TOML"], "pack.toml 无法读取：TOMLDecodeError"),
    "a negative seed": (BAD_SETTINGS["a negative seed"], "pack.toml 里的 seed 必须是不小于 0 的整数"),
    "no such problem": ("", "私有测试包里有 998-no-such，但没有题目 998"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_pack_is_refused_in_the_language_asked_for(house, tmp_path, name):
    toml, said = REFUSED[name]
    files = {"pack.toml": toml} | ({} if toml else {"998-no-such/tests.py": ""})
    result = house.judge("check", "901", "--lang", "zh", "--pack", pack(tmp_path / "pack", files))
    assert (result.returncode, one_line(result)) == (2, said)


def test_without_a_pack_the_judges_fault_says_what_it_was(house):
    """So that the silence above is the pack's."""
    house.add("903-broken", DOUBLE | {"tests.py": f"raise ValueError({SECRET!r})\n"})
    result = house.judge("test", "903", house.answer(RIGHT), "--json")
    assert json.loads(result.stdout)["reason"] == f"ValueError: {SECRET}"
