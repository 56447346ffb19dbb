"""The folder .venv: made, asked how it is, and remembered as finished in a stamp."""

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

from .failures import SetupFailed, explain
from .plan import REQUIREMENTS, ROOT, Plan
from .wording import text

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "course-setup.json"
LOG = VENV / "course-setup.log"
NO_NEWS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


def digest() -> str:
    """Changes with every pin and with what pyproject.toml says is installed."""
    files = [ROOT / "pyproject.toml", *sorted(REQUIREMENTS.glob("*.txt"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def stamped() -> Plan | None:
    """What the last finished set-up put there, or None."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        return Plan(stamp["torch"], stamp["dev"])
    except (OSError, ValueError, KeyError):
        return None


def current() -> bool:
    """Whether the last finished set-up used the pins as they are now."""
    try:
        return json.loads(STAMP.read_text(encoding="utf-8"))["digest"] == digest()
    except (OSError, ValueError, KeyError):
        return False


def stamp(plan: Plan) -> None:
    STAMP.write_text(json.dumps({"digest": digest(), "torch": plan.torch, "dev": plan.dev}) + "\n", encoding="utf-8")


def health(plan: Plan) -> dict | None:
    """health.py's answer for the plan's pins, or None where .venv's Python or pip does not run."""
    command = [str(PYTHON), str(Path(__file__).parent / "health.py"), str(ROOT), *map(str, plan.files())]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return json.loads(asked.stdout) if asked.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def remove() -> None:
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)


def create() -> None:
    """An empty .venv with pip in it. Leaves none behind when that fails."""
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise SetupFailed(
            text(
                f"This Python comes without the venv module. On Debian and Ubuntu: sudo apt install {package}",
                f"这个 Python 没有带 venv 模块。Debian / Ubuntu 上请运行：sudo apt install {package}",
            )
        )
    remove()
    try:
        made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
        if made.returncode != 0:
            raise SetupFailed(explain(made.stdout + made.stderr))
    except BaseException:
        remove()
        raise


def quieten_jupyterlab() -> None:
    """JupyterLab's own question about news, and its look for updates, stay out of a learner's first minute."""
    settings = VENV / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(json.dumps(NO_NEWS, indent=2) + "\n", encoding="utf-8")
