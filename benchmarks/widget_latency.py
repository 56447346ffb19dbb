"""From key press to changed pixels in the widgets whose arithmetic is not a slider's alone.

    python benchmarks/widget_latency.py [--moves 40] [--json FILE]

The capacity planner's sliders, and the steps of a block map of 256 blocks on which 24 sequences fork and write, in
JupyterLab. How a move is timed stands in slider_latency.py, which has the explorer.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page
from slider_latency import WATCH, Bystanders, percentile

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.lab import copy_course, open_browser, run_all, serve_lab, write_notebook

PLANNER = "from paged.widgets import capacity_planner\ncapacity_planner()"
BLOCK_MAP = """\
from paged import BlockPool, Sequence
from paged.widgets import block_map
shown = block_map(BlockPool(256), Sequence, block_size=16)
shown.run("a = Sequence(pool, 16); a.append(40)")
for n in range(23):
    shown.run(f"s{n} = a.fork(); s{n}.append({17 + 5 * n}); a.append(1)")
shown
"""
TARGET_MS = 33.0
MOVES = {  # what is timed: the widget, the control that takes the keys
    "planner, tokens": (".paged-capacity-planner", "[data-slide=tokens]"),
    "planner, GPUs": (".paged-capacity-planner", "[data-slide=num_gpus]"),
    "planner, block size": (".paged-capacity-planner", "[data-slide=block_size]"),
    "block map, step": (".paged-block-map", "input[type=range]"),
}


def stands_at(slider: Locator) -> str:
    """What it says that it stands at: one step may be less than a pixel."""
    return slider.get_attribute("aria-valuetext") or slider.input_value()


def press(page: Page, widget: str, control: str, moves: int) -> list[float]:
    """Milliseconds of each move: one way with an arrow key, and back where the control ends."""
    slider = page.locator(f"{widget} {control}").first
    slider.scroll_into_view_if_needed()
    slider.focus()
    key, latencies, ends = "ArrowLeft", [], 0
    while len(latencies) < moves:
        page.wait_for_timeout(150)
        before = stands_at(slider)
        page.keyboard.press(key)
        page.wait_for_timeout(60)  # the value is set with the picture
        if stands_at(slider) == before:
            key, ends = "ArrowRight" if key == "ArrowLeft" else "ArrowLeft", ends + 1
            if ends > moves:
                raise RuntimeError(f"{control} of {widget} doesn't move")
            continue
        latency = page.evaluate("watch.latency()")
        if latency is None:
            raise RuntimeError(f"a move of {control} changed nothing on screen")
        latencies.append(latency)
    return latencies


def measure(moves: int) -> dict:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        copy_course(folder)
        write_notebook(folder / "latency.ipynb", PLANNER, BLOCK_MAP)
        with serve_lab(folder) as lab, open_browser() as browser:
            page = lab.open(browser, "latency.ipynb", height=1800)
            run_all(page)
            page.wait_for_timeout(2000)
            page.evaluate(WATCH.replace(".lens, .curve", ".paged-widget"))
            with Bystanders() as others:
                for where in MOVES.values():
                    press(page, *where, 3)  # warm up
                found = {name: press(page, *where, moves) for name, where in MOVES.items()}
    return {"milliseconds": found, "cpu_percent_of_others": others.percent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=40, help="key presses per control")
    parser.add_argument("--json", type=Path, help="also write all times to this file")
    options = parser.parse_args()
    report = measure(options.moves)
    print(f"{'key to pixels, ms':24}{'median':>8}{'p95':>8}{'max':>8}")
    for name, times in report["milliseconds"].items():
        p95 = percentile(times, 0.95)
        met = "" if p95 <= TARGET_MS else f"   more than {TARGET_MS:.0f}"
        print(f"{name:24}{statistics.median(times):8.1f}{p95:8.1f}{max(times):8.1f}{met}")
    print(f"{options.moves} moves each, {report['cpu_percent_of_others']}% of the machine busy with other work")
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
