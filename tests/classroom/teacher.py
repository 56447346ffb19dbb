"""The judge's commands as a teacher runs them."""

import subprocess
import sys

from practice.judging import catalogue


def judge(*args: object) -> subprocess.CompletedProcess:
    """Run `python judge.py …` to its end."""
    return subprocess.run(command(*args), capture_output=True, encoding="utf-8", timeout=300)


def command(*args: object) -> list[str]:
    return [sys.executable, str(catalogue.ROOT / "judge.py"), *map(str, args)]
