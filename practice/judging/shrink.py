"""Making a failing run short: the fewest calls first, then the simplest choices, then small numbers.

Candidates are played many to a fork, because a fork costs as much as some hundred calls; what still fails is then
tried together. Hypothesis would shrink too, but one run after the other, and the learner waits.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations

from practice.judging.failure import Failure
from practice.judging.plan import Plan
from practice.judging.program import Program, in_batches

Play = Callable[[list[Program]], list[Failure | None] | None]
FEW_STEPS = 12
MOST_DEATHS = 2  # each takes as long as a call may


@dataclass(frozen=True)
class Edit:
    """A change of a plan: steps by place, where None leaves one out, and choices by name."""

    steps: dict = field(default_factory=dict)
    choices: dict = field(default_factory=dict)

    def __or__(self, other: "Edit") -> "Edit":
        return Edit(self.steps | other.steps, self.choices | other.choices)

    def apply(self, plan: Plan) -> Plan:
        ops = [self.steps.get(place, op) for place, op in enumerate(plan.ops)]
        return Plan(plan.choices | self.choices, [op for op in ops if op])


class Shrinker:
    """Looks for a shorter failing run than `failure`, which came of `plan`, for at most `seconds`.

    program: what a plan stands for. play: the failure of each program, or None when their fork died. choices: the
    values of each choice, the simplest first.
    """

    def __init__(
        self,
        plan: Plan,
        failure: Failure,
        program: Callable[[Plan], Program],
        play: Play,
        choices: dict[str, list],
        seconds: float,
    ):
        self.plan, self.failure = plan, failure
        self._program, self._play, self._choices = program, play, choices
        self._deadline, self._deaths = time.monotonic() + seconds, 0
        self._tried = {_name(plan)}

    def shortest(self, others: list[Plan]) -> Failure:
        """others: plans that may fail as well, and in fewer calls."""
        self._take(self._failing(others))
        while self._drop_steps() | self._choose_simply() | self._lower("pick") | self._lower("amount"):
            pass
        return self.failure

    def _drop_steps(self) -> bool:
        shorter, size = False, max(1, len(self.plan.ops) // 2)
        while size:
            starts = range(0, len(self.plan.ops), size)
            if self._try([Edit(dict.fromkeys(range(start, start + size))) for start in starts]):
                shorter = True
            else:
                size //= 2
        return shorter or self._drop_pairs()

    def _drop_pairs(self) -> bool:
        """Two steps that need each other, such as giving back what was taken, go together or not at all."""
        if len(self.plan.ops) > FEW_STEPS:
            return False
        return self._try([Edit(dict.fromkeys(pair)) for pair in combinations(range(len(self.plan.ops)), 2)])

    def _choose_simply(self) -> bool:
        edits = []
        for name, values in self._choices.items():
            earlier = values[: _place(values, self.plan.choices[name])]
            edits += [Edit(choices={name: value}) for value in reversed(earlier)]
        return self._try(edits)

    def _lower(self, number: str) -> bool:
        edits = []
        for place, op in enumerate(self.plan.ops):
            now = getattr(op, number)
            lower = {0, now // 2, now * 7 // 8, now - 1} & set(range(now))
            edits += [Edit({place: replace(op, **{number: value})}) for value in sorted(lower, reverse=True)]
        return self._try(edits)

    def _try(self, edits: list[Edit]) -> bool:
        """Try every edit by itself, then those that make it better one on top of the other. Whether any does."""
        plan, size = self.plan, self._size(self.plan, self.failure)
        found = {_name(better): (better, way) for better, way in self._failing([edit.apply(plan) for edit in edits])}
        found = {name: way for name, way in found.items() if self._size(*way) < size}
        together, merged = [], Edit()
        for edit in edits:
            if _name(edit.apply(plan)) in found:
                merged |= edit
                together.append(merged.apply(plan))
        self._take([*found.values(), *self._failing(together)])
        return bool(found)

    def _take(self, found: list[tuple[Plan, Failure]]) -> None:
        best = min(found, key=lambda way: self._size(*way), default=None)
        if best and self._size(*best) < self._size(self.plan, self.failure):
            self.plan, self.failure = best

    def _failing(self, candidates: list[Plan]) -> list[tuple[Plan, Failure]]:
        """Those of the candidates that fail, as far as there is time; none is played twice."""
        fresh = {_name(plan): plan for plan in candidates if _name(plan) not in self._tried}
        self._tried |= fresh.keys()
        runs = [(plan, program) for plan in fresh.values() if (program := self._run(plan))]
        waiting, found = (plan for plan, _ in runs), []
        for programs in in_batches(program for _, program in runs):
            if time.monotonic() > self._deadline or self._deaths >= MOST_DEATHS:
                break
            ways = self._play(programs)
            if ways is None:
                self._deaths += 1
            some = [next(waiting) for _ in programs]
            found += [(plan, way) for plan, way in zip(some, ways or [], strict=False) if way and way.program]
        return found

    def _run(self, plan: Plan) -> Program | None:
        """What the plan stands for; None where the problem knows no such run, as steps may not fit other choices."""
        try:
            return self._program(plan)
        except Exception:
            return None

    def _size(self, plan: Plan, failure: Failure) -> tuple:
        choices = [_place(values, plan.choices[name]) for name, values in self._choices.items()]
        numbers = sum(op.pick + op.amount for op in plan.ops)
        return failure.num_calls, len(plan.ops), sum(choices), numbers


def _place(values: list, value) -> int:
    return values.index(value) if value in values else len(values)


def _name(plan: Plan) -> tuple:
    return tuple(plan.choices.items()), tuple(plan.ops)
