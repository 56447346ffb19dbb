"""The installed command `judge`: it is called so, does the same, and completes what is typed in a shell."""

import importlib
import json
import subprocess
import sys
import tomllib

import pytest
from house import RIGHT

from practice.judging import catalogue

SCRIPT = """#!{python}
import sys
sys.path.insert(0, {root!r})
from practice.judging.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.fixture
def judge(house):
    """judge(*command): run a command where `judge` is found as an installer would write it for the house."""
    file = house.home / "bin" / "judge"
    file.parent.mkdir()
    file.write_text(SCRIPT.format(python=sys.executable, root=str(house.root)))
    file.chmod(0o755)

    def run(*args):
        path = f"{file.parent}:{house.environment()['PATH']}"
        environment = house.environment(PATH=path)
        return subprocess.run(
            [str(arg) for arg in args], cwd=house.home, env=environment, capture_output=True, text=True, timeout=60
        )

    return run


def test_the_course_installs_it():
    settings = tomllib.loads((catalogue.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, name = settings["project"]["scripts"]["judge"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_it_judges(house, judge):
    result = judge("judge", "test", "901", house.answer(RIGHT), "--json")
    assert (result.returncode, json.loads(result.stdout)["verdict"]) == (0, "AC")
    assert judge("judge", "test", "999").returncode == 2


def test_it_goes_by_its_name_from_wherever_it_is_called(judge):
    for command in ("judge", "bin/judge"):
        assert "Usage: judge [OPTIONS] COMMAND" in judge(command, "--help").stdout


def test_bash_completes_its_commands(judge):
    script = """
        set -e
        source /dev/stdin <<< "$(bin/judge --show-completion)"
        COMP_WORDS=(judge s) COMP_CWORD=1
        "$(complete -p judge | sed 's/.*-F \\([^ ]*\\).*/\\1/')" judge
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    result = judge("bash", "-c", script)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split() == ["show", "start", "solution"]


def test_python_is_not_taken_over(house):
    """A completion for `python judge.py` would be one for everything that python runs."""
    result = house.spawn("--show-completion", "bash")
    assert result.returncode == 2
    assert "complete -o" not in result.stdout
