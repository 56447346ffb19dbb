"""Which PyTorch a machine gets, and which Python the set-up accepts."""

import ast
import stat
from pathlib import Path

import pytest
import setup_env
from bootstrap import plan
from bootstrap.plan import Plan, choose_torch, nvidia_gpu


@pytest.mark.parametrize(
    ("system", "machine", "gpu", "build"),
    [
        ("linux", "x86_64", False, "cpu"),
        ("linux", "x86_64", True, "cuda"),
        ("linux", "aarch64", False, "cpu"),
        ("linux", "aarch64", True, "cuda"),
        ("darwin", "arm64", False, "cpu"),
        ("darwin", "x86_64", False, "none"),
    ],
)
def test_the_machine_decides_the_build(system, machine, gpu, build):
    assert choose_torch(None, system, machine, gpu) == build


@pytest.mark.parametrize("wanted", ["none", "cpu", "cuda"])
def test_what_was_asked_for_wins_over_the_machine(wanted):
    assert choose_torch(wanted, "linux", "x86_64", wanted != "cuda") == wanted


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'", True),
        ("echo 'No devices were found'", False),
        ("echo 'NVIDIA-SMI has failed'; exit 9", False),
    ],
)
def test_nvidia_smi_is_asked_not_just_found(tmp_path, monkeypatch, answer, found):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{answer}\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(plan, "DRIVER_FILES", ())
    assert nvidia_gpu() is found


def test_only_linux_without_cuda_needs_pytorchs_own_index(monkeypatch):
    needed = {}
    for system in ("linux", "darwin"):
        monkeypatch.setattr(plan.sys, "platform", system)
        needed[system] = [build for build in ("none", "cpu", "cuda") if plan.needs_cpu_index(build)]
    assert needed == {"linux": ["cpu"], "darwin": []}


def test_a_set_up_with_more_serves_one_that_needs_less():
    full = Plan("cpu", dev=True)
    assert full.covers(Plan("none")) and full.covers(Plan("cpu"))
    assert not full.covers(Plan("cuda"))
    assert not Plan("cuda").covers(Plan("cpu", dev=True))


def test_a_later_set_up_keeps_what_an_earlier_one_added():
    assert Plan("none", dev=True).joined(Plan("cpu")) == Plan("cpu", dev=True)
    assert Plan("cpu").joined(Plan("none")) == Plan("cpu")


def test_core_installs_one_file_and_each_addition_one_more():
    def names(chosen: Plan) -> list[str]:
        return [file.name for file in chosen.files()]

    assert names(Plan("none")) == ["core.txt"]
    assert names(Plan("cuda")) == ["core.txt", "torch.txt"]
    assert names(Plan("cpu", dev=True)) == ["core.txt", "torch.txt", "dev.txt"]
    assert all(file.exists() for file in Plan("cpu", dev=True).files())


@pytest.mark.parametrize(
    ("version", "covered"),
    [((2, 7), False), ((3, 9), False), ((3, 10), False), ((3, 11), True), ((3, 14), True), ((3, 15), False)],
)
def test_pythons_with_builds_of_every_pin_are_covered(version, covered):
    assert setup_env.covered((*version, 0, "final", 0)) is covered


def test_an_old_python_can_read_the_file_that_turns_it_away():
    ast.parse(Path(setup_env.__file__).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_alone_gets_told_what_is_needed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(setup_env.sys, "version_info", (3, 9, 6, "final", 0))
    assert setup_env.main() == 1
    assert "Python 3.11 to 3.14 is needed" in (said := capsys.readouterr().out)
    assert "3.9.6" in said and "PYTHON=" in said


def test_an_old_python_hands_over_to_a_covered_one_that_runs(tmp_path, monkeypatch):
    for name, status in (("python3.13", 1), ("python3.12", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    started = []
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.setattr(setup_env.sys, "version_info", (3, 9, 6, "final", 0))
    monkeypatch.setattr(setup_env.sys, "argv", ["setup_env.py", "--core"])

    def handed_over(path, arguments):
        started.append((path, arguments))
        raise SystemExit(0)

    monkeypatch.setattr(setup_env.os, "execv", handed_over)
    with pytest.raises(SystemExit):
        setup_env.main()
    assert started == [(str(tmp_path / "python3.12"), [str(tmp_path / "python3.12"), "setup_env.py", "--core"])]
