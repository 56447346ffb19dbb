"""pyproject.toml, environment.yml and requirements/*.txt say the same, and together they leave nothing to chance."""

import re
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from setuptools import find_packages

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = ("core", "torch", "cuda", "dev")


def entries(name: str) -> list[Requirement]:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(text) for line in lines if (text := line.split("#")[0].strip())]


def is_pinned(requirement: Requirement) -> bool:
    return [part.operator for part in requirement.specifier] == ["=="] and "*" not in str(requirement.specifier)


@pytest.mark.parametrize("name", FILES)
def test_every_entry_is_an_exact_version(name):
    assert all(is_pinned(entry) for entry in entries(name))


@pytest.mark.parametrize("name", FILES)
def test_no_file_says_where_packages_come_from(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"^\s*-|://", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("group", "name"),
    [
        (PROJECT["project"]["dependencies"], "core"),
        (PROJECT["project"]["optional-dependencies"]["torch"], "torch"),
        (PROJECT["project"]["optional-dependencies"]["dev"], "dev"),
        (PROJECT["dependency-groups"]["setup"], "core"),
        (PROJECT["build-system"]["requires"], "core"),
    ],
)
def test_what_pyproject_asks_for_is_pinned_to_the_same_version(group, name):
    pinned = {entry.name: str(entry.specifier) for entry in entries(name)}
    asked = [Requirement(line) for line in group]
    assert {entry.name: str(entry.specifier) for entry in asked} == {entry.name: pinned[entry.name] for entry in asked}


def test_torch_and_triton_are_the_pair_that_goes_together():
    assert PROJECT["project"]["optional-dependencies"]["torch"] == [
        "torch==2.13.0",
        "triton==3.7.1; sys_platform == 'linux'",
    ]


def test_each_package_stands_in_one_file_only():
    names = [entry.name for name in FILES for entry in {entry.name: entry for entry in entries(name)}.values()]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_one_version_of_each_package_applies_wherever_the_course_runs(python, system):
    here = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": system,
        "os_name": "posix",
        "platform_machine": "arm64" if system == "darwin" else "x86_64",
        "implementation_name": "cpython",
    }
    for name in FILES:
        applying = [entry.name for entry in entries(name) if entry.marker is None or entry.marker.evaluate(here)]
        assert sorted(applying) == sorted(set(applying))
        if name == "cuda":
            assert bool(applying) == (system == "linux")


def test_everything_the_installed_packages_ask_for_is_pinned_at_the_installed_version():
    pinned = {
        canonicalize_name(entry.name): next(iter(entry.specifier)).version
        for name in FILES
        for entry in entries(name)
        if entry.marker is None or entry.marker.evaluate()
    }
    waiting = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    seen = set()
    while waiting:
        asked = waiting.pop()
        name = canonicalize_name(asked.name)
        if (name, frozenset(asked.extras)) in seen:
            continue
        seen.add((name, frozenset(asked.extras)))
        assert version(name) == pinned[name], name
        for line in requires(name) or []:
            needed = Requirement(line)
            extras = asked.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)
    assert len(seen) > 100


def test_conda_installs_the_same_files_and_then_the_course():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert environment["name"] == PROJECT["project"]["name"]
    assert pip["pip"] == [
        "--extra-index-url https://download.pytorch.org/whl/cpu",
        "-c requirements/cuda.txt",
        "-r requirements/core.txt",
        "-r requirements/torch.txt",
        "-e .",
    ]
    python = next(line.removeprefix("python=") for line in conda if line.startswith("python="))
    assert f"{python}.0" in Requirement(f"python{PROJECT['project']['requires-python']}").specifier


def test_every_folder_of_code_is_installed_and_nothing_else():
    with_code = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for top in ("classroom", "paged", "practice")
        for file in (ROOT / top).rglob("__init__.py")
    }
    found = PROJECT["tool"]["setuptools"]["packages"]["find"]
    assert found["namespaces"] is False
    assert set(find_packages(str(ROOT), include=found["include"])) == with_code
