"""Before the judge's packages are there: run it under the project's own .venv, or say in one line what to do.

Standard library only, and readable by old Pythons too, since it may run under whatever `python` is.
"""

import importlib.util
import os
import sys

PACKAGES = ("hypothesis", "msgspec", "platformdirs", "rich", "typer")


def enter(root):
    """Return when this interpreter has what the judge needs; else run the same command under root/.venv, or exit 2."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if sys.version_info >= (3, 11) and not missing:
        return
    python = os.path.join(root, ".venv", "bin", "python")
    if os.path.exists(python) and os.environ.get("JUDGE_REEXECUTED") != "1":
        os.environ["JUDGE_REEXECUTED"] = "1"
        os.execv(python, [python, *sys.argv])
    what = "missing: " + ", ".join(missing) if missing else "Python 3.11 is needed, this is " + sys.version.split()[0]
    sys.stderr.write("The judge can't start (" + what + "). Run `make setup` in " + root + " first.\n")
    sys.exit(2)


def main(root, more=()):
    """Run a command. more: modules that add commands of their own, where this edition of the course has them."""
    enter(root)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by whoever started us
            stream.reconfigure(errors="replace")
    from practice.judging.cli import main as run

    run([name for name in more if os.path.isdir(os.path.join(root, name.partition(".")[0]))])
