"""Graders that run the answer and the tests in a Jupyter kernel: nbgrader as it comes, and otter.

What a teacher prepares once (course, gradebook, autograder.zip) is not timed.
"""

import json
import shutil
import sys
from pathlib import Path

import nbformat
from graders import Answer, Grader, Ran
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

from practice.judging.catalogue import Problem

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


class Nbgrader(Grader):
    """A course in which one grade cell stands for each group of tests, with the group's points."""

    name = "nbgrader"

    def __init__(self, problem: Problem, folder: Path):
        super().__init__(problem, folder)
        self.assignment = str(problem.number)
        solution = f"### BEGIN SOLUTION\n{problem.reference()}### END SOLUTION"
        cells = [new_code_cell(solution, metadata=_marks("answer", solution=True))]
        for group in problem.groups:
            cell = f"### BEGIN HIDDEN TESTS\n{_check(problem, group.name)}\n### END HIDDEN TESTS"
            cells.append(new_code_cell(cell, metadata=_marks(group.name, grade=True, locked=True, points=group.points)))
        _save(folder / "source" / self.assignment / "answer.ipynb", cells)
        self._nbgrader("generate_assignment")
        shutil.copy(folder / "gradebook.db", folder / "fresh.db")
        self.released = nbformat.read(folder / "release" / self.assignment / "answer.ipynb", as_version=4)

    def grade(self, answer: Answer) -> Ran:
        return self.grade_many([answer])

    def grade_many(self, answers: list[Answer]) -> Ran:
        """All in one `nbgrader autograde`, on a gradebook that knows none of them."""
        for name in ("submitted", "autograded"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copy(self.folder / "fresh.db", self.folder / "gradebook.db")
        for student, answer in enumerate(answers):
            cells = [cell.copy() for cell in self.released.cells]
            cells[0]["source"] = answer.source
            _save(self.folder / "submitted" / f"student{student}" / self.assignment / "answer.ipynb", cells)
        ran = self._nbgrader("autograde")
        for student, answer in enumerate(answers):
            self.expect(answer, self._full_marks(f"student{student}"))
        return ran

    def _nbgrader(self, command: str) -> Ran:
        return self.run([sys.executable, "-m", "nbgrader", command, self.assignment, "--course", "speed"])

    def _full_marks(self, student: str) -> bool:
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db", "speed") as gradebook:
            submission = gradebook.find_submission(self.assignment, student)
            return submission.score == submission.max_score == sum(group.points for group in self.problem.groups)


class Otter(Grader):
    """`otter run`, from wherever otter-grader is installed; that Python needs hypothesis and msgspec too."""

    name = "otter"

    def __init__(self, problem: Problem, folder: Path, command: str):
        super().__init__(problem, folder)
        self.command = command
        (folder / "tests").mkdir()
        for group in problem.groups:
            code = "".join(f">>> {line}\n" for line in _check(problem, group.name).splitlines())
            suite = {"cases": [{"code": code, "hidden": False, "locked": False}], "scored": True, "type": "doctest"}
            test = {"name": group.name, "points": group.points, "suites": [suite | {"setup": "", "teardown": ""}]}
            text = f"OK_FORMAT = True\n\ntest = {test!r}\n"
            (folder / "tests" / f"{group.name}.py").write_text(text, encoding="utf-8")
        words = ["generate", "-t", "tests", "-o", "autograder.zip", "--no-requirements", "--no-environment"]
        self.run([command, *words])

    def grade(self, answer: Answer) -> Ran:
        _save(self.folder / "answer.ipynb", [new_code_cell(answer.source)])
        words = ["run", "answer.ipynb", "-a", "autograder.zip", "-o", ".", "--no-logo"]
        ran = self.run([self.command, *words])
        tests = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))["tests"]
        score = sum(test.get("score", 0.0) for test in tests)
        self.expect(answer, score == sum(group.points for group in self.problem.groups))
        return ran


def _check(problem: Problem, group: str) -> str:
    return f"from benchmarks.side_by_side import check\ncheck({problem.number}, {group!r}, globals())"


def _marks(
    grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False, points: int = 0
) -> dict:
    marks = {"grade_id": grade_id, "grade": grade, "solution": solution, "locked": locked, "task": False}
    return {"nbgrader": marks | {"schema_version": 3} | ({"points": points} if grade else {})}


def _save(file: Path, cells: list) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), file)
