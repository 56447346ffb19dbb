"""Every widget's script, joined from files that share one scope, is one valid module."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from widgets.traces import trace

import paged.widgets
from paged.widgets import block_map, capacity_planner, explorer, mask_viewer, read_slots, replay, slot_microscope

WIDGETS = {
    "explorer": explorer,
    "slot_microscope": slot_microscope,
    "mask_viewer": mask_viewer,
    "read_slots": lambda: read_slots(trace()),
    "capacity_planner": capacity_planner,
    "replay": lambda: replay([{"call": "f()", "expected": {"result": 1}, "got": {"result": 2}}]),
    "block_map": lambda: block_map(__import__("paged").BlockPool(4)),
}


def node() -> Path:
    """The JavaScript engine that comes with the browser tests' Playwright."""
    playwright = pytest.importorskip("playwright") if not os.environ.get("REQUIRE_ALL") else __import__("playwright")
    return Path(playwright.__file__).parent / "driver" / "node"


@pytest.mark.parametrize("name", WIDGETS)
def test_a_script_declares_no_name_twice(name, tmp_path):
    module = tmp_path / f"{name}.mjs"
    module.write_text(WIDGETS[name]()._esm, encoding="utf-8")
    said = subprocess.run([node(), "--check", module], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr


def test_a_name_declared_twice_would_be_noticed(tmp_path):
    module = tmp_path / "twice.mjs"
    module.write_text("const x = 1;\nconst x = 2;\n")
    assert subprocess.run([node(), "--check", module], capture_output=True).returncode != 0


def test_every_widget_is_checked():
    assert set(WIDGETS) == set(paged.widgets.__all__)
    assert sys.modules["paged.widgets"] is paged.widgets
