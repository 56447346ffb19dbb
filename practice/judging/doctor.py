"""`judge.py doctor`: what this machine has for the course, and what to do about what it lacks."""

import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

from practice.judging import progress, sandbox, workspace

NEEDED = ("hypothesis", "msgspec", "typer", "rich", "platformdirs")
FOR_CHAPTERS = ("jupyterlab", "ipywidgets", "anywidget", "matplotlib", "numpy", "torch", "triton")


def report(lang: str) -> int:
    """Print a line per finding; 0 when the judge can work, else 3."""
    fine = True
    _line(
        "python",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        sys.version_info >= (3, 11),
    )
    for name in NEEDED:
        found = _version(name)
        fine = fine and found is not None
        _line(name, found or "missing: run `make setup`", found is not None)
    for name in FOR_CHAPTERS:
        found = _version(name)
        _line(
            name,
            found or "not installed; only chapters and problems that use it need it",
            found is not None,
            optional=True,
        )
    kind, why = sandbox.kind()
    _line("sandbox", kind + (f": {why}" if why else ""), kind == "bubblewrap", optional=True)
    _line("gpu", _gpu(), _gpu() != "none found", optional=True)
    _line("answers", str(workspace.WORKSPACE), True)
    try:
        progress.states()
        _line("progress", str(progress.file()), True)
    except progress.Unavailable as error:
        _line("progress", str(error), False, optional=True)
    return 0 if fine else 3


def _line(name: str, found: str, fine: bool, optional: bool = False) -> None:
    print(f"{'✓' if fine else '–' if optional else '✗'} {name:12} {found}")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _gpu() -> str:
    if not shutil.which("nvidia-smi"):
        return "none found"
    asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    answer = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=False)
    return answer.stdout.strip().splitlines()[0] if answer.returncode == 0 and answer.stdout.strip() else "none found"
