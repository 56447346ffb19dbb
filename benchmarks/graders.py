"""The graders that judge_speed.py compares: each says for an answer whether it accepts it, and how long that took.

Ours plays the tests in a sandbox; the others run side_by_side.py beside the answer: pytest in its own process, those of
notebook_graders.py in a Jupyter kernel.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

from classroom.batch import store
from practice.judging.catalogue import ROOT, Problem


@dataclass
class Ran:
    """A process that has ended; `seconds` by the clock."""

    seconds: float
    status: int
    output: str


@dataclass
class Answer:
    """An answer, and whether it is right."""

    name: str
    source: str
    right: bool


class Grader:
    """Works in `folder`, which is its own."""

    name: str

    def __init__(self, problem: Problem, folder: Path):
        self.problem, self.folder = problem, folder
        folder.mkdir()
        own = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR", "JUDGE_DATA")}
        path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])  # nbgrader calls `alembic` by name
        self.environment = os.environ | own | {"PATH": path, "PYTHONPATH": str(ROOT)}
        self.environment.pop("JUDGE_PACK", None)

    def grade(self, answer: Answer) -> Ran:
        """A cold verdict on one answer. Raises RuntimeError where it is the wrong one."""
        raise NotImplementedError

    def run(self, command: list[str], may_end_with: tuple[int, ...] = (0,)) -> Ran:
        """Run to the end. Raises RuntimeError, with what it said, for another exit status."""
        begun = time.perf_counter()
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
        seconds = time.perf_counter() - begun
        if ended.returncode not in may_end_with:
            said = f"{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
            raise RuntimeError(f"{' '.join(command)} ended with {ended.returncode}:\n{said}")
        return Ran(seconds, ended.returncode, ended.stdout)

    def expect(self, answer: Answer, accepted: bool, verdict: str = "") -> None:
        if accepted != answer.right:
            what = f"{'accepts' if accepted else 'rejects'} {answer.name} of problem {self.problem.number}"
            raise RuntimeError(f"{self.name} {what} {verdict}".rstrip())


class Ours(Grader):
    name = "ours"

    def grade(self, answer: Answer) -> Ran:
        command = [sys.executable, str(ROOT / "judge.py"), "test", str(self.problem.number), str(self._write(answer))]
        ran = self.run([*command, "--json"], may_end_with=(0, 1))
        verdict = json.loads(ran.output)["verdict"]
        self.expect(answer, verdict == "AC", verdict)
        return ran

    def grade_many(self, answers: list[Answer], *options: str) -> tuple[Ran, list[float]]:
        """All in one batch; with the seconds of each."""
        submitted, grades = self.folder / "submitted", self.folder / "grades.sqlite3"
        shutil.rmtree(submitted, ignore_errors=True)
        for old in self.folder.glob("grades.sqlite3*"):
            old.unlink()
        submitted.mkdir()
        for student, answer in enumerate(answers):
            (submitted / f"{student:05}.py").write_text(answer.source, encoding="utf-8")
        command = [sys.executable, str(ROOT / "judge.py"), "batch", str(submitted), "--out", str(grades)]
        ran = self.run([*command, "--problem", str(self.problem.number), *options])
        with store.stored(grades) as found:
            rows = list(found.rows(["verdict", "seconds"]))
        for answer, (verdict, _) in zip(answers, rows, strict=True):
            self.expect(answer, verdict == "AC", verdict)
        return ran, [seconds for _, seconds in rows]

    def _write(self, answer: Answer) -> Path:
        file = self.folder / f"{answer.name}.py"
        file.write_text(answer.source, encoding="utf-8")
        return file


class Pytest(Grader):
    name = "pytest"

    def __init__(self, problem: Problem, folder: Path):
        super().__init__(problem, folder)
        lines = ["import answer", "from benchmarks.side_by_side import check"]
        for group in problem.groups:
            lines += ["", "", f"def test_{group.name}():", f"    check({problem.number}, {group.name!r}, vars(answer))"]
        (folder / "test_answer.py").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def grade(self, answer: Answer) -> Ran:
        (self.folder / "answer.py").write_text(answer.source, encoding="utf-8")
        ran = self.run([sys.executable, "-m", "pytest", "-q"], may_end_with=(0, 1))
        self.expect(answer, ran.status == 0)
        return ran
