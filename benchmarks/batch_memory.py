"""How a large class is graded: answers per second, and what memory the batch takes from its beginning to its end.

    python benchmarks/batch_memory.py [--answers 1000] [--jobs 2] [--problem 127] [--json FILE]

The answers are the problem's own bank in turn, right and wrong, each made a text of its own. Memory is the proportional
set size of the batch and all processes it started, learners' processes included, once a second; the first tenth of the
answers, in which everything starts, is told apart. Flat means that the rest doesn't grow.
"""

import argparse
import json
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from practice.judging import catalogue

FLAT = 1.1  # the last tenth takes at most so many times the memory of the second


def hand_in(folder: Path, number: str, count: int) -> None:
    problem = catalogue.find(number)
    bank = [path.read_text(encoding="utf-8") for kind in ("right", "wrong") for path in problem.bank(kind)]
    for student in range(count):
        file = folder / f"{number}-student{student:05}.py"
        file.write_text(f"{bank[student % len(bank)]}\n# student {student}\n", encoding="utf-8")


def memory(process: psutil.Process) -> int:
    """Bytes, without counting what processes share more than once."""
    total = 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError):
            continue
    return total


def graded(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            return database.execute("SELECT COUNT(*) FROM grade").fetchone()[0]
    except sqlite3.Error:
        return 0


def measure(number: str, count: int, jobs: int) -> dict:
    with tempfile.TemporaryDirectory() as home:
        folder, grades = Path(home, "class"), Path(home, "grades.sqlite3")
        folder.mkdir()
        hand_in(folder, number, count)
        words = ["batch", folder, "--out", grades, "--jobs", jobs]
        command = [sys.executable, str(catalogue.ROOT / "judge.py"), *map(str, words)]
        begun, samples = time.monotonic(), []
        batch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process = psutil.Process(batch.pid)
        while batch.poll() is None:
            samples.append((graded(grades), memory(process)))
            if sys.stderr.isatty():
                done, taken = samples[-1]
                print(f"\r{done} of {count}, {taken >> 20} MiB ", end="", file=sys.stderr, flush=True)
            time.sleep(1.0)
        seconds = time.monotonic() - begun
        if batch.returncode or graded(grades) != count:
            raise RuntimeError(f"the batch ended with {batch.returncode}, {graded(grades)} of {count} graded")
    return {"answers": count, "jobs": jobs, "seconds": seconds, "samples": samples}


def tenths(report: dict) -> list[float]:
    """Median MiB while each tenth of the answers was graded."""
    parts = [[] for _ in range(10)]
    for done, taken in report["samples"]:
        parts[min(9, 10 * done // report["answers"])].append(taken / (1 << 20))
    return [statistics.median(part) if part else float("nan") for part in parts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--problem", default="127")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    report = measure(options.problem, options.answers, options.jobs)
    middle = tenths(report)
    print("MiB while each tenth was graded: " + "  ".join(f"{value:.0f}" for value in middle))
    growth = middle[-1] / middle[1]
    print(f"last tenth {growth:.2f} of the second; at most {FLAT}: {'met' if growth <= FLAT else 'MISSED'}")
    print(f"{report['answers']} answers to {options.problem} in {report['seconds']:.0f} s, {options.jobs} processes")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, load {load:.2f} before")
    if options.json:
        options.json.write_text(json.dumps(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
