"""A real JupyterLab and a headless Chromium, for tests and benchmarks of what a learner sees.

    copy_course(folder)
    with serve_lab(folder) as lab, open_browser() as browser:
        page = lab.open(browser, "notebooks/en/01-why-page.ipynb")
        run_all(page)

Both live on loopback and keep settings, progress and answers in temporary folders: nothing of the machine's own
Jupyter, and none of the learner's work, is read or changed.
"""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
COURSE = ("judge.py", "paged", "practice", "notebooks")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 60
PAGE_MS = 180_000


@dataclass
class Lab:
    """A running JupyterLab, and what its pages did that they should not have done."""

    address: str
    token: str
    outside: list[str] = field(default_factory=list)  # requests that left this server
    errors: list[str] = field(default_factory=list)  # console errors and uncaught exceptions

    def open(self, browser: Browser, notebook: str, width: int = 1280, height: int = 900) -> Page:
        """A page with this notebook, its kernel connected and idle; `notebook` is relative to the served folder."""
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PAGE_MS)
        page.on("request", self._watch_request)
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.address}/lab/tree/{notebook}?token={self.token}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        # The toolbar's indicator says idle before the kernel is connected, and Run All then runs nothing.
        page.wait_for_function(
            "() => [...document.querySelectorAll('#jp-main-statusbar *')].some(e => /\\| Idle$/.test(e.textContent))"
        )
        return page

    def _watch_request(self, request: object) -> None:
        inside = (self.address, self.address.replace("http:", "ws:"), "data:", "blob:")
        if not request.url.startswith(inside):
            self.outside.append(request.url)


def copy_course(folder: Path) -> None:
    """The course as a learner has it, without answers; a notebook that runs in the copy saves its answers there."""
    for name in COURSE:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
        else:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("workspace", "__pycache__"))


@contextmanager
def serve_lab(folder: Path) -> Iterator[Lab]:
    """JupyterLab on a free port of loopback, its kernels importing from `folder`; RuntimeError if it doesn't start."""
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as home:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16))
        log = Path(home, "lab.log")
        with log.open("w") as output:
            server = subprocess.Popen(
                _command(folder, port, lab.token),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(Path(home)) | {"PYTHONPATH": str(folder)},
                start_new_session=True,
            )
        try:
            _wait_until_up(lab, server, log)
            yield lab
        finally:
            _stop(server)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """The machine's own Chromium, headless."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), headless=True, args=list(CHROMIUM_FLAGS)
        )
        try:
            yield browser
        finally:
            browser.close()


def run_all(page: Page) -> None:
    """Run > Run All Cells, and wait until every code cell that is not empty has its number."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
    page.wait_for_function(
        """() => {
          const cells = [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')];
          const prompts = cells.filter(cell => cell.querySelector('.cm-content')?.textContent)
            .map(cell => cell.querySelector('.jp-InputPrompt').textContent);  // empty where the source is hidden
          return prompts.length && prompts.every(text => /^(\\[\\d+\\]:)?$/.test(text.trim()));
        }"""
    )


def run_cell(page: Page, source: str) -> str:
    """Put `source` into the last cell and run it; what it printed."""
    cell = page.locator(".jp-CodeCell").last
    prompt = cell.locator(".jp-InputPrompt")
    before = prompt.inner_text()
    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(source)
    page.keyboard.press("ControlOrMeta+Enter")
    page.wait_for_function(
        "([prompt, before]) => prompt.textContent !== before && /\\[\\d+\\]/.test(prompt.textContent)",
        arg=[prompt.element_handle(), before],
    )
    return cell.locator(".jp-OutputArea").inner_text()


def active_cell(page: Page) -> int:
    """The number of the cell that the notebook's own keys would act on."""
    numbers = page.evaluate(
        "() => [...document.querySelectorAll('.jp-Cell')].flatMap((it, n) => it.matches('.jp-mod-active') ? [n] : [])"
    )
    assert len(numbers) == 1
    return numbers[0]


def set_theme(page: Page, theme: str) -> None:
    """ "JupyterLab Light" or "JupyterLab Dark", from the Settings menu; the server keeps it for pages opened later."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator(".lm-Menu-item", has_text="Theme").first.hover()
    page.locator(".lm-Menu-item", has_text=theme).first.click()
    light = "false" if "Dark" in theme else "true"
    page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")


def write_notebook(path: Path, *cells: str, output: dict[str, object] | None = None) -> None:
    """A notebook of these code cells, not run; `output`, by MIME type, is what the first one showed elsewhere."""
    shown = [{"output_type": "display_data", "data": output, "metadata": {}}] if output else []
    page = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{number}",
                "metadata": {},
                "source": source,
                "outputs": [] if number else shown,
                "execution_count": None,
            }
            for number, source in enumerate(cells)
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(page), encoding="utf-8")


def _command(folder: Path, port: int, token: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={folder}",
    ]


def _environment(home: Path) -> dict[str, str]:
    settings = home / "settings"
    notification = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    notification.parent.mkdir(parents=True)
    notification.write_text('{"fetchNews": "false", "checkForUpdates": false}')  # no pop-up, no request to outside
    return os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUDGE_DATA": str(home / "judge"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
    }


def _wait_until_up(lab: Lab, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab stopped with status {server.returncode}:\n{log.read_text()}")
        try:
            urllib.request.urlopen(f"{lab.address}/api/status?token={lab.token}", timeout=2).read()
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not answer within {START_SECONDS} s:\n{log.read_text()}")


def _stop(server: subprocess.Popen) -> None:
    """Our own process group: the server and its kernels."""
    for sign, patience in ((signal.SIGINT, 5), (signal.SIGTERM, 10)):
        try:
            os.killpg(server.pid, sign)
            server.wait(patience)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
