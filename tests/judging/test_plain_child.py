"""Without a sandbox nothing may be left running or lying about either, as far as a plain process can see to it."""

import dataclasses
import os
import signal
import time
from pathlib import Path

import pytest
from house import RIGHT

from practice.judging import sandbox
from practice.judging.catalogue import DEFAULT_LIMITS
from practice.judging.verdict import judge

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks processes up in /proc")


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", "plain")


def runs(pid: int) -> bool:
    """Whether this process is there and more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def still_runs(pid: int, patience: float = 3.0) -> bool:
    end = time.monotonic() + patience
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return runs(pid)


@pytest.mark.parametrize(
    ("loop", "seconds"),
    [
        ("while True: time.sleep(0.01)", 0.2),
        ("while True: pass", 0.2),
        pytest.param("while True: pass", 10.0, marks=pytest.mark.slow),
    ],
    ids=["sleeps beyond all time", "computes beyond all time", "computes beyond a call's time"],
)
def test_a_run_that_is_cut_off_does_not_go_on(double, tmp_path, loop, seconds):
    pid_file = tmp_path / "pid"
    source = f"import os, time\ndef double(x):\n    open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n    {loop}\n"
    limited = dataclasses.replace(double, limits=double.limits | {"total_seconds": seconds})
    assert judge(limited, source.encode(), shrink_seconds=0).verdict == "TLE"
    pid = int(pid_file.read_text())
    gone = not still_runs(pid)
    if not gone and b"child.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
        os.kill(pid, signal.SIGKILL)
    assert gone


def test_the_first_process_and_its_scratch_folder_end_with_the_verdict(double):
    child = sandbox.start([], DEFAULT_LIMITS)
    assert child.kind == "plain" and os.path.isdir(child.scratch)
    child.close()
    assert not runs(child.process.pid)
    assert not os.path.exists(child.scratch)


def test_the_verdict_says_that_there_was_no_sandbox_and_why(double):
    found = judge(double, RIGHT.encode())
    assert (found.verdict, found.sandbox, found.sandbox_reason) == ("AC", "plain", "JUDGE_SANDBOX=plain")


def test_the_environment_of_the_judge_is_not_the_answers(double, monkeypatch):
    monkeypatch.setenv("A_SECRET", "do not tell")
    source = "import os\nassert 'A_SECRET' not in os.environ\ndef double(x): return 2 * x\n"
    assert judge(double, source.encode()).verdict == "AC"


def test_a_wish_that_nobody_knows_is_refused_by_name(double, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", "chroot")
    with pytest.raises(sandbox.SandboxUnavailable, match=r"'chroot'.*auto, bubblewrap or plain"):
        sandbox.start([], DEFAULT_LIMITS)


def test_bubblewrap_that_fails_gives_way_to_a_plain_process_with_the_reason(tmp_path, monkeypatch, double):
    """As on machines that refuse user namespaces: it is there, and does not work."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("JUDGE_SANDBOX", "auto")
    found = judge(double, RIGHT.encode())
    assert (found.verdict, found.sandbox) == ("AC", "plain")
    assert "No permissions" in found.sandbox_reason
    monkeypatch.setenv("JUDGE_SANDBOX", "bubblewrap")
    with pytest.raises(sandbox.SandboxUnavailable, match="No permissions"):
        sandbox.start([], DEFAULT_LIMITS)
