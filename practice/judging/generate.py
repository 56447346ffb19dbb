"""Hidden tests: Hypothesis draws plans, a problem's `play` turns each into a program, failures are made short.

A group is recorded once per process, with the expected results, and replayed to every answer.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.internal.conjecture import providers

from practice.judging.failure import Failure
from practice.judging.plan import Plan, Plans
from practice.judging.program import Fields, Program, Recorder
from practice.judging.shrink import Play, Shrinker

providers._get_local_constants = providers.Constants  # the same programs whatever modules are loaded
set_hypothesis_home_dir(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"judge-hypothesis-{os.getuid()}"))

RECORDING = threading.Lock()  # one thread draws, the others find what it has drawn
FEW = 24  # of the other runs, the shortest, are tried too when a failing one is made short


@dataclass
class Group:
    """A group of hidden tests, worth `points` together: `programs` runs drawn from `plans`, then those of `always`.

    play: turns a plan into calls. oracle, watch, names, uses_up: see Recorder. explain: the rule that a state, given as
    {"pool.ref_cnt": …}, breaks, in words of both languages, or None. hint: where to read on. guard: the module that
    makes the calls, where it is not the problem's own, see kernel.py. arrays: answers work on numpy, without torch.
    """

    name: str
    title: dict[str, str]
    points: int
    plans: Plans
    play: Callable[[Recorder, Plan], None]
    oracle: object
    watch: Fields = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    uses_up: tuple[str, ...] = ()
    programs: int = 40
    always: list[Plan] = field(default_factory=list)
    hint: dict[str, str] = field(default_factory=dict)
    explain: Callable[[dict], dict[str, str] | None] = lambda state: None
    guard: str = ""
    arrays: bool = False
    _recorded: dict[int, list[Program]] = field(default_factory=dict)
    _plans: dict[int, list[Plan]] = field(default_factory=dict)

    def program(self, plan: Plan) -> Program:
        recorder = Recorder(self.oracle, self.watch, self.names, self.uses_up, self.arrays)
        self.play(recorder, plan)
        return recorder.program

    def recorded(self, number: int) -> list[Program]:
        """The group's programs for a seed; drawn once in a process."""
        with RECORDING:
            self._record(number)
        return self._recorded[number]

    def _record(self, number: int) -> None:
        if number not in self._recorded:
            self._plans[number] = self.drawn(number) + self.always
            self._recorded[number] = [self.program(plan) for plan in self._plans[number]]

    def drawn(self, number: int) -> list[Plan]:
        """The plans that Hypothesis draws for a seed."""
        drawn: list[Plan] = []
        if not self.programs:
            return drawn
        options = settings(
            max_examples=self.programs,
            phases=[Phase.generate],
            deadline=None,
            database=None,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )
        seed(number)(options(given(self.plans.strategy)(lambda plan: drawn.append(plan))))()
        return drawn

    def shrink(self, number: int, failure: Failure, play: Play, seconds: float) -> Failure:
        """The shortest failing run found in `seconds`. number: the seed that gave the failure; play: see Shrinker."""
        programs = self.recorded(number)
        known = next(n for n, program in enumerate(programs) if program is failure.program)
        plans = self._plans[number]
        later = sorted(range(known + 1, len(plans)), key=lambda n: len(programs[n].calls))
        shrinker = Shrinker(plans[known], failure, self.program, play, self.plans.choices, seconds)
        return shrinker.shortest([plans[n] for n in later[:FEW]])
