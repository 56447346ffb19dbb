"""The learner's own answers: practice/workspace/NNN-slug.py, one home for command line, notebook and later chapters."""

import datetime
import os
import tempfile
from pathlib import Path

from practice.judging.catalogue import ROOT, Problem

WORKSPACE = ROOT / "practice" / "workspace"


def path(problem: Problem) -> Path:
    return WORKSPACE / f"{problem.number}-{problem.slug}.py"


def save(problem: Problem, source: str) -> Path:
    """Write the answer in one step: a reader sees the old file or the new one, never half of it."""
    target = path(problem)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(source)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
    return target


def start(problem: Problem, reset: bool = False) -> tuple[Path, Path | None, bool]:
    """Lay out the starter. Returns (file, dated backup or None, whether it was written): work is never overwritten."""
    target = path(problem)
    backup = None
    if target.exists():
        if not reset:
            return target, None, False
        stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        backup = target.with_name(f"{target.stem}.{stamp}.bak.py")
        os.replace(target, backup)
    save(problem, problem.starter)
    return target, backup, True
