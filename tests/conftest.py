"""What every test may count on: the markers `needs` and `slow`, and a report of what they left out.

    @pytest.mark.needs("bubblewrap")    runs where that tool is at hand
    @pytest.mark.slow                   runs under REQUIRE_ALL=1 or when -m names it

A test that is left out is deselected, not skipped, and the summary says in one line per reason how many and what to do.
Under REQUIRE_ALL=1, as in CI, nothing is left out: a missing tool fails its tests.
"""

import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is decides no test.
settings.register_profile("course", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("course")

REQUIRE_ALL = os.environ.get("REQUIRE_ALL", "") not in ("", "0")
LEFT_OUT = pytest.StashKey[Counter]()
FOLDERS = {"browser": "chromium"}  # a folder of tests that import what this tool needs as soon as they are loaded


def bubblewrap_works() -> bool:
    """Installed and allowed: containers and Ubuntu 24.04 may refuse it user namespaces."""
    if shutil.which("bwrap") is None:
        return False
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"]
    return subprocess.run(command, capture_output=True, timeout=20).returncode == 0


def chromium_is_driven() -> bool:
    return shutil.which("chromium") is not None and importlib.util.find_spec("playwright") is not None


def cjk_font_is_there() -> bool:
    """macOS ships one; elsewhere fontconfig knows."""
    if sys.platform == "darwin":
        return True
    if shutil.which("fc-list") is None:
        return False
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True, timeout=20).stdout.strip())


def a_compiler_is_there() -> bool:
    return any(map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++", "clang++")))


def a_hub_can_run() -> bool:
    """JupyterHub and its proxy are installed, and root makes namespaces in which people have accounts."""
    if any(importlib.util.find_spec(name) is None for name in ("jupyterhub", "jupyterhub_idle_culler", "nbgitpuller")):
        return False
    if not all(map(shutil.which, ("configurable-http-proxy", "unshare", "nsenter", "setpriv"))):
        return False
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    command = [*as_root, "unshare", "--mount", "--pid", "--fork", "--mount-proc", "true"]
    return subprocess.run(command, capture_output=True, timeout=20).returncode == 0


TOOLS = {
    "bubblewrap": (bubblewrap_works, "apt install bubblewrap, and allow user namespaces"),
    "chromium": (chromium_is_driven, "install Chromium, and make setup DEV=1"),
    "cjk_font": (cjk_font_is_there, "apt install fonts-wqy-microhei"),
    "compiler": (a_compiler_is_there, "apt install g++, or xcode-select --install"),
    "numpy": (lambda: importlib.util.find_spec("numpy") is not None, "make setup"),
    "jupyterhub": (
        a_hub_can_run,
        "pip install -r requirements/hub.txt, npm install --global configurable-http-proxy@5.1.0, and root",
    ),
    "torch": (lambda: importlib.util.find_spec("torch") is not None, "make setup without CORE=1"),
    "triton": (lambda: importlib.util.find_spec("triton") is not None, "Linux, and make setup without CORE=1"),
}


@functools.cache
def has(tool: str) -> bool:
    return TOOLS[tool][0]()


def how_to_get(tool: str) -> str:
    return f"{tool}, which is not here ({TOOLS[tool][1]})"


def tools_needed(item: pytest.Item) -> list[str]:
    """The names in the test's `needs` markers. Raises UsageError for one that nobody knows how to find."""
    names = [name for marker in item.iter_markers("needs") for name in marker.args]
    unknown = sorted(set(names) - set(TOOLS))
    if unknown:
        raise pytest.UsageError(f"{item.nodeid} needs {', '.join(unknown)}; known tools: {', '.join(TOOLS)}")
    return names


def reason_to_leave_out(item: pytest.Item, config: pytest.Config) -> str | None:
    missing = [name for name in tools_needed(item) if not has(name)]
    if missing:
        return f"needs {how_to_get(missing[0])}"
    if item.get_closest_marker("slow") and "slow" not in config.option.markexpr:
        return "slow (make test REQUIRE_ALL=1, or -m slow)"
    return None


@pytest.fixture(scope="session")
def browser():
    """The one Chromium of all tests: Playwright starts no second one in this thread."""
    from browser.lab import open_browser

    with open_browser() as browser:
        yield browser


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    tool = FOLDERS.get(collection_path.name) if collection_path.parent == Path(__file__).parent else None
    if tool is None or REQUIRE_ALL or has(tool):
        return None
    config.stash[LEFT_OUT][f"{collection_path.name}/: needs {how_to_get(tool)}"] = 1
    return True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    reasons = {item: reason_to_leave_out(item, config) for item in items}
    left_out = [item for item, reason in reasons.items() if reason and not REQUIRE_ALL]
    if left_out:
        config.stash[LEFT_OUT].update(reasons[item] for item in left_out)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = [name for name in tools_needed(item) if not has(name)]
    if missing:
        pytest.fail(f"REQUIRE_ALL=1 needs {how_to_get(missing[0])}", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reason, count in sorted(terminalreporter.config.stash.get(LEFT_OUT, Counter()).items()):
        terminalreporter.write_line(f"left out: {count} × {reason}")
