"""How long learners and teachers wait: our judge beside pytest, nbgrader and, where it is installed, otter.

    python benchmarks/judge_speed.py [--rounds 3] [--answers 50] [--quick] [--json FILE]
    OTTER=/path/to/otter python benchmarks/judge_speed.py        # an otter-grader from another environment

All grade the same answers to problem 127 by the same hidden tests: the same plans against the same oracle. They take
turns, so that whatever else the machine does hits all; before anything is timed each must accept the reference and
reject a mistake. Three waits:

    cold    one answer, a whole process: `judge.py test`, `pytest`, `nbgrader autograde`, `otter run`
    batch   many answers, half of them wrong: one `judge.py batch`, against one `nbgrader autograde`
    warm    the next verdict in a process that has given one before, as in a notebook; a problem of another chapter too

What ours does and the others don't: the visible examples, a sandbox, and for a wrong answer a short failing run and the
misconception behind it. A batch is therefore also run for the scores alone, which is all that nbgrader gives.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from graders import Answer, Grader, Ours, Pytest
from notebook_graders import Nbgrader, Otter

from practice.judging import catalogue, sandbox
from practice.judging.catalogue import Problem

NUMBER, MISTAKE = "127", "never_copies"
WARM = {"127": "never_copies", "123": "newest_first"}  # problem → a mistake from its bank
JOBS = os.cpu_count() or 1
COLD_TARGET, BATCH_TARGET = 0.5, 5.0
UNFIT = "prints_while_working"  # right, but nbgrader gives no points for a cell that writes to stderr


def reference(problem: Problem) -> Answer:
    return Answer("reference", problem.reference(), right=True)


def from_bank(problem: Problem, kind: str) -> list[Answer]:
    files = [file for file in problem.bank(kind) if file.stem != UNFIT]
    return [Answer(file.stem, file.read_text(encoding="utf-8"), kind == "right") for file in files]


def mistake(problem: Problem, name: str) -> Answer:
    return next(answer for answer in from_bank(problem, "wrong") if answer.name == name)


def a_class(problem: Problem, size: int) -> list[Answer]:
    """`size` answers: right ones in turn, and as many mistakes from all over the bank."""
    right, wrong = [reference(problem), *from_bank(problem, "right")], from_bank(problem, "wrong")
    half = -(-size // 2)
    chosen = [
        answer
        for number in range(half)
        for answer in (right[number % len(right)], wrong[number * len(wrong) // half % len(wrong)])
    ]
    return [Answer(f"{n:03}_{answer.name}", answer.source, answer.right) for n, answer in enumerate(chosen[:size])]


def graders(problem: Problem, home: Path) -> list[Grader]:
    found: list[Grader] = [kind(problem, home / kind.name) for kind in (Ours, Pytest, Nbgrader)]
    if otter := os.environ.get("OTTER") or shutil.which("otter"):
        found.append(Otter(problem, home / Otter.name, otter))
    return found


def cold(sides: list[Grader], problem: Problem, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Seconds of each round, by what comes of the answer and by grader."""
    answers = {"accepted": reference(problem), "rejected": mistake(problem, MISTAKE)}
    for outcome, answer in answers.items():
        for side in sides:
            note(f"{side.name}: is {answer.name} {outcome}?")
            side.grade(answer)
    seconds = {outcome: {side.name: [] for side in sides} for outcome in answers}
    for turn in range(rounds):
        note(f"cold, round {turn + 1} of {rounds}")
        for outcome, answer in answers.items():
            for side in sides:
                seconds[outcome][side.name].append(side.grade(answer).seconds)
    return seconds


def batch(ours: Ours, nbgrader: Nbgrader, answers: list[Answer]) -> dict[str, list[float]]:
    jobs = ["--jobs", str(JOBS)]
    note(f"batch of {len(answers)}")
    return {
        "ours": [ours.grade_many(answers, *jobs)[0].seconds],
        "ours, scores alone": [ours.grade_many(answers, *jobs, "--scores-only")[0].seconds],
        "nbgrader": [nbgrader.grade_many(answers).seconds],
    }


def warm(home: Path, rounds: int) -> dict[str, dict[str, list[float]]]:
    seconds: dict[str, dict[str, list[float]]] = {}
    for number, name in WARM.items():
        problem = catalogue.find(number)
        ours = Ours(problem, home / f"warm{number}")
        for outcome, answer in (("accepted", reference(problem)), ("rejected", mistake(problem, name))):
            _, each = ours.grade_many([answer] * (1 + rounds), "--jobs", "1")
            seconds.setdefault(outcome, {})[f"problem {number}"] = each[1:]
    return seconds


def measure(rounds: int, size: int) -> dict[str, object]:
    problem = catalogue.find(NUMBER)
    about = facts()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        note("setting up")
        sides = graders(problem, home)
        results = {"cold": cold(sides, problem, rounds)}
        by_name = {side.name: side for side in sides}
        results["batch"] = {f"{size} answers": batch(by_name["ours"], by_name["nbgrader"], a_class(problem, size))}
        results["warm"] = warm(home, rounds)
    return about | {"load_after": load(), "answers": size, "seconds": results}


def note(what: str) -> None:
    """The whole takes minutes: say how far it is."""
    print(f"{what} …", file=sys.stderr, flush=True)


def facts() -> dict[str, object]:
    versions = {name: importlib.metadata.version(name) for name in ("pytest", "nbgrader", "hypothesis")}
    kind, why = sandbox.kind()
    machine = {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()}
    return machine | {"python": platform.python_version(), "sandbox": kind, "why": why} | versions | {"load": load()}


def load() -> float:
    return round(os.getloadavg()[0], 2)


def table(report: dict) -> str:
    lines = []
    for wait, outcomes in report["seconds"].items():
        for outcome, sides in outcomes.items():
            lines += ["", f"{f'{wait}, {outcome}, s':32}{'median':>8}{'min':>8}{'max':>8}{'x ours':>8}"]
            for name, times in sides.items():
                middle = statistics.median(times)
                row = f"  {name:30}{middle:8.2f}{min(times):8.2f}{max(times):8.2f}"
                lines.append(row + (f"{middle / statistics.median(sides['ours']):8.2f}" if "ours" in sides else ""))
    return "\n".join(lines[1:])


def targets(report: dict) -> list[str]:
    lines = []
    for outcome, sides in report["seconds"]["cold"].items():
        ratio = statistics.median(sides["ours"]) / statistics.median(sides["nbgrader"])
        met = "met" if ratio <= COLD_TARGET else "MISSED"
        lines.append(f"cold, {outcome}: {ratio:.2f} of nbgrader's time; at most {COLD_TARGET}: {met}")
    [sides] = report["seconds"]["batch"].values()
    for name in ("ours", "ours, scores alone"):
        rate, ratio = report["answers"] / sides[name][0], sides["nbgrader"][0] / sides[name][0]
        met = "met" if ratio >= BATCH_TARGET else "MISSED"
        lines.append(
            f"batch, {name}: {rate:.1f} answers/s, {ratio:.1f} times nbgrader's; at least {BATCH_TARGET}: {met}"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each grader, cold")
    parser.add_argument("--answers", type=int, default=50, help="size of the batch")
    parser.add_argument("--quick", action="store_true", help="1 round and 6 answers")
    parser.add_argument("--json", type=Path, help="also write all times to this file")
    options = parser.parse_args()
    report = measure(1, 6) if options.quick else measure(options.rounds, options.answers)
    print(table(report), "", *targets(report), sep="\n")
    machine = "{system} {machine}, {cores} cores = jobs of our batch, load {load} before and {load_after} after"
    versions = "Python {python}, {sandbox}, pytest {pytest}, nbgrader {nbgrader}, Hypothesis {hypothesis}"
    print("", machine.format(**report), versions.format(**report), sep="\n")
    if "otter" not in report["seconds"]["cold"]["accepted"]:
        print("otter is not installed: set OTTER to its command to have it compared")
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
