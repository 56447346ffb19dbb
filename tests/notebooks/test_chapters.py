"""The chapters as they are in the repository: both editions say and run the same, and print what their prose says."""

import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from build_notebooks import ROOT, build
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

NOTEBOOKS = ROOT / "notebooks"
PROBLEMS = ROOT / "practice" / "problems"
CHAPTERS = sorted(source.stem for source in (NOTEBOOKS / "src").glob("*.md"))
EXPECTED = re.compile(r"<details>\n<summary>[^\n]+</summary>\n\n```text expected\n(.*?)\n```\n\n</details>", re.DOTALL)
CHINESE = re.compile(r"[\u3400-\u9fff]")
VERDICT = re.compile(r"\b(AC|WA|RE|TLE|MLE|OLE|CE|SKIPPED|IE)\b")
# A judged cell is saved as the learner's answer; here that would put the starter over their own.
LEAVE_THE_WORKSPACE_ALONE = """
from practice.judging import workspace

workspace.save = lambda problem, source: workspace.path(problem)
"""

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
# What a chapter's cells need to print all that the prose says; where it is missing they say so, and print less.
NEEDS = {
    "03-paged-attention": ["torch"],
    "04-block-size": ["torch"],
    "05-sharing": ["torch"],
    "08-kernel": ["torch", "triton", "compiler"],
}
each_chapter_that_runs_here = pytest.mark.parametrize(
    "chapter", [pytest.param(name, marks=pytest.mark.needs(*NEEDS.get(name, []))) for name in CHAPTERS]
)
LONG = 900  # seconds: a cell that hangs ends some time, and a busy machine fails no test


@pytest.fixture(scope="module")
def built() -> dict[Path, bytes]:
    """A fresh build, in memory: a learner's own notebooks may hold answers and outputs."""
    return build(NOTEBOOKS, PROBLEMS)


def edition(built: dict[Path, bytes], chapter: str, lang: str) -> nbformat.NotebookNode:
    return nbformat.reads(built[NOTEBOOKS / lang / f"{chapter}.ipynb"].decode(), as_version=4)


def prose(book: nbformat.NotebookNode) -> list[str]:
    return [cell.source for cell in book.cells if cell.cell_type == "markdown"]


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout").rstrip()


@each_chapter
def test_both_editions_have_the_same_code_in_the_same_places(built: dict[Path, bytes], chapter: str):
    english, chinese = (
        [(cell.cell_type, cell.id, cell.source) if cell.cell_type == "code" else "prose" for cell in book.cells]
        for book in (edition(built, chapter, "en"), edition(built, chapter, "zh"))
    )
    assert english == chinese


@each_chapter
def test_each_prose_cell_has_a_counterpart_of_the_same_shape(built: dict[Path, bytes], chapter: str):
    shapes = {
        "headings": r"(?m)^(#+) ",
        "figures": r"!\[.+?\]\((.+?)\.(?:en|zh)\.svg\)",
        "folded answers": r"<(details)>",
        "expected output": r"(?s)```text expected\n(.*?)```",
        "formulas": r"\$\$",
        "table rows": r"(?m)^(\|)",
        "numbered": r"(?m)^(\d+)\. ",
    }
    pairs = zip(prose(edition(built, chapter, "en")), prose(edition(built, chapter, "zh")), strict=True)
    for english, chinese in pairs:
        for shape, pattern in shapes.items():
            assert re.findall(pattern, english) == re.findall(pattern, chinese), (shape, english[:60])


@each_chapter
def test_each_edition_is_in_its_language(built: dict[Path, bytes], chapter: str):
    english = [re.sub(r"\[中文\]", "", text) for text in prose(edition(built, chapter, "en"))]
    assert [text for text in english if CHINESE.search(text)] == []
    without_output = [EXPECTED.sub("", text) for text in prose(edition(built, chapter, "zh"))]
    assert [text for text in without_output if text.strip() and not CHINESE.search(text)] == []


def test_what_a_chapter_needs_is_said_of_chapters_that_there_are():
    assert set(NEEDS) <= set(CHAPTERS)


@each_chapter
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_chapter_opens_with_a_title_and_ends_with_its_source(built: dict[Path, bytes], chapter: str, lang: str):
    texts = prose(edition(built, chapter, lang))
    assert texts[0].startswith(f"# {int(chapter[:2])} · ")
    assert f"notebooks/src/{chapter}.md" in texts[-1].rsplit("\n---\n", 1)[-1]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_first_check_is_on_the_first_screen_of_chapter_one(built: dict[Path, bytes], lang: str):
    first = edition(built, "01-why-page", lang).cells[:4]
    assert [cell.source.splitlines()[0] for cell in first if cell.cell_type == "code"] == [
        "import judge",
        "%%judge 121",
    ]
    assert sum(len(cell.source.splitlines()) for cell in first) <= 40


@each_chapter_that_runs_here
@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_a_run_prints_what_the_prose_says_and_accepts_no_starter(built, chapter, lang, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path))
    monkeypatch.delenv("LANG_EDITION", raising=False)
    book = edition(built, chapter, lang)
    book.cells.insert(0, new_code_cell(LEAVE_THE_WORKSPACE_ALONE))
    NotebookClient(book, timeout=LONG, resources={"metadata": {"path": str(NOTEBOOKS / lang)}}).execute()

    said, ran, verdicts = {}, {}, []
    for cell, after in pairwise(book.cells):
        if cell.source.startswith("%%judge"):
            card = "".join(output.data["text/plain"] for output in cell.outputs if "data" in output)
            verdicts.append(VERDICT.search(card)[1])
        elif cell.cell_type == "code":
            expected = EXPECTED.match(after.source)
            said[cell.source] = expected[1] if expected else ""
            ran[cell.source] = printed(cell)
    assert ran == said
    assert set(verdicts) <= {"WA", "RE"}
