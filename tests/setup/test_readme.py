"""What README.md, README.zh.md and CONTRIBUTING.md promise is there."""

import re
from pathlib import Path

import pytest

from classroom.commands import app  # with all its commands
from practice.judging import catalogue

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
READMES = ("README.md", "README.zh.md")
PAGES = (*READMES, "CONTRIBUTING.md")


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)\)", text(page))
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_make_command_exists_and_reads_its_variables(page):
    commands = re.findall(r"(?:`|^)make ([a-z]+)((?: [A-Z_]+=)?)", text(page), re.MULTILINE)
    targets = set(re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split())
    assert {target for target, _ in commands} <= targets
    for variable in {name.strip(" =") for _, name in commands} - {""}:
        assert variable in MAKEFILE


@pytest.mark.parametrize("page", READMES)
def test_every_judge_command_is_listed_and_every_listed_one_exists(page):
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert set(re.findall(r"^\| `… ([a-z]+)", text(page), re.MULTILINE)) == known
    assert set(re.findall(r"judge\.py ([a-z]+)", text(page))) <= known


@pytest.mark.parametrize("page", READMES)
def test_the_problems_named_are_the_problems_there_are(page):
    named = set(re.findall(r"^\| (\d{3}[a-z]?) ", text(page), re.MULTILINE))
    assert named == {str(problem.number) for problem in catalogue.all_problems()}


@pytest.mark.parametrize("page", READMES)
def test_the_problems_bear_their_titles(page):
    language = "zh" if "zh" in page else "en"
    named = dict(re.findall(r"^\| (\d{3}[a-z]?) (.+?) \|", text(page), re.MULTILINE))
    assert named == {str(problem.number): problem.title[language] for problem in catalogue.all_problems()}


def test_both_languages_give_the_same_commands():
    def commands(page: str) -> list[str]:
        blocks = re.findall(r"```sh\n(.*?)```", text(page), re.DOTALL)
        lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
        return [line.replace("notebooks/zh", "notebooks/en") for line in lines]

    assert commands("README.md") == commands("README.zh.md")


def test_the_first_screen_has_the_two_commands_and_then_the_judge():
    for page in READMES:
        top = text(page)[:1500]
        assert top.index("make lab") < top.index("make test") < top.index("python practice/judge.py")
