"""Set up .venv: `make setup`, or `python3 tools/setup_env.py [--core] [--dev] [--torch cpu|cuda]`.

Runs on the bare system Python with nothing installed. This file is kept readable for Python 3.6, so that an old Python
gives an answer, not a syntax error: it finds a Python that the pins cover and hands over. The work is in bootstrap/.
"""

import os
import shutil
import subprocess
import sys

OLDEST, TOO_NEW = (3, 11), (3, 15)
PREFERRED = ("python3.13", "python3.12", "python3.14", "python3.11")


def covered(version) -> bool:
    """Whether the pinned packages have builds for this Python version (a tuple)."""
    return OLDEST <= tuple(version[:2]) < TOO_NEW


def other_python():
    """Path of the first Python on PATH that the pins cover, or None. It is run, since a pyenv shim may only say no."""
    for name in PREFERRED:
        path = shutil.which(name)
        if path and subprocess.call([path, "-c", "pass"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def main() -> int:
    if not covered(sys.version_info):
        path = other_python()
        if path is None:
            found = ".".join(str(part) for part in sys.version_info[:3])
            print(f"Python 3.11 to 3.14 is needed; {sys.executable} is {found}, and no other was found on PATH.")
            print("Install one, or name it: make setup PYTHON=/path/to/python3.12")
            return 1
        os.execv(path, [path, *sys.argv])
    from bootstrap.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
