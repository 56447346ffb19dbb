"""The judge's answer about one submission, and how it comes about."""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from practice.judging import examples, kernel, kernel_gpu, pack
from practice.judging.catalogue import Problem
from practice.judging.diagnose import Bank, alike, misconceptions
from practice.judging.drive import Driver
from practice.judging.failure import Failure
from practice.judging.program import CALLS_IN_A_BATCH, Program, in_batches
from practice.judging.warm import Children, borrowing

EXAMPLE_POINTS = 10
SHRINKABLE = ("WA", "RE")  # what dies or hangs would take too long to repeat
SHRINK_SECONDS = 0.8
DIAGNOSE_SECONDS = 0.7
A_KERNEL_TAKES = 4  # times as long to diagnose: each mistake of its bank runs in the interpreter
PASSED_OF_A_GROUP = 12
AGAIN = 2  # times that a failing run is played once more: chance seldom gives the same three times
SEED = 0


@dataclass
class Check:
    """One check: the visible examples, or one group of hidden tests."""

    name: str
    title: dict[str, str]
    visible: bool
    max_score: int
    verdict: str = "SKIPPED"
    failure: Failure | None = None
    hint: dict[str, str] = field(default_factory=dict)

    @property
    def score(self) -> int:
        return self.max_score if self.verdict == "AC" else 0

    def as_json(self, lang: str) -> dict:
        failure = self.failure
        return {
            "name": self.name,
            "visible": self.visible,
            "verdict": self.verdict,
            "score": self.score,
            "max_score": self.max_score,
            "steps": failure.steps if failure else [],
            "expected": {name: repr(value)[:2000] for name, value in failure.expected.items()} if failure else {},
            "got": {name: repr(value)[:2000] for name, value in failure.got.items()} if failure else {},
            "hint": self.hint.get(lang, "") if failure else "",
        }


@dataclass
class Verdict:
    """What the judge found. verdict: AC WA RE TLE MLE OLE CE SKIPPED IE; `reason` explains CE, SKIPPED and IE,
    `beliefs` are misconceptions that make answers fail as this one does."""

    problem: Problem
    verdict: str
    checks: list[Check] = field(default_factory=list)
    seconds: float = 0.0
    sandbox: str = ""
    sandbox_reason: str = ""
    file: str = ""
    sha256: str = ""
    seed: int = SEED
    coverage: dict = field(default_factory=dict)
    beliefs: list[dict[str, str]] = field(default_factory=list)
    reason: str = ""
    kernels: list[dict] = field(default_factory=list)  # figures of what was compiled, see kernel_figures.py
    gpu: dict = field(default_factory=dict)  # how fast it is on a GPU, see kernel_gpu.py

    @property
    def score(self) -> int:
        return sum(check.score for check in self.checks)

    @property
    def max_score(self) -> int:
        return sum(check.max_score for check in self.checks)

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.verdict not in ("AC", "SKIPPED")]

    @property
    def shortest(self) -> Check | None:
        """The failed check that is shown: the one with the fewest calls; of two alike the one that sees all objects.

        One where all runs together took too long, which has no calls to show or chance ones, only where there is no
        other.
        """

        def length(check: Check) -> tuple:
            steps = check.failure.steps
            return not steps or check.failure.why == "together", len(steps), not check.failure.state

        return min(self.failed, key=length, default=None)

    @property
    def exit_status(self) -> int:
        return {"AC": 0, "IE": 3, "SKIPPED": 4}.get(self.verdict, 1)

    def as_json(self, lang: str) -> dict:
        return {
            "problem": self.problem.number,
            "slug": self.problem.slug,
            "verdict": self.verdict,
            "score": self.score,
            "max_score": self.max_score,
            "seconds": round(self.seconds, 3),
            "sandbox": self.sandbox,
            "backend": "triton interpreter" if self.problem.kind == "kernel" else "python",
            "file": self.file,
            "sha256": self.sha256,
            "seed": self.seed,
            "reason": self.reason,
            "coverage": self.coverage,
            "beliefs": [belief[lang] for belief in self.beliefs],
            "compiled": self.kernels,
            "gpu": self.gpu,
            "checks": [check.as_json(lang) for check in self.checks],
        }


def judge(
    problem: Problem,
    source: bytes,
    *,
    file: str = "",
    seed: int | None = None,
    examples_only: bool = False,
    shrink_seconds: float = SHRINK_SECONDS,
    diagnose_seconds: float = DIAGNOSE_SECONDS,
    progress: Callable[[int, int], None] = lambda done, total: None,
    children: Children | None = None,
    bank: Bank | None = None,
) -> Verdict:
    """Judge `source`, the bytes of an answer to `problem`.

    seed: of the hidden tests; without it the private pack's, or 0. shrink_seconds, diagnose_seconds: how long to look
    for a shorter failing run, and for mistakes that fail alike (for a kernel's A_KERNEL_TAKES times as long); 0 is not
    at all. progress(done, total) is called as programs pass. children: where to borrow a child that may be warm.
    bank: the problem's mistakes, where others have tried them before.
    """
    begun = time.perf_counter()
    seed = pack.seed(SEED) if seed is None else seed
    verdict = Verdict(problem, "AC", file=file, sha256=hashlib.sha256(source).hexdigest(), seed=seed)
    if missing := problem.missing():
        verdict.verdict, verdict.reason = "SKIPPED", ", ".join(missing)
        return verdict
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        verdict.verdict, verdict.reason = "CE", f"{error.start + 1} (0x{source[error.start]:02x})"
        verdict.checks = _checks(problem, examples_only)
        return verdict
    with borrowing(children) as children, kernel.interpreter(problem, children, examples_only) as child:
        driver = Driver(problem, text, child)
        verdict.sandbox, verdict.sandbox_reason = child.kind, child.why
        verdict.checks = _checks(problem, examples_only)
        failure = driver.load()
        if failure:
            verdict.verdict, verdict.reason = failure.verdict, failure.detail
            for check in verdict.checks:
                check.verdict, check.failure = failure.verdict, failure
        else:
            _run_checks(verdict, driver, seed, progress)
            _compile(verdict, driver, children)
            _explain(verdict, driver, bank, seed, shrink_seconds, diagnose_seconds)
    verdict.seconds = time.perf_counter() - begun
    return verdict


def failed(problem: Problem, error: Exception, file: str = "") -> Verdict:
    """The verdict where the judge itself failed. What a private test says is nobody's business, so it is not quoted."""
    said = "" if os.environ.get("JUDGE_PACK") and not isinstance(error, pack.BadPack) else f": {error}"
    return Verdict(problem, "IE", file=file, reason=f"{type(error).__name__}{said}")


def _checks(problem: Problem, examples_only: bool) -> list[Check]:
    checks = [Check("examples", {"en": "examples", "zh": "样例"}, True, EXAMPLE_POINTS)]
    if not examples_only:
        checks += [Check(g.name, g.title, False, g.points, hint=g.hint) for g in problem.groups]
    return checks


def _run_checks(verdict: Verdict, driver: Driver, seed: int, progress) -> None:
    problem = verdict.problem
    transcript = (problem.folder / "examples.txt").read_text(encoding="utf-8")
    batches = [(None, examples.read(transcript))]
    counts: Counter = Counter()
    if len(verdict.checks) > 1:
        batches += [(group, group.recorded(seed)) for group in problem.groups if not group.guard]
    calls = 40 if problem.kind == "kernel" else CALLS_IN_A_BATCH  # calls of a kernel take their time
    total, done = sum(len(programs) for _, programs in batches), 0
    for check, (group, programs) in zip(verdict.checks, batches, strict=False):
        check.verdict = "AC"
        for batch in in_batches(programs, calls):
            passed, failure = driver.run_batch(batch)
            done += passed
            progress(done, total)
            for program in batch[: passed + 1] if group else []:
                counts.update(program.counts, runs=1, calls=len(program.calls))
            if failure:
                check.verdict, check.failure = failure.verdict, failure
                break
        if check.verdict not in ("AC", "WA", "RE", "CE") or _gone(check.failure):
            break  # each such run costs seconds; the rest stays SKIPPED
    verdict.coverage = dict(sorted(counts.items()))
    if verdict.failed:
        verdict.verdict = verdict.failed[0].verdict


def _compile(verdict: Verdict, driver: Driver, children: Children) -> None:
    """Compile a kernel that does what it should; time one that is accepted, where there is a GPU."""
    groups = {group.name: group for group in verdict.problem.groups if group.guard}
    for check in verdict.checks:
        if check.name in groups and not verdict.failed:
            check.failure, verdict.kernels = kernel.check(groups[check.name], driver, children)
            check.verdict = verdict.verdict = check.failure.verdict if check.failure else "AC"
            if verdict.verdict == "AC":
                verdict.gpu = kernel_gpu.timed(groups[check.name], driver, children)


def _explain(
    verdict: Verdict, driver: Driver, bank: Bank | None, seed: int, shrink_seconds: float, diagnose_seconds: float
) -> None:
    """Make one failing run short, and say what it tells. One is what the learner reads; the others stay as found."""
    hidden = verdict.problem.groups if len(verdict.checks) > 1 else []
    groups = {group.name: group for group in hidden if not group.guard}
    check = next((c for c in verdict.failed if c.name in groups and c.failure.step >= 0), None)
    if check is None or check.verdict not in SHRINKABLE or driver.child.lost:
        return
    group = groups[check.name]
    if shrink_seconds > 0:
        check.failure = group.shrink(seed, check.failure, driver.run_each, shrink_seconds)
        check.verdict = check.failure.verdict
    failure = check.failure
    failure.flaky = any(not alike(failure, driver.run(failure.program)) for _ in range(AGAIN))
    failure.rule = failure.rule or group.explain(failure.state) or {}
    shown = verdict.shortest.failure  # another group's may be shorter still
    seconds = diagnose_seconds * (A_KERNEL_TAKES if verdict.problem.kind == "kernel" else 1)
    if seconds > 0 and shown.step >= 0 and not failure.flaky and not driver.child.lost:
        failures = [shown, *(other.failure for other in verdict.failed if other.failure is not shown)]
        passed = _passed(verdict, seed)
        verdict.beliefs = misconceptions(bank or Bank(verdict.problem), failures, passed, driver.child, seconds)
    verdict.verdict = verdict.failed[0].verdict


def _passed(verdict: Verdict, seed: int) -> list[Program]:
    """Some runs of each group that the answer gets right, the shortest."""
    passed = [check.name for check in verdict.checks if check.verdict == "AC"]
    groups = [group for group in verdict.problem.groups if group.name in passed and not group.guard]
    return [
        program
        for group in groups
        for program in sorted(group.recorded(seed), key=lambda program: len(program.calls))[:PASSED_OF_A_GROUP]
    ]


def _gone(failure: Failure | None) -> bool:
    return failure is not None and failure.why in ("gone", "total", "together")
