"""Runs pip and follows what it does.

pip, not a faster installer, because learners' settings for it (a mirror, a proxy, a certificate, local wheels) hold
here too. Its own bar starts anew for each of 140 packages; `--progress-bar raw` prints byte counts to read instead.
"""

import queue
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, STDOUT

from .display import Display
from .failures import SetupFailed, explain
from .wording import text

COLLECTING = re.compile(r"Collecting ([A-Za-z0-9._-]+)(?:\[[^]]*\])?(?:==([^ ;]+))?")
BYTES = re.compile(r"Progress (\d+) of (\d+)")
DOWNLOAD_SHARE = 0.7


class Follower:
    """Turns pip's lines into (fraction, detail): 70 % for downloading `expected` packages, 30 % for unpacking them."""

    def __init__(self, expected: int, site_packages: Path):
        self.expected = max(expected, 1)
        self.site_packages = site_packages
        self.collected = 0
        self.current = ""
        self.bytes = (0, 0)
        self.before: int | None = None

    def feed(self, line: str) -> None:
        if found := COLLECTING.match(line):
            self.collected += 1
            self.current = " ".join(part for part in found.groups() if part)
            self.bytes = (0, 0)
        elif found := BYTES.match(line):
            self.bytes = (int(found[1]), int(found[2]))
        elif line.startswith("Installing collected packages:"):
            self.before = self._unpacked()
        elif "Retrying (Retry(" in line:
            self.current = text("no answer from the package index, trying again", "软件包索引没有回应，正在重试")

    def _unpacked(self) -> int:
        return sum(1 for _ in self.site_packages.glob("*.dist-info"))

    def state(self) -> tuple[float, str]:
        if self.before is not None:
            done = min(max(self._unpacked() - self.before, 0), self.expected)
            share = DOWNLOAD_SHARE + (1 - DOWNLOAD_SHARE) * done / self.expected
            return share, text(f"unpacking {done}/{self.expected}", f"正在安装 {done}/{self.expected}")
        got, size = self.bytes
        part = got / size if size else 0.0
        share = DOWNLOAD_SHARE * min((max(self.collected - 1, 0) + part) / self.expected, 1.0)
        megabytes = f"  {got / 1e6:.0f}/{size / 1e6:.0f} MB" if size > 1_000_000 else ""
        return share, f"{min(self.collected, self.expected)}/{self.expected}  {self.current}{megabytes}"


def lines_of(process: subprocess.Popen) -> Iterator[str | None]:
    """Each line as it comes, and None five times a second in between, so that the display moves while pip is silent."""
    arrived: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in process.stdout:
            arrived.put(line.rstrip("\n"))
        arrived.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = arrived.get(timeout=0.2)
        except queue.Empty:
            yield None
            continue
        if line is None:
            return
        yield line


def pip(python: Path, arguments: list[str], expected: int, log: Path, display: Display) -> None:
    """`pip install …`, shown on `display` and written to `log`. Raises SetupFailed."""
    site_packages = next((python.parent.parent / "lib").glob("python3.*/site-packages"))
    follower, output, drawn = Follower(expected, site_packages), [], 0.0
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *arguments]
    with (
        open(log, "a", encoding="utf-8") as written,
        subprocess.Popen(command, stdout=PIPE, stderr=STDOUT, text=True, errors="replace") as process,
    ):
        written.write(f"$ {' '.join(command)}\n")
        try:
            for line in lines_of(process):
                if line is not None:
                    follower.feed(line)
                    if not BYTES.match(line):
                        output.append(line)
                        written.write(line + "\n")
                if time.monotonic() - drawn > 0.1:
                    display.update(*follower.state())
                    drawn = time.monotonic()
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise SetupFailed(explain("\n".join(output)))
