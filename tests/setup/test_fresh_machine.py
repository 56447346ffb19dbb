"""The two commands for real, in a copy of the tree with nothing set up. Slow: they fill a .venv from the index."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "workspace"
)


def environment(**extra: str) -> dict[str, str]:
    """As in a new terminal: no active environment, no path of ours, nothing that make passes on to its children."""
    ours = re.compile(r"^(VIRTUAL_ENV|PYTHONPATH|MAKE.*|MFLAGS|REQUIRE_ALL|CORE|DEV|ARGS|LANG_EDITION|JUPYTER_TOKEN)$")
    kept = {name: value for name, value in os.environ.items() if not ours.match(name)}
    path = [folder for folder in kept["PATH"].split(os.pathsep) if Path(folder) != ROOT / ".venv" / "bin"]
    return {**kept, "PATH": os.pathsep.join(path), "LC_ALL": "C.UTF-8", **extra}


def make(folder: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess:
    command = ["make", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(**extra), capture_output=True, text=True, timeout=900)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    """A copy of the working tree after `make setup CORE=1`."""
    folder = tmp_path_factory.mktemp("fresh") / "course with a space"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    done = make(folder, "setup", "CORE=1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "MB to download" in done.stdout
    assert done.stdout.endswith(".venv is ready (without PyTorch).\n")
    return folder


def test_a_second_set_up_runs_no_pip(fresh):
    log = fresh / ".venv" / "course-setup.log"
    written = log.stat().st_mtime_ns
    assert make(fresh, "setup", "CORE=1").stdout == ".venv is ready (without PyTorch).\n"
    assert log.stat().st_mtime_ns == written


def test_the_judge_answers_without_pytorch(fresh):
    command = [fresh / ".venv" / "bin" / "python", "practice/judge.py", "list", "--json"]
    listed = subprocess.run(command, cwd=fresh, env=environment(), capture_output=True, text=True, timeout=60)
    assert {problem["number"] for problem in json.loads(listed.stdout)} >= {121, 123, 124, 127}


def test_the_core_suite_passes_without_pytorch(fresh):
    done = make(fresh, "test", "CORE=1", "ARGS=-q tests/library tests/setup")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "needs torch, which is not here" in done.stdout


@contextmanager
def running_lab(folder: Path, language: str):
    """`make lab` on a free port; yields (the address it printed, its output so far)."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = ["make", "lab", "CORE=1", "NO_BROWSER=1", f"PORT={port}"]
    server = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(LANG_EDITION=language),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed = []
        for line in server.stdout:
            printed.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S+", line):
                yield found[0], "".join(printed)
                break
        else:
            pytest.fail("".join(printed))
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_lab_opens_chapter_one_in_the_learners_language(fresh, language):
    with running_lab(fresh, language) as (url, _):
        assert f"/lab/tree/notebooks/{language}/01-" in url
        assert urllib.request.urlopen(url, timeout=30).status == 200
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(url.split("/lab")[0] + "/api/contents", timeout=30)


def test_stopping_the_lab_stops_its_server(fresh):
    with running_lab(fresh, "en") as (url, _):
        pass
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=2)
        except urllib.error.URLError:
            return
        time.sleep(0.2)
    pytest.fail("the server still answers")


def test_a_damaged_venv_is_repaired(fresh):
    shutil.rmtree(next((fresh / ".venv" / "lib").glob("python3.*")) / "site-packages" / "rich")
    done = make(fresh, "setup", "CORE=1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (next((fresh / ".venv" / "lib").glob("python3.*")) / "site-packages" / "rich").is_dir()


def test_without_a_network_one_line_says_so(fresh):
    (fresh / ".venv" / "bin" / "python").unlink()
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_RETRIES": "1", "PIP_NO_CACHE_DIR": "1"}
    done = make(fresh, "setup", "CORE=1", PIP_INDEX_URL="http://127.0.0.1:9/simple", **nowhere)
    assert done.returncode != 0
    assert "pip could not reach its package index" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_after_a_failed_and_a_stopped_set_up_the_next_one_succeeds(fresh):
    command = ["python3", "tools/setup_env.py", "--core"]
    running = subprocess.Popen(
        command, cwd=fresh, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    for line in running.stdout:
        if line.startswith("Packages"):
            break
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    rest = running.stdout.read()
    assert running.wait(60) == 130, rest
    assert "Stopped. Run the same command again to go on." in rest
    assert "Traceback" not in rest
    done = make(fresh, "setup", "CORE=1")
    assert done.returncode == 0, done.stdout + done.stderr
