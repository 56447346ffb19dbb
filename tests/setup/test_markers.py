"""tests/conftest.py leaves out what cannot run here, says so, and leaves nothing out under REQUIRE_ALL=1."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
TESTS = """
import pytest

def test_plain():
    pass

@pytest.mark.needs("bubblewrap")
def test_in_the_sandbox():
    pass

@pytest.mark.needs("bubblewrap")
def test_in_the_sandbox_too():
    pass

@pytest.mark.slow
def test_long():
    pass
"""
MARKERS = "[pytest]\nmarkers =\n    needs\n    slow\n"


@pytest.fixture
def run(tmp_path):
    """Run the tests above with nothing on PATH, hence without bubblewrap; returns (exit status, output)."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(MARKERS)

    def run(*options: str, **environ: str) -> tuple[int, str]:
        kept = {name: value for name, value in os.environ.items() if name != "REQUIRE_ALL"}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        done = subprocess.run(
            command, cwd=tmp_path, env={**kept, "PATH": str(tmp_path), **environ}, capture_output=True, text=True
        )
        return done.returncode, done.stdout

    return run


def test_what_is_left_out_is_said_in_one_line_each_before_the_closing_line(run):
    status, output = run()
    *_, sandbox, slow, closing = output.splitlines()
    assert status == 0
    assert sandbox.startswith("left out: 2 × needs bubblewrap, which is not here (apt install bubblewrap")
    assert slow == "left out: 1 × slow (make test REQUIRE_ALL=1, or -m slow)"
    assert "1 passed, 3 deselected" in closing


def test_slow_tests_run_when_asked_for(run):
    _, output = run("-m", "slow")
    assert "1 passed, 3 deselected" in output.splitlines()[-1]
    assert "left out" not in output


def test_nothing_is_left_out_when_all_is_required(run):
    status, output = run(REQUIRE_ALL="1")
    assert status == 1
    assert "2 passed, 2 errors" in output.splitlines()[-1]
    assert "REQUIRE_ALL=1 needs bubblewrap, which is not here" in output
    assert "left out" not in output


def test_a_tool_that_nobody_can_look_for_is_a_usage_error(run, tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS.replace('"bubblewrap"', '"bubblewarp"'))
    assert run()[0] == pytest.ExitCode.USAGE_ERROR
