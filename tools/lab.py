"""Open JupyterLab on chapter 1 in the learner's language: `make lab`. Run by .venv's own Python.

    .venv/bin/python tools/lab.py [--lang en|zh] [--port N] [--no-browser]

The address is printed when the server answers, token included. It listens on this machine only; from elsewhere, go
through SSH: ssh -L 8888:127.0.0.1:8888 HOST.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

from bootstrap.wording import LANGUAGES, learner_language, text

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "tools" / "jupyter"  # hides the pages and buttons that nbgrader has for teachers
FIRST_PORT, TRIED = 8888, 50
PATIENCE = 120.0


def chapter_one(language: str) -> str:
    """Path of chapter 1 from the root, with slashes. Raises FileNotFoundError when the notebooks were not built."""
    found = sorted((ROOT / "notebooks" / language).glob("01-*.ipynb"))
    if not found:
        raise FileNotFoundError(f"notebooks/{language} holds no chapter 1: make notebooks builds it")
    return found[0].relative_to(ROOT).as_posix()


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def choose_port(wanted: int | None) -> int:
    """The wanted port, or the first free one from 8888 on. Raises OSError when there is none."""
    candidates = [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + TRIED)
    for port in candidates:
        if is_free(port):
            return port
    name = f"port {wanted}" if wanted else f"every port from {FIRST_PORT} to {FIRST_PORT + TRIED - 1}"
    raise OSError(f"{name} is taken; choose another: make lab PORT=9000")


def start(port: int, token: str) -> subprocess.Popen:
    """The server, with .venv first on PATH and .venv's own kernel preferred over one of the same name elsewhere."""
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.root_dir={ROOT}"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += [f"--{part}.log_level=ERROR" for part in ("ServerApp", "LabApp")]
    command.append("--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=False")  # the teacher's pages
    if os.geteuid() == 0:
        command.append("--allow-root")
    binaries = str(Path(sys.executable).parent)
    environ = {
        **os.environ,
        "JUPYTER_TOKEN": token,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_PATH": os.pathsep.join([str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]),
        "VIRTUAL_ENV": sys.prefix,
        "PATH": os.pathsep.join([binaries, os.environ.get("PATH", os.defpath)]),
    }
    return subprocess.Popen(command, cwd=ROOT, env=environ)


def wait_until_it_answers(server: subprocess.Popen, port: int, token: str) -> None:
    """Raises RuntimeError when the server ends or stays silent for two minutes."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab ended at once with exit status {server.returncode}")
        try:
            opener.open(f"http://127.0.0.1:{port}/api/status?token={token}", timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not answer on port {port} within {PATIENCE:.0f} s")


def open_browser(url: str) -> bool:
    """Open the address where a browser with windows is within reach. In WSL2 that is Windows' own; a bare server has
    none, and a text browser must not take the terminal over."""
    windows = shutil.which("powershell.exe") if "WSL_DISTRO_NAME" in os.environ else None
    if windows:
        return subprocess.call([windows, "-NoProfile", "-Command", f"Start-Process '{url}'"]) == 0
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    return has_windows and webbrowser.open(url)


def main() -> int:
    """Exit status: the server's own once it runs; 1 when it cannot start."""
    parser = argparse.ArgumentParser(description="Open JupyterLab on chapter 1.")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--port", type=int)
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    try:
        language = options.lang or learner_language()
        path, port = chapter_one(language), choose_port(options.port)
    except (OSError, ValueError) as failure:
        print(failure)
        return 1
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    print(text("Starting JupyterLab …", "正在启动 JupyterLab …"), flush=True)
    server = start(port, token)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server too, which asks before it stops
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    try:
        wait_until_it_answers(server, port, token)
    except RuntimeError as failure:
        print(failure)
        server.terminate()
        server.wait()
        return 1
    url = f"http://127.0.0.1:{port}/lab/tree/{path}?token={token}"
    print(f"\n  {url}\n")
    print(
        text("Ctrl-C, then y, stops it. JupyterLab saves as you go.", "按 Ctrl-C 再按 y 停止；内容会自动保存。"),
        flush=True,
    )
    if not options.no_browser and not open_browser(url):
        print(text("Open the address above in a browser.", "请在浏览器里打开上面的地址。"), flush=True)
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
