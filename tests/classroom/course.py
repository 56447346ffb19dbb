"""An nbgrader course for tests, built by `make class`'s own code, and submissions made from what it releases."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import build_class
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.utils import capture_log
from traitlets.config.loader import PyFileConfigLoader

from practice.judging import catalogue

CHAPTER = "90-tiny"  # with problem 127, and a task
TINY = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

+++ {"lang": "en"}

# 90 · Tiny

A lead.

+++ {"lang": "zh"}

# 90 · 很小

引子。

+++

<!-- exercise: 127 -->

+++ {"lang": "en"}

## How to explain it

> Blocks are shared until one writes.

## Next

No more.

+++ {"lang": "zh"}

## 怎么讲清楚

> 块一直共用，到有人写为止。

## 下一步

没有了。
"""
Change = Callable[[dict], None]


class Course:
    def __init__(self, root: Path, chapter: str = CHAPTER):
        self.root, self.chapter = root, chapter

    @property
    def api(self) -> NbGraderAPI:
        """nbgrader as its commands run it in this folder."""
        return NbGraderAPI(config=PyFileConfigLoader("nbgrader_config.py", str(self.root)).load_config())

    @property
    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.root}/gradebook.db", "paged-kv-cache")

    def configure(self, *lines: str) -> None:
        with (self.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write("".join(f"{line}\n" for line in lines))

    def generate(self) -> None:
        result = self.api.generate_assignment(self.chapter)
        assert result["success"], result

    def released(self) -> dict:
        path = self.root / "release" / self.chapter / f"{self.chapter}.ipynb"
        return json.loads(path.read_text(encoding="utf-8"))

    def folder(self, student: str) -> Path:
        path = self.root / "submitted" / student / self.chapter
        path.mkdir(parents=True, exist_ok=True)
        return path

    def hand_in(self, student: str, *changes: Change, name: str = "") -> Path:
        """Hand in what was released, with these changes, as `name`.ipynb."""
        book = copy.deepcopy(self.released())
        for change in changes:
            change(book)
        path = self.folder(student) / f"{name or self.chapter}.ipynb"
        path.write_text(json.dumps(book), encoding="utf-8")
        return path

    def autograde(self) -> dict:
        """What `nbgrader autograde CHAPTER` does: success, error and log."""
        api = self.api
        api.coursedir.assignment_id = self.chapter
        return capture_log(Autograde(coursedir=api.coursedir, parent=api))

    def graded(self, student: str) -> dict:
        """The notebook as it was graded."""
        path = self.root / "autograded" / student / self.chapter / f"{self.chapter}.ipynb"
        return json.loads(path.read_text(encoding="utf-8"))

    def row(self, student: str) -> dict[str, tuple]:
        """grade id -> (points or None, whether a person has to look), as the gradebook has it."""
        with self.gradebook as gradebook:
            notebooks = gradebook.find_submission(self.chapter, student).notebooks
            return {g.name: (g.auto_score, g.needs_manual_grade) for book in notebooks for g in book.grades}

    def said(self, student: str) -> str:
        """What the graded notebook tells a student: remarks on top, verdicts, reasons."""
        cells = self.graded(student)["cells"]
        texts = ["".join(cell["source"]) for cell in cells[:1]]
        for output in [output for cell in cells for output in cell.get("outputs", [])]:
            texts += ["".join(output["data"]["text/plain"])]
        return "\n".join(texts)

    def feedback(self, student: str) -> str:
        result = self.api.generate_feedback(self.chapter, student)
        assert result["success"], result
        return (self.root / "feedback" / student / self.chapter / f"{self.chapter}.html").read_text(encoding="utf-8")


def copied(course: Course, root: Path) -> Course:
    """The same course elsewhere; it takes nbgrader seconds to generate one."""
    shutil.copytree(course.root, root / "course")
    return Course(root / "course", course.chapter)


def tiny(root: Path) -> Course:
    """A course of one small assignment, generated, whose judge explains nothing."""
    (root / "notebooks" / "src").mkdir(parents=True)
    (root / "notebooks" / "src" / f"{CHAPTER}.md").write_text(TINY, encoding="utf-8")
    course = Course(root / "course")
    argv = ["--lang", "en", "--notebooks", str(root / "notebooks"), "--out", str(course.root)]
    assert build_class.main(argv) == 0
    course.configure("c.Judge.shrink_seconds = c.Judge.diagnose_seconds = 0.0")
    course.generate()
    return course


# changes


def cell(book: dict, grade_id: str) -> dict:
    return next(c for c in book["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def answers(source: str, number: int = 127) -> Change:
    def change(book: dict) -> None:
        cell(book, f"answer-{number}")["source"] = f"%%judge {number}\n{source}"

    return change


def adds(source: str, kind: str = "code", place: int = 1, **more) -> Change:
    """Add a cell, by default right after the first."""

    def change(book: dict) -> None:
        code = {"outputs": [], "execution_count": None} if kind == "code" else {}
        book["cells"].insert(
            place,
            {"cell_type": kind, "id": f"added-{len(book['cells'])}", "source": source, "metadata": {}, **code, **more},
        )

    return change


def reference(number: int = 127) -> str:
    return catalogue.find(str(number)).reference()


def wrong(name: str, number: int = 127) -> str:
    return (catalogue.find(str(number)).folder / "wrong" / f"{name}.py").read_text(encoding="utf-8")


SOLVED = answers(reference())
PARTIAL = answers(wrong("fork_shares_the_list"))  # 45 of 100
