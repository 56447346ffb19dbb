"""The proof that a problem judges well: its starter fails, its reference and every right/ pass, every wrong/ is caught.

The kill table says which group of tests catches which mistake; a mistake's first line names the misconception.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from practice.judging.catalogue import Problem
from practice.judging.verdict import Verdict, judge


NO_PROOF = ("gone", "garbage", "import", "missing", "syntax")  # it fell over before any test could tell


@dataclass
class Trial:
    """One submission of the bank: kind is starter, reference, right or wrong."""

    kind: str
    name: str
    verdict: Verdict
    misconception: str = ""

    @property
    def as_it_should_be(self) -> bool:
        if self.kind in ("reference", "right"):
            return self.verdict.verdict == "AC"
        failure = self.verdict.shortest and self.verdict.shortest.failure
        return self.verdict.verdict not in ("AC", "SKIPPED", "IE") and bool(failure) and failure.why not in NO_PROOF

    @property
    def caught_by(self) -> list[str]:
        return [check.name for check in self.verdict.failed]


def prove(problem: Problem, jobs: int, shrink_seconds: float = 0.0) -> list[Trial]:
    """Judge the whole bank of a problem, `jobs` at a time."""
    bank = [("starter", "starter", problem.starter), ("reference", "reference", problem.reference())]
    bank += [
        (kind, path.stem, path.read_text(encoding="utf-8"))
        for kind in ("right", "wrong")
        for path in problem.bank(kind)
    ]
    for group in problem.groups:
        group.recorded(0)  # once, before the threads start

    def trial(entry) -> Trial:
        kind, name, source = entry
        verdict = judge(problem, source.encode(), file=name, shrink_seconds=shrink_seconds)
        return Trial(kind, name, verdict, first_line(source) if kind == "wrong" else "")

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(trial, bank))


def first_line(source: str) -> str:
    """The misconception that a wrong/ file states in its first line, as a comment or a docstring."""
    return source.lstrip().splitlines()[0].strip().strip('#" ').rstrip(".") if source.strip() else ""
