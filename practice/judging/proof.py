"""The proof that a problem judges well: its starter fails, its reference and every right/ pass, every wrong/ is caught.

The kill table says which group of tests catches which mistake; a mistake's first line names the misconception.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from practice.judging import pack
from practice.judging.catalogue import Problem
from practice.judging.diagnose import Bank, belief
from practice.judging.verdict import SEED, SHRINKABLE, Verdict, judge
from practice.judging.warm import Children

NO_PROOF = ("gone", "garbage", "import", "missing", "syntax")  # it fell over before any test could tell


@dataclass
class Trial:
    """One submission of the bank: kind is starter, reference, right or wrong."""

    kind: str
    name: str
    verdict: Verdict
    belief: str = ""

    @property
    def as_it_should_be(self) -> bool:
        if self.kind in ("reference", "right"):
            return self.verdict.verdict == "AC"
        if self.verdict.verdict in ("AC", "SKIPPED", "IE") or self.verdict.shortest is None:
            return False
        if self.verdict.shortest.failure.why in NO_PROOF:
            return False
        return self.kind == "starter" or self.names_itself

    @property
    def names_itself(self) -> bool:
        """Whether the misconceptions named for a mistake include its own, where its failure can be repeated at all.

        What only a compiler finds is not repeated: compiling the bank takes too long.
        """
        ran = {group.name for group in self.verdict.problem.groups if not group.guard}
        explained = next((check.failure for check in self.verdict.failed if check.name in ran), None)
        if explained is None or explained.flaky or explained.step < 0 or explained.verdict not in SHRINKABLE:
            return True
        return self.belief in [belief["en"] for belief in self.verdict.beliefs]

    @property
    def caught_by(self) -> list[str]:
        return [check.name for check in self.verdict.failed]


def prove(problem: Problem, jobs: int) -> list[Trial]:
    """Judge the whole bank of a problem, `jobs` at a time."""
    submissions = [("starter", "starter", problem.starter), ("reference", "reference", problem.reference())]
    submissions += [
        (kind, path.stem, path.read_text(encoding="utf-8"))
        for kind in ("right", "wrong")
        for path in problem.bank(kind)
    ]
    for group in problem.groups:
        group.recorded(pack.seed(SEED))  # once, before the threads start

    children, bank = Children(), Bank(problem)

    def trial(entry) -> Trial:
        kind, name, source = entry
        verdict = judge(
            problem,
            source.encode(),
            file=name,
            shrink_seconds=0,
            diagnose_seconds=60,
            children=children,
            bank=bank,
        )
        return Trial(kind, name, verdict, belief(source)["en"] if kind == "wrong" else "")

    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(trial, submissions))
        finally:
            children.close()
