"""Every problem is whole: both languages, hints, a short starter, a bank of answers, and the proof that it judges."""

import ast
import json
import os
import subprocess
import sys

import pytest
from house import RIGHT

from practice.judging import catalogue, cli, examples

PROBLEMS = catalogue.all_problems()
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: str(problem.number))
every_problem_that_runs = pytest.mark.parametrize(
    "problem",
    [
        pytest.param(problem, id=str(problem.number), marks=[pytest.mark.needs(name) for name in problem.requires])
        for problem in PROBLEMS
    ],
)
both_languages = pytest.mark.parametrize("lang", ["en", "zh"])
BANK = {"wrong": {127: 25}, "right": {127: 5}}
LEAST = {"wrong": 12, "right": 3}


def han(text: str) -> int:
    """How many Chinese characters it has."""
    return sum("\u4e00" <= letter <= "\u9fff" for letter in text)


@every_problem
@both_languages
def test_the_section_it_points_to_is_in_its_chapter(problem, lang):
    """A failing answer is sent there; a problem whose chapter is not written yet has nowhere to send."""
    file = problem.chapter_file(lang)
    if file is None:
        assert problem.chapter > 3
        return
    headings = [
        line.removeprefix("## ")
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).splitlines()
        if line.startswith("## ")
    ]
    assert problem.section[lang] in headings


def test_there_are_problems_with_numbers_of_their_own():
    numbers = [problem.number for problem in PROBLEMS]
    assert {121, 127} <= set(numbers)
    assert len(numbers) == len(set(numbers))
    assert len({problem.slug for problem in PROBLEMS}) == len(numbers)


@every_problem
@both_languages
def test_title_statement_and_hints_are_there(problem, lang):
    assert problem.title[lang].strip()
    statement = problem.text("statement", lang)
    assert len(statement) > 200
    hints = problem.hints(lang)
    assert len(hints) == 3
    assert len(set(hints)) == 3 and all(hints)


@every_problem
def test_chinese_texts_are_chinese_and_english_ones_are_not(problem):
    for stem in ("statement", "hints"):
        assert han(problem.text(stem, "zh")) > 50
        assert han(problem.text(stem, "en")) == 0
    assert han(problem.title["zh"]) and not han(problem.title["en"])


@every_problem
def test_the_starter_compiles_is_short_and_names_what_is_asked_for(problem):
    tree = ast.parse(problem.starter)
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert set(problem.entry) <= defined
    assert len(problem.starter.splitlines()) <= 60
    assert f'NotImplementedError("{problem.number}' in problem.starter


@every_problem
@pytest.mark.parametrize("kind", ["wrong", "right"])
def test_the_bank_is_large_enough(problem, kind):
    assert len(problem.bank(kind)) >= BANK[kind].get(problem.number, LEAST[kind])


@every_problem
def test_each_wrong_answer_names_its_misconception_in_both_languages_and_is_python(problem):
    said = {}
    for path in problem.bank("wrong"):
        text = path.read_text(encoding="utf-8")
        ast.parse(text)
        first, second, *_ = text.splitlines()
        assert first.startswith("# ") and len(first) > 12 and not han(first), path.name
        assert second.startswith("# ") and han(second), path.name
        assert said.setdefault(first, path.name) == path.name, f"{path.name} says what {said[first]} says"


@every_problem
def test_no_two_answers_of_the_bank_are_the_same(problem):
    seen = {}
    for path in [*problem.bank("wrong"), *problem.bank("right")]:
        shape = ast.dump(ast.parse(path.read_text(encoding="utf-8")))
        assert seen.setdefault(shape, path.name) == path.name, f"{path.name} is {seen[shape]}"


@every_problem_that_runs
def test_points_add_up_to_100_with_the_ten_of_the_examples(problem):
    assert sum(group.points for group in problem.groups) + 10 == 100
    names = [group.name for group in problem.groups]
    assert len(names) == len(set(names)) and "examples" not in names


@every_problem_that_runs
def test_every_group_has_a_title_and_a_hint_in_both_languages(problem):
    for group in problem.groups:
        for text in (group.title, group.hint):
            assert set(text) == {"en", "zh"} and all(text.values()), group.name


@every_problem
def test_each_part_of_the_examples_is_short(problem):
    """At most eight calls, reads of fields not counted."""
    for program in examples.read((problem.folder / "examples.txt").read_text(encoding="utf-8")):
        calls = [call for call in program.calls if call.args is not None]
        assert 1 <= len(calls) <= 8


@every_problem
def test_the_oracle_shares_no_code_with_the_library(problem):
    for name in ("oracle.py", "tests.py"):
        for node in ast.walk(ast.parse((problem.folder / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] != "paged" for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "paged"


def check(*numbers) -> subprocess.CompletedProcess:
    """`judge.py check`, the authors' proof."""
    command = [sys.executable, str(catalogue.ROOT / "judge.py"), "check", *map(str, numbers)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=1200)


def test_the_proof_of_124_holds():
    result = check(124)
    assert result.returncode == 0, result.stdout
    bank = catalogue.find("124")
    trials = 2 + len(bank.bank("wrong")) + len(bank.bank("right"))
    assert f"124: every trial as it should be ({trials})" in result.stdout
    for path in bank.bank("wrong"):
        assert f"wrong/{path.stem}" in result.stdout


@pytest.mark.slow
@every_problem_that_runs
def test_the_proof_of_every_problem_holds(problem):
    result = check(problem.number)
    assert result.returncode == 0, result.stdout


def test_the_proof_finds_a_wrong_answer_that_survives(house):
    folder = house.problems / "901-double"
    (folder / "wrong").mkdir()
    (folder / "wrong" / "survivor.py").write_text("# twice is what it should be\n" + RIGHT)
    (folder / "right").mkdir()
    (folder / "right" / "mistaken.py").write_text("def double(x):\n    return 3 * x\n")
    result = house.judge("check", "901")
    assert result.returncode == 1
    assert "901: 2 of 4 trials are not as they should be" in result.stdout
    lines = {line.split()[1]: line for line in result.stdout.splitlines() if line.startswith(("✓", "✗"))}
    assert {name: line[0] for name, line in lines.items()} == {
        "starter": "✓",
        "reference": "✓",
        "right/mistaken": "✗",
        "wrong/survivor": "✗",
    }
    assert "twice is what it should be" in lines["wrong/survivor"]
    assert "examples small large" in lines["right/mistaken"]


@every_problem
@both_languages
def test_show_prints_statement_and_examples(problem, lang, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["judge.py", "show", str(problem.number), "--lang", lang])
    with pytest.raises(SystemExit) as leaving:
        cli.main()
    said, complaint = capsys.readouterr()
    assert (leaving.value.code, complaint) == (0, "")
    first_example = (problem.folder / "examples.txt").read_text(encoding="utf-8").splitlines()[0]
    assert first_example in said


def test_list_shows_every_problem():
    command = [sys.executable, str(catalogue.ROOT / "judge.py"), "list", "--json"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert [row["number"] for row in rows] == [problem.number for problem in PROBLEMS]
