"""The Triton kernels: their numbers, in Triton's interpreter. in_the_interpreter.py holds the tests themselves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("torch", "triton")
TESTS = Path(__file__).with_name("in_the_interpreter.py")


def run_interpreted(marked: str) -> None:
    """One thread: the kernels' tensors are small, and waiting threads slow the machine's other tests."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", marked, str(TESTS)],
        env={**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_small_batches():
    run_interpreted("not slow")


@pytest.mark.slow
def test_every_shape_stage_and_layout():
    run_interpreted("slow")
