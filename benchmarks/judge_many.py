"""Judges files in one process that keeps its children warm, as a batch does and a notebook; prints JSON.

    python benchmarks/judge_many.py 127 FILE … [--jobs 2] [--score-only]

For each file, in the order given: verdict and seconds. --score-only neither shortens a failing run nor names the
misconception behind it.
"""

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from practice.judging import catalogue
from practice.judging.verdict import SEED, judge
from practice.judging.warm import Children


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--jobs", type=int, default=1, help="answers judged at the same time")
    parser.add_argument("--score-only", action="store_true")
    options = parser.parse_args()
    problem, children = catalogue.find(options.number), Children()
    for group in problem.groups:
        group.recorded(SEED)  # once, before the threads start
    seconds = {"shrink_seconds": 0.0, "diagnose_seconds": 0.0} if options.score_only else {}

    def trial(file: Path) -> dict[str, object]:
        verdict = judge(problem, file.read_bytes(), file=file.name, children=children, **seconds)
        return {"file": file.name, "verdict": verdict.verdict, "seconds": verdict.seconds}

    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            print(json.dumps(list(pool.map(trial, options.files))))
    finally:
        children.close()


if __name__ == "__main__":
    main()
