"""The order of a set-up, with pip and venv replaced by what they would answer."""

import importlib.util
import json

import pytest
from bootstrap import install, main, venv
from bootstrap.display import Display
from bootstrap.failures import SetupFailed
from bootstrap.plan import TORCH_CPU_INDEX, Plan

WHOLE = {"missing": [], "damaged": [], "torch": "2.13.0+cpu", "installed": True}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A .venv in a temporary place, with a Python that does nothing."""
    place = tmp_path / ".venv"
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "python").touch()
    for name, path in {"VENV": place, "PYTHON": place / "bin" / "python", "STAMP": place / "stamp.json"}.items():
        monkeypatch.setattr(venv, name, path)
    for module in (venv, install):
        monkeypatch.setattr(module, "LOG", place / "log")
    return place


@pytest.fixture
def runs(monkeypatch):
    """The argument lists that pip was called with; `runs.refuse` is a word that makes a call fail."""

    class Runs(list):
        refuse = None

    calls = Runs()

    def pip(python, arguments, expected, log, display):
        calls.append(arguments)
        if calls.refuse in arguments:
            raise SetupFailed("no answer")

    monkeypatch.setattr(install, "pip", pip)
    return calls


def answers(monkeypatch, *found):
    """Let health.py give these answers one after the other."""
    waiting = iter(found)
    monkeypatch.setattr(venv, "health", lambda plan: next(waiting))


def test_a_finished_set_up_only_looks(folder, runs, monkeypatch, capsys):
    venv.stamp(Plan("cpu"))
    answers(monkeypatch, WHOLE)
    main.set_up(Plan("none"))
    assert runs == []
    assert capsys.readouterr().out == ".venv is ready (PyTorch 2.13.0+cpu).\n"


def test_an_empty_venv_gets_packages_then_torch_then_the_course(folder, runs, monkeypatch):
    monkeypatch.setattr(install, "needs_cpu_index", lambda torch: True)
    missing = ["pip==26.3", "numpy==2.4.6", "torch==2.13.0", "triton==3.7.1", "sympy==1.14.0"]
    answers(monkeypatch, {**WHOLE, "missing": missing, "torch": None, "installed": False}, WHOLE)
    main.set_up(Plan("cpu"))
    own, packages, cpu_build, torch, course = runs
    assert own[-1] == "pip==26.3"
    assert packages[-1].endswith("core.txt")
    assert cpu_build[-2:] == ["--no-deps", "torch==2.13.0"] and TORCH_CPU_INDEX in cpu_build
    assert torch[-1].endswith("torch.txt") and any(entry.endswith("cuda.txt") for entry in torch)
    assert course[-2] == "-e"
    assert json.loads(venv.STAMP.read_text())["torch"] == "cpu"


def test_pytorchs_index_not_answering_leads_to_the_ordinary_one(folder, runs, monkeypatch, capsys):
    monkeypatch.setattr(install, "needs_cpu_index", lambda torch: True)
    runs.refuse = TORCH_CPU_INDEX
    install.install(Plan("cpu"), ["torch==2.13.0"], None, Display())
    first, second, _ = runs
    assert TORCH_CPU_INDEX in first and first[first.index("--retries") + 1] == "0"
    assert TORCH_CPU_INDEX not in second and second[-1].endswith("torch.txt")
    assert "2.7 GB" in capsys.readouterr().out


def test_a_gpu_that_was_added_later_gets_the_cuda_build(folder, runs):
    install.install(Plan("cuda"), [], "2.13.0+cpu", Display())
    assert "--force-reinstall" in runs[0] and runs[0][-1] == "torch==2.13.0"


def test_a_damaged_venv_is_made_anew(folder, runs, monkeypatch):
    venv.stamp(Plan("none"))
    created = []
    monkeypatch.setattr(venv, "create", lambda: created.append(True))
    fresh = {**WHOLE, "missing": ["numpy==2.4.6"], "installed": False}
    answers(monkeypatch, {**WHOLE, "damaged": ["numpy"]}, fresh, WHOLE)
    main.set_up(Plan("none"))
    assert created == [True]
    assert len(runs) == 2


def test_a_venv_that_is_not_whole_after_pip_is_not_stamped(folder, runs, monkeypatch):
    answers(monkeypatch, {**WHOLE, "installed": False}, {**WHOLE, "missing": ["rich==15.0.0"]})
    with pytest.raises(SetupFailed, match=r"rich==15\.0\.0"):
        main.set_up(Plan("none"))
    assert not venv.STAMP.exists()


def test_changed_pins_make_the_stamp_stale(folder, tmp_path, monkeypatch):
    venv.stamp(Plan("none"))
    assert venv.current()
    (tmp_path / "core.txt").write_text("numpy==9\n")
    monkeypatch.setattr(venv, "REQUIREMENTS", tmp_path)
    assert not venv.current()


def test_a_stamp_that_cannot_be_read_counts_as_none(folder):
    venv.STAMP.write_text("{half")
    assert venv.stamped() is None
    assert not venv.current()


def test_a_python_without_venv_names_the_debian_package(folder, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ensurepip" else found(name))
    with pytest.raises(SetupFailed, match=r"sudo apt install python3\.\d+-venv"):
        venv.create()


def test_a_venv_that_cannot_be_made_leaves_nothing_behind(folder, tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nmkdir -p "$3/bin"; echo "Error: [Errno 28] No space left on device" >&2; exit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(venv.sys, "executable", str(python))
    with pytest.raises(SetupFailed, match="disk is full"):
        venv.create()
    assert not folder.exists()


def test_a_disk_too_small_is_said_before_anything_is_made(folder, monkeypatch):
    monkeypatch.setattr(main.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 5 * 10**6}))
    with pytest.raises(SetupFailed, match=r"700 MB are needed and 5 MB are free\."):
        main.announce(Plan("none"), fresh=True)


def test_an_edition_that_does_not_exist_is_refused_in_one_line(monkeypatch, capsys):
    monkeypatch.setenv("LANG_EDITION", "fr")
    assert main.run(["--core"]) == 1
    assert capsys.readouterr().out == "LANG_EDITION=fr: the editions are en and zh\n"
