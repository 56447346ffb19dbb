"""A learner's way through the course: every chapter runs, every exercise is solved in its cell, and all is solved.

In both editions, in real JupyterLab, with the banks' right answers for a learner's.
"""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.lab import copy_course, run_all, run_cell, serve_lab
from practice.judging import catalogue

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.needs("torch"), pytest.mark.slow]

VERDICT_MS = 240_000  # a busy machine; how fast it is decides no test
STATES = "from practice.judging import progress; print(progress.states())"


def exercises(page: Page) -> dict[int, Locator]:
    """Problem number -> its cell."""
    cells = {}
    for cell in page.locator(".jp-Notebook .jp-CodeCell").all():
        first = re.match(r"%%judge (\d+)", cell.locator(".cm-content").text_content())
        if first:
            cells[int(first[1])] = cell
    return cells


def solve(page: Page, cell: Locator, number: int) -> None:
    """Paste a right answer over the starter, run the cell, and wait for its verdict."""
    answer = catalogue.find(str(number)).bank("right")[0].read_text(encoding="utf-8")
    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(f"%%judge {number}\n{answer}")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(cell.locator("section[role=status]")).to_contain_text("100/100", timeout=VERDICT_MS)


def failed_cells(page: Page) -> list[str]:
    """What cells said that ended in an error."""
    shown = page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']")
    return shown.all_inner_texts()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_learner_solves_everything(lang, tmp_path, browser):
    copy_course(tmp_path)
    chapters = sorted((tmp_path / "notebooks" / lang).glob("*.ipynb"))
    solved = set()
    with serve_lab(tmp_path) as lab:
        for chapter in chapters:
            page = lab.open(browser, f"notebooks/{lang}/{chapter.name}")
            run_all(page)
            assert failed_cells(page) == []
            placed = exercises(page)
            written = re.findall(r"%%judge (\d+)", json.dumps(json.loads(chapter.read_text(encoding="utf-8"))["cells"]))
            assert set(placed) == set(map(int, written))
            for number, cell in placed.items():
                solve(page, cell, number)
            run_all(page)  # what follows an exercise now goes on with the learner's own objects
            assert failed_cells(page) == []
            solved |= set(placed)
            said = run_cell(page, STATES)
            assert all(f"{number}: 'solved'" in said for number in solved)
            page.close()
        assert lab.errors == []
        assert lab.outside == []
    assert solved == {problem.counts_as for problem in catalogue.all_problems() if problem.chapter_file(lang)}
