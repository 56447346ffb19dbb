"""A notebook finds the course's code from wherever Jupyter was started."""

import os
import sys
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Started as `jupyter lab` does for a notebook in notebooks/en, with no path of ours in its environment."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager())
    manager.start_kernel(cwd=str(ROOT / "notebooks" / "en"), env=dict(os.environ))
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_kernel_in_a_notebooks_folder_imports_paged_and_judge_from_this_checkout(kernel):
    kernel.execute(
        "import sys, paged, judge, practice.judging\nprint(sys.executable, paged.__file__, judge.__file__, sep='\\n')"
    )
    printed = []
    while (message := kernel.get_iopub_msg(timeout=60))["content"].get("execution_state") != "idle":
        if message["msg_type"] in ("stream", "error"):
            printed.append(message["content"].get("text") or "\n".join(message["content"]["traceback"]))
    assert "".join(printed).splitlines() == [
        sys.executable,
        str(ROOT / "paged" / "__init__.py"),
        str(ROOT / "judge.py"),
    ]
