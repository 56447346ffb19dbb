"""What an import costs: the front door of the judge loads nothing until it is used."""

import json
import os
import subprocess
import sys

import pytest

from practice.judging import catalogue
from practice.judging.sandbox import HERE, KERNELS

HEAVY = ["hypothesis", "torch", "numpy", "matplotlib", "rich", "typer", "msgspec", "IPython", "sqlite3"]


def loaded_after(code: str) -> set[str]:
    """Top-level modules in a fresh process once `code` has run."""
    code += "\nimport json, sys; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    said = subprocess.run([sys.executable, "-c", code], cwd=catalogue.ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(said.stdout))


@pytest.mark.parametrize("code", ["import judge", "import practice.judging", "import judge, practice.judging"])
def test_importing_the_judge_loads_nothing_heavy(code):
    assert loaded_after(code) & set(HEAVY) == set()


def test_the_judge_knows_nothing_of_the_library_or_the_problems():
    """No import runs down to up: judging stands on its own."""
    modules = [path.stem for path in (catalogue.ROOT / "practice" / "judging").glob("*.py") if path.stem != "__init__"]
    learners = {name.removesuffix(".py") for name in ("child.py", "fork.py", *KERNELS)}  # run by themselves
    code = "\n".join(f"import practice.judging.{name}" for name in modules if name not in learners)
    loaded = loaded_after(code)
    assert not loaded & {"paged", "classroom"}
    assert not {name for name in loaded if name.startswith("problem_")}


def test_listing_problems_needs_no_hypothesis():
    code = "from practice.judging import catalogue, cli\nassert catalogue.all_problems()"
    assert loaded_after(code) & {"hypothesis", "torch", "numpy", "matplotlib", "IPython"} == set()


def test_the_vocabulary_of_problems_is_there_on_first_use():
    code = "from practice.judging import Group, Op, Plan, peek, plans\nassert Op('a', 1, 2).pick == 1"
    assert "hypothesis" in loaded_after(code)


def test_a_name_that_is_not_there_is_an_attribute_error():
    import practice.judging

    with pytest.raises(AttributeError, match="'nothing'"):
        _ = practice.judging.nothing
    assert practice.judging.__all__ == ["Group", "Op", "Plan", "peek", "plans"]


@pytest.mark.needs("triton")
@pytest.mark.parametrize(("child", "mode"), [("kernel_interpret", "1"), ("kernel_compile", "0")])
def test_a_call_imports_nothing(child, mode, tmp_path):
    """A fork would do it again for every run: one import of torch's, unseen, made verdicts on kernels four times as
    slow."""
    code = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
import {child} as guard, torch
guard.begin("")
args = [guard.given("x", torch.ones(2)), 1]
before = set(sys.modules)
try:
    guard.call(torch.add, args)
except Exception as error:
    print(error)  # that no kernel was launched
print(sorted(set(sys.modules) - before))"""
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"TRITON_INTERPRET": mode},
    )
    assert said.stdout.splitlines()[-1][:200] == "[]"
