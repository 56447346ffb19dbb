"""How the set-up shows that it moves: one line redrawn in place on a terminal, a plain line now and then in a log."""

import os
import shutil
import sys
import time
import unicodedata
from typing import TextIO

BAR = 24
PLAIN_EVERY = 10.0


def columns(line: str) -> int:
    """Width in terminal cells: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def fitted(line: str, width: int) -> str:
    while columns(line) > width:
        line = line[:-1]
    return line


class Display:
    """A stage has a title; `update` moves it between 0 and 1, `done` closes it with the seconds it took."""

    def __init__(self, stream: TextIO = sys.stdout):
        self.stream = stream
        self.moving = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.title = ""

    def stage(self, title: str) -> None:
        self.title, self.began, self.shown = title, time.monotonic(), time.monotonic()
        if self.moving:
            self.update(0.0, "")
        else:
            self._plain(f"{title} …")

    def update(self, fraction: float, detail: str) -> None:
        filled = round(BAR * min(max(fraction, 0.0), 1.0))
        line = f"{self.title}  {'█' * filled}{'░' * (BAR - filled)} {fraction:4.0%}  {detail}"
        if self.moving:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r{fitted(line, width)}\x1b[K")
            self.stream.flush()
        elif time.monotonic() - self.shown >= PLAIN_EVERY:
            self._plain(f"{self.title} … {fraction:.0%}  {detail}")

    def done(self) -> None:
        self._close(f"{self.title}  ✓ {time.monotonic() - self.began:.0f} s")

    def failed(self) -> None:
        self._close(f"{self.title}  ✗")

    def _close(self, line: str) -> None:
        if self.moving:
            self.stream.write(f"\r{line}\x1b[K\n")
            self.stream.flush()
        else:
            self._plain(line)

    def _plain(self, line: str) -> None:
        self.shown = time.monotonic()
        print(line, file=self.stream, flush=True)
