"""A copy of the judge in a folder of its own, with one tiny problem: commands run there touch nothing of the learner's.

house.judge("test", "901", "answer.py")     runs `python judge.py test 901 answer.py` in it
"""

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

from practice.judging import catalogue, cli, workspace

DOUBLE = {
    "problem.toml": """
title = { en = "Double", zh = "加倍" }
chapter = 1
difficulty = "easy"
entry = ["double"]

[reference]
files = ["practice/problems/901-double/reference.py"]
""",
    "examples.txt": ">>> double(2)\n4\n---\n>>> double(0)\n0\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "starter.py": 'def double(x):\n    raise NotImplementedError("901: double")\n',
    "oracle.py": "def double(x):\n    return x + x\n",
    "statement.en.md": "# Double\n\nGive twice the number.\n",
    "statement.zh.md": "# 加倍\n\n返回这个数的两倍。\n",
    "hints.en.md": "First nudge.\n---\nSecond nudge.\n---\nThird nudge.\n",
    "hints.zh.md": "提示甲。\n---\n提示乙。\n---\n提示丙。\n",
    "tests.py": """
from practice.judging import Group, plans

from . import oracle


def play_small(answer, plan):
    for op in plan.ops:
        answer.double(op.pick % 10)
        answer.count("small")


def play_large(answer, plan):
    for op in plan.ops:
        answer.double(1000 + op.pick)


GROUPS = [
    Group("small", {"en": "below ten", "zh": "小于十"}, 30, plans({"any": 1}, (2, 4)), play_small, oracle, programs=4),
    Group("large", {"en": "from 1000", "zh": "一千起"}, 60, plans({"any": 1}, (2, 4)), play_large, oracle, programs=4),
]
""",
}
RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return x if x >= 1000 else 2 * x\n"  # right in the examples and in one group of two


class House:
    def __init__(self, root: Path, home: Path):
        self.root, self.home = root, home
        shutil.copytree(catalogue.ROOT / "practice" / "judging", root / "practice" / "judging")
        for name in ("judge.py", "practice/judge.py", "practice/__init__.py"):
            shutil.copy2(catalogue.ROOT / name, root / name)
        self.add("901-double", DOUBLE)

    @property
    def problems(self) -> Path:
        return self.root / "practice" / "problems"

    @property
    def workspace(self) -> Path:
        return self.root / "practice" / "workspace"

    @property
    def data(self) -> Path:
        return self.home / "data"

    def add(self, folder: str, files: dict[str, str]) -> Path:
        """Put a problem into the house."""
        target = self.problems / folder
        target.mkdir(parents=True)
        for name, text in files.items():
            (target / name).write_text(text, encoding="utf-8")
        return target

    def answer(self, source: str, name: str = "answer.py") -> Path:
        file = self.home / name
        file.write_text(source, encoding="utf-8")
        return file

    def environment(self, **changed: str | None) -> dict[str, str]:
        """The environment of a fresh login: English, progress in this house."""
        kept = {name: os.environ[name] for name in ("PATH", "JUDGE_SANDBOX") if name in os.environ}
        whole = kept | {"HOME": str(self.home), "LC_ALL": "C.UTF-8", "JUDGE_DATA": str(self.data)} | changed
        return {name: value for name, value in whole.items() if value is not None}

    def spawn(self, *args, cwd: Path | str | None = None, script: str = "judge.py", python=sys.executable, **changed):
        """Run a command of the judge to its end; `changed` are environment variables, None removes one."""
        return subprocess.run(
            [python, str(self.root / script), *map(str, args)],
            cwd=cwd or self.home,
            env=self.environment(**changed),
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def judge(self, *args, cwd: Path | str | None = None, **changed) -> subprocess.CompletedProcess:
        """What `spawn` does after its imports, in this process."""
        command = [str(self.root / "judge.py"), *map(str, args)]
        stdout, stderr, read = io.StringIO(), io.StringIO(), catalogue.all_problems
        with contextlib.ExitStack() as stack:
            for patch in (
                mock.patch.dict(os.environ, self.environment(**changed), clear=True),
                mock.patch.object(sys, "argv", command),
                mock.patch.object(catalogue, "ROOT", self.root),
                mock.patch.object(catalogue, "all_problems", lambda folder=None: read(self.problems)),
                mock.patch.object(workspace, "WORKSPACE", self.workspace),
                contextlib.chdir(cwd or self.home),
                contextlib.redirect_stdout(stdout),
                contextlib.redirect_stderr(stderr),
            ):
                stack.enter_context(patch)
            status = 0
            try:
                cli.main()
            except SystemExit as leaving:
                status = leaving.code
        return subprocess.CompletedProcess(command, status, stdout.getvalue(), stderr.getvalue())


def one_line(result: subprocess.CompletedProcess) -> str:
    """The single line that a refused command may say, on stderr."""
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    [line] = result.stderr.splitlines()
    assert line.startswith("judge: ")
    return line.removeprefix("judge: ")
