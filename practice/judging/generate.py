"""Hidden tests: Hypothesis draws plans, a problem's `play` turns each into a program, failures are made short.

A group is recorded once per process, with the expected results, and replayed to every answer; Hypothesis goes to work
again only after a failure. It then draws the same plans from the same seed and shrinks the one that fails.
"""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers

from practice.judging.drive import LIMITS, Failure
from practice.judging.program import Fields, Program, Recorder

providers._get_local_constants = providers.Constants  # the same programs whatever modules are loaded
set_hypothesis_home_dir(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"judge-hypothesis-{os.getuid()}"))


MOST_RUNS_WITHOUT = 90  # a third of a second; on a busy machine it may take longer, and is worth it
MOST_SECONDS_WITHOUT = 2.5


@dataclass(frozen=True)
class Op:
    """One step of a plan: what to do, and two numbers (0–255) to choose with. Small numbers are the simple choices."""

    kind: str
    pick: int
    amount: int


@dataclass(frozen=True)
class Plan:
    """A drawn run: named choices as attributes (`plan.block_size`) and the steps in `ops`."""

    choices: dict
    ops: list[Op]

    def __getattr__(self, name: str):
        try:
            return self.choices[name]
        except KeyError:
            raise AttributeError(name) from None


def plans(kinds: dict[str, int], steps: tuple[int, int], **choices: list) -> st.SearchStrategy[Plan]:
    """Plans of `steps` = (fewest, most) steps; kinds: kind → how often; choices: name → values, the simplest first.

    A run is drawn in one piece, as bytes: far cheaper than a draw per step. A zero byte of kind is no step at all, so
    that Hypothesis makes a run shorter by making bytes smaller.
    """
    wheel = [kind for kind, weight in kinds.items() for _ in range(weight)]

    def decode(drawn) -> Plan:
        values, data = drawn
        ops = [
            Op(wheel[(data[i] - 1) * len(wheel) // 255], data[i + 1], data[i + 2])
            for i in range(0, len(data) - 2, 3)
            if data[i]
        ]
        return Plan(dict(zip(choices, values, strict=True)), ops)

    values = st.tuples(*map(st.sampled_from, choices.values()))
    return st.tuples(values, st.binary(min_size=3 * steps[0], max_size=3 * steps[1])).map(decode)


@dataclass
class Group:
    """A group of hidden tests, worth `points` together: `programs` runs drawn from `plans`, then those of `always`.

    play: turns a plan into calls. oracle, watch, names: see Recorder. explain: the rule that a state, given as
    {"pool.ref_cnt": …}, breaks, in words of both languages, or None. hint: where to read on.
    """

    name: str
    title: dict[str, str]
    points: int
    plans: st.SearchStrategy
    play: Callable[[Recorder, Plan], None]
    oracle: object
    watch: Fields = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    programs: int = 40
    always: list[Plan] = field(default_factory=list)
    hint: dict[str, str] = field(default_factory=dict)
    explain: Callable[[dict], dict[str, str] | None] = lambda state: None
    _recorded: dict[int, list[Program]] = field(default_factory=dict)
    _plans: dict[int, list[Plan]] = field(default_factory=dict)

    def program(self, plan: Plan) -> Program:
        recorder = Recorder(self.oracle, self.watch, self.names)
        self.play(recorder, plan)
        return recorder.program

    def recorded(self, number: int) -> list[Program]:
        """The group's programs for a seed; drawn once in a process."""
        if number not in self._recorded:
            drawn: list[Plan] = []
            self._draw(number, [Phase.generate], lambda plan: drawn.append(plan))
            self._plans[number] = drawn + self.always
            self._recorded[number] = [self.program(plan) for plan in self._plans[number]]
        return self._recorded[number]

    def _draw(self, number: int, phases: list[Phase], test: Callable[[Plan], None]) -> None:
        options = settings(
            max_examples=self.programs,
            phases=phases,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )
        seed(number)(options(given(self.plans)(test)))()

    def shrink(
        self, number: int, failure: Failure, run: Callable[[Program], Failure | None], seconds: float
    ) -> Failure:
        """The shortest failing run found in `seconds`: first by leaving out steps of the plan, then by Hypothesis.

        number: the seed that gave the failure. run: plays a program to the answer.
        """
        programs = self.recorded(number)
        known = next(n for n, program in enumerate(programs) if program is failure.program)
        if seconds <= 0:
            return failure
        best, plan = failure, self._plans[number][known]
        for other in range(len(programs) - len(self.always), len(programs), 8):  # those of `always` are short
            found = run(programs[other])
            if found and found.program and found.verdict not in LIMITS and len(found.steps) < len(best.steps):
                best, plan, known = found, self._plans[number][other], other
        best, alive = self._without_steps(plan, best, run)
        if not alive or known >= len(programs) - len(self.always):
            return best  # one of `always`: not drawn
        drawn, deadline = 0, time.monotonic() + seconds

        def test(plan: Plan) -> None:
            nonlocal best, drawn
            drawn += 1
            if drawn <= known:
                return  # it passed a moment ago
            if time.monotonic() > deadline:
                raise OutOfTime
            found = run(self.program(plan))
            if found is None:
                return
            if found.verdict in LIMITS or found.program is None:
                raise OutOfTime
            if len(found.steps) <= len(best.steps):
                best = found
            raise AssertionError

        with contextlib.suppress(AssertionError, OutOfTime, Flaky):
            self._draw(number, [Phase.generate, Phase.shrink], test)
        return best

    def _without_steps(self, plan: Plan, failure: Failure, run) -> tuple[Failure, bool]:
        """Leave out steps that the failure does not need: halves first, single ones last; False once a run dies."""
        best, ops, size = failure, plan.ops, max(1, len(plan.ops) // 2)
        deadline, runs = time.monotonic() + MOST_SECONDS_WITHOUT, 0
        while size:
            start = 0
            while start < len(ops) and runs < MOST_RUNS_WITHOUT and time.monotonic() < deadline:
                runs += 1
                fewer = ops[:start] + ops[start + size :]
                found = run(self.program(Plan(plan.choices, fewer)))
                if found and (found.verdict in LIMITS or found.program is None):
                    return best, False  # it would take too long to repeat
                if found and len(found.steps) <= len(best.steps):
                    best, ops = (found if len(found.steps) < len(best.steps) else best), fewer
                else:
                    start += size
            size //= 2
        return best, True


class OutOfTime(BaseException):
    """Ends Hypothesis's search: the time for it is up, or a run died and would take too long to repeat."""
