"""From key press to changed pixels: the explorer beside `ipywidgets.interact` with inline matplotlib, in one page.

    python benchmarks/slider_latency.py [--rounds 4] [--moves 10] [--json FILE]

Both stand in one notebook at about 10,000 requests and take turns, so that whatever else the machine does hits both.
A move is one arrow key; its latency runs from the event's own time stamp to the first frame painted after the picture
changed. A drag is 60 mouse moves, each sent when the browser has taken the one before; painted frames are counted
meanwhile.
"""

import argparse
import hashlib
import json
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import Locator, Page

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.lab import copy_course, open_browser, run_all, serve_lab, write_notebook

EXPLORER = "from paged.widgets import explorer\nexplorer(num_requests=9_000)"
INTERACT = """\
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt, numpy as np
from paged import workload
load = workload.handbook(10_000)
lengths, sizes = np.array(load.lengths), np.arange(1, 257)

def draw(block_size, num_requests):
    some = lengths[:num_requests]
    used = some.sum()
    held = np.array([(-(-some // size)).sum() for size in sizes]) * sizes
    figure, (bars, curve) = plt.subplots(1, 2, figsize=(9, 3.4))
    bars.barh(["reserve-max", "paged"], [num_requests * load.max_len, held[block_size - 1]], color="tab:orange")
    bars.barh(["reserve-max", "paged"], [used, used], color="tab:blue")
    curve.semilogx(sizes, used / held, base=2)
    curve.plot(block_size, used / held[block_size - 1], "o")
    curve.set_title(f"{num_requests} requests, block size {block_size}: {used / held[block_size - 1]:.1%}")
    plt.show()

options = dict(min=1, layout=ipywidgets.Layout(width="500px"))
ipywidgets.interact(draw, block_size=ipywidgets.IntSlider(16, max=256, **options),
                    num_requests=ipywidgets.IntSlider(9_000, max=10_000, **options));
"""

# Notes when a key went down and when a frame with a changed picture had been painted. A task posted while a frame is
# being made runs after that frame's paint; a change outside a frame waits for the next one.
WATCH = """
const watch = window.watch = {
  key: null,
  painted: [],
  wake: () => {},
  latency: () => new Promise(resolve => {  // of the last key; null when nothing changes for 20 seconds
    const answer = () => resolve(watch.painted.length ? watch.painted[0] - watch.key : null);
    if (watch.painted.length) return answer();
    watch.wake = answer;
    setTimeout(answer, 20_000);
  }),
};
let inFrame = false;
const frame = window.requestAnimationFrame.bind(window);
const afterPaint = done => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
};
window.requestAnimationFrame = callback => frame(time => {
  inFrame = true;
  afterPaint(() => inFrame = false);
  callback(time);
});
let noted = false;
const note = () => {
  if (noted) return;
  noted = true;
  const record = () => afterPaint(() => {
    noted = false;
    watch.painted.push(performance.now());
    watch.wake();
  });
  inFrame ? record() : frame(record);
};
window.addEventListener("keydown", event => { watch.key = event.timeStamp; watch.painted = []; }, true);
new MutationObserver(changes => {
  if (changes.some(({ target }) => target.closest?.(".lens, .curve"))) note();
  const images = changes.flatMap(({ addedNodes }) => [...addedNodes])
    .flatMap(node => node.nodeType === 1 ? [node, ...node.querySelectorAll("img")] : []);
  for (const image of images) if (image.tagName === "IMG") image.decode().then(note, () => {});
}).observe(document, { subtree: true, childList: true });
"""


KEYS = {"block size": "ArrowRight", "requests": "ArrowLeft"}
DRAGS = {"block size": (0.1, 0.7), "requests": (0.97, 0.4)}  # from and to, as shares of the track


class Subject:
    """One of the two pictures, with its sliders."""

    def __init__(self, page: Page, name: str):
        self.page, self.name = page, name
        self.picture = page.locator(".paged-explorer" if name == "explorer" else ".jp-OutputArea img").last
        self.latencies: dict[str, list[float]] = {"block size": [], "requests": []}
        self.frames_per_second: dict[str, list[float]] = {"block size": [], "requests": []}

    def _slider(self, which: str) -> tuple[Locator, Locator]:
        """The element that takes keys, and the track."""
        key = {"block size": "block_size", "requests": "num_requests"}[which]
        if self.name == "explorer":
            slider = self.page.locator(f"[data-slide={key}]")
            return slider, slider
        row = self.page.locator(".widget-slider", has=self.page.get_by_text(key, exact=True))
        return row.locator(".noUi-handle"), row.locator(".noUi-base")

    def press(self, which: str, moves: int) -> None:
        """`moves` arrow keys, each when the one before has been painted and a little later."""
        self.picture.scroll_into_view_if_needed()
        before = self._pixels()
        self._slider(which)[0].focus()
        for _ in range(moves):
            self.page.wait_for_timeout(200)
            self.page.keyboard.press(KEYS[which])
            latency = self.page.evaluate("watch.latency()")
            if latency is None:
                raise RuntimeError(f"{self.name}: a move of {which} changed nothing on screen")
            self.latencies[which].append(latency)
        self.page.wait_for_timeout(300)
        if self._pixels() == before:
            raise RuntimeError(f"{self.name}: {moves} moves of {which} left the picture as it was")

    def drag(self, which: str, steps: int = 60) -> None:
        """There and back again. The explorer's handle comes along from wherever on the track the mouse goes down."""
        handle, track = (locator.bounding_box() for locator in self._slider(which))
        y = handle["y"] + handle["height"] / 2
        start, end = (track["x"] + track["width"] * share for share in DRAGS[which])
        if self.name == "interact":
            start = handle["x"] + handle["width"] / 2
        self.page.mouse.move(start, y)
        self.page.mouse.down()
        self.page.evaluate("watch.painted = []")
        began = time.monotonic()
        self.page.mouse.move(end, y, steps=steps // 2)
        self.page.mouse.move(start, y, steps=steps // 2)
        frames, seconds = self.page.evaluate("watch.painted.length"), time.monotonic() - began
        self.page.mouse.up()
        self.page.wait_for_timeout(2500)  # what is still queued must not run into the next turn
        self.frames_per_second[which].append(frames / seconds)

    def _pixels(self) -> str:
        return hashlib.sha256(self.picture.screenshot()).hexdigest()


def percentile(values: list[float], share: float) -> float:
    """Nearest rank."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


class Bystanders:
    """The share of the machine, in percent of all cores, that processes other than this benchmark's took meanwhile."""

    def __enter__(self) -> "Bystanders":
        self._began = time.monotonic(), self._all(), self._own()
        return self

    def __exit__(self, *error: object) -> None:
        seconds, others = (
            time.monotonic() - self._began[0],
            self._all() - self._began[1] - (self._own() - self._began[2]),
        )
        self.percent = round(100 * max(0, others) / (seconds * psutil.cpu_count()))

    @staticmethod
    def _all() -> float:
        times = psutil.cpu_times()
        return sum(times) - times.idle - getattr(times, "iowait", 0)

    @staticmethod
    def _own() -> float:
        tree = [psutil.Process(), *psutil.Process().children(recursive=True)]
        return sum(sum(process.cpu_times()[:2]) for process in tree)


def measure(rounds: int, moves: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        copy_course(folder)
        write_notebook(folder / "latency.ipynb", EXPLORER, INTERACT)
        with serve_lab(folder) as lab, open_browser() as browser:
            browser_version = browser.version
            page = lab.open(browser, "latency.ipynb", height=1500)
            run_all(page)
            page.wait_for_timeout(2000)
            page.evaluate(WATCH)
            subjects = [Subject(page, "explorer"), Subject(page, "interact")]
            for subject in subjects:  # warm up
                subject.press("block size", 3)
                subject.latencies["block size"].clear()
            with Bystanders() as others:
                for turn in range(rounds):
                    for subject in subjects if turn % 2 == 0 else reversed(subjects):
                        for which in ("block size", "requests"):
                            subject.press(which, moves)
                            subject.drag(which)
    return {
        "chromium": browser_version,
        "cores": psutil.cpu_count(),
        "cpu_percent_of_others": others.percent,
        "moves": rounds * moves,
        "results": {subject.name: summary(subject) for subject in subjects},
    }


def summary(subject: Subject) -> dict[str, dict[str, float]]:
    return {
        which: {
            "median_ms": round(statistics.median(latencies), 1),
            "p95_ms": round(percentile(latencies, 0.95), 1),
            "max_ms": round(max(latencies), 1),
            "drag_frames_per_second": round(statistics.median(subject.frames_per_second[which]), 1),
        }
        for which, latencies in subject.latencies.items()
    }


def table(report: dict) -> str:
    ours, theirs = report["results"]["explorer"], report["results"]["interact"]
    lines = [f"{'':38}{'explorer':>10}{'interact':>10}{'ratio':>8}"]
    for which in ours:
        for key, unit in (("median_ms", "median, ms"), ("p95_ms", "p95, ms"), ("max_ms", "max, ms")):
            a, b = ours[which][key], theirs[which][key]
            lines.append(f"{f'{which}, key to pixels, {unit}':38}{a:10.1f}{b:10.1f}{b / a:7.1f}×")
        a, b = (side[which]["drag_frames_per_second"] for side in (ours, theirs))
        lines.append(f"{f'{which}, frames/s while dragging':38}{a:10.1f}{b:10.1f}{a / b if b else math.inf:7.1f}×")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="turns of each picture")
    parser.add_argument("--moves", type=int, default=10, help="key presses per slider and turn")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    report = measure(options.rounds, options.moves)
    print(table(report))
    print(
        f"{report['moves']} moves each, Chromium {report['chromium']}, {report['cores']} cores, "
        f"{report['cpu_percent_of_others']}% of them busy with other work"
    )
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
