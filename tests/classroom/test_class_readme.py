"""classroom/README: its links lead somewhere; its commands, run as written, lead from a clone to exported grades."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from course import answers, reference
from nbgrader.exchange.default import Exchange

from practice.judging import catalogue

ROOT = catalogue.ROOT
PAGES = ("classroom/README.md", "classroom/README.zh.md")


def commands(page: str) -> list[list[str]]:
    """The lines of each block of commands."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block.strip().splitlines() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]


def test_both_languages_give_the_same_commands():
    teacher, student = commands(PAGES[0])[:2]
    assert commands(PAGES[1])[:2] == [teacher, student]
    assert len(teacher) == 10


@pytest.mark.parametrize("page", PAGES)
def test_the_exchange_that_nbgrader_looks_for_is_made_before_its_commands(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    made = re.search(r"`sudo install -d -m 1777 (\S+)`", text)
    assert made[1] == Exchange.root.default_value
    assert made.start() < text.index("nbgrader generate_assignment")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert links
    for link in links:
        file, _, anchor = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists()
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert not anchor or anchor in [
            re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
        ]


@pytest.mark.parametrize("page", PAGES)
def test_the_assignments_and_their_problems_are_those_of_the_chapters(page):
    rows = re.findall(r"^\| (\d\d-[\w-]+) \| ([\d\w, 、]*)\| ", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    told = {name: re.findall(r"\d{3}b?", problems) for name, problems in rows}
    sources = sorted((ROOT / "notebooks" / "src").glob("*.md"))
    assert told == {
        path.stem: re.findall(r"^<!-- exercise: (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in sources
    }


@pytest.fixture
def clone(tmp_path):
    """The course as a clone has it, set up; nbgrader's exchange and everybody's settings in a folder beside it."""
    names = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(names, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    root = tmp_path / "clone"
    for name in filter(lambda name: name and (ROOT / name).is_file(), listed):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    (root / ".venv").symlink_to(Path(sys.prefix), target_is_directory=True)
    settings = tmp_path / "settings" / "nbgrader_config.py"
    for folder in (settings.parent, tmp_path / "exchange", tmp_path / "home", tmp_path / "student"):
        folder.mkdir()
    (tmp_path / "exchange").chmod(0o777)
    exchange = {"root": str(tmp_path / "exchange"), "cache": str(tmp_path / "cache")}
    lines = [f"c.Exchange.{name} = {value!r}" for name, value in exchange.items()]
    settings.write_text("\n".join(["c = get_config()", *lines, ""]))
    return root


def run(clone: Path, folder: Path, lines: list[str]) -> str:
    """Run commands in one shell; none may fail. The environment is set up already, so `make` need not do it."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment = kept | {
        "HOME": str(clone.parent / "home"),
        "JUPYTER_CONFIG_DIR": str(clone.parent / "settings"),
        "JUDGE_DATA": str(clone.parent / "data"),
        "LANG_EDITION": "en",
        "MAKEFLAGS": "SETUP=:",
    }
    result = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=400,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_the_commands_lead_from_a_clone_to_exported_grades(clone):
    teacher, student = commands(PAGES[0])[:2]
    assert "6 assignments" in run(clone, clone, teacher[:5])
    desk, activate = clone.parent / "student", f"source {clone}/.venv/bin/activate"
    run(clone, desk, [activate, student[0]])
    path = desk / "05-sharing" / "05-sharing.ipynb"
    book = json.loads(path.read_text(encoding="utf-8"))
    assert "BEGIN SOLUTION" not in str(book) and "MARK SCHEME" not in str(book)
    answers(reference(127), 127)(book)
    answers(reference(139), 139)(book)
    path.write_text(json.dumps(book), encoding="utf-8")
    assert "Success! Your notebook passes all the tests." in run(clone, desk, [activate, *student[1:]])
    sent = clone / "classroom" / "course" / "submitted" / "sent by mail" / "05-sharing" / path.name
    sent.parent.mkdir(parents=True)
    shutil.copy(path, sent)
    assert "Not released" in run(clone, clone, [*teacher[1:3], *teacher[5:]])
    rows = list(csv.DictReader((clone / "classroom" / "course" / "grades.csv").open()))
    assert [(row["assignment"], row["score"], row["max_score"]) for row in rows] == [("05-sharing", "20.0", "25.0")] * 2
    [feedback] = (clone.parent / "exchange" / "paged-kv-cache" / "feedback").rglob("*.html")
    assert "AC accepted" in feedback.read_text(encoding="utf-8")
    assert not (clone / "practice" / "workspace").exists()  # nobody's answer was saved as the teacher's
