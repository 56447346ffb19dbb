"""A bare `python` finds the project's own .venv, or says in one line what to do."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

SCRIPTS = ["judge.py", "practice/judge.py"]


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An interpreter without packages."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return str(folder / "bin" / "python")


def test_the_bare_interpreter_is_bare(bare):
    code = "from importlib.util import find_spec; print([n for n in ('typer', 'hypothesis', 'rich') if find_spec(n)])"
    assert subprocess.run([bare, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("script", SCRIPTS)
def test_it_goes_on_under_the_projects_venv(house, bare, script):
    (house.root / ".venv").symlink_to(sys.prefix)
    result = house.spawn("list", "--json", script=script, python=bare, cwd="/")
    assert (result.returncode, result.stderr) == (0, "")
    assert '"number": 901' in result.stdout


def test_exit_status_and_arguments_pass_through(house, bare):
    (house.root / ".venv").symlink_to(sys.prefix)
    result = house.spawn("test", "901", "no such file.py", python=bare)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "judge: no such file.py does not exist\n"


@pytest.mark.parametrize("script", SCRIPTS)
def test_without_a_venv_it_is_one_line_and_exit_2(house, bare, script):
    result = house.spawn("list", script=script, python=bare)
    assert (result.returncode, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert "make setup" in line and str(house.root) in line and "typer" in line


def test_a_venv_that_lacks_the_packages_is_one_line_and_no_endless_loop(house, bare):
    (house.root / ".venv").symlink_to(Path(bare).parents[1])
    result = house.spawn("list", python=bare)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_venv_that_is_not_there_any_more_is_one_line(house, bare):
    (house.root / ".venv" / "bin").mkdir(parents=True)
    os.symlink("/nowhere/python", house.root / ".venv" / "bin" / "python")
    result = house.spawn("list", python=bare)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
