"""Hidden tests: the same seed gives the same programs everywhere, and a failing run only ever gets shorter."""

import functools
import itertools
import os
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from practice.judging import Group, Op, Plan, catalogue, plans
from practice.judging.difference import difference
from practice.judging.failure import Failure

FINGERPRINT = """
import hashlib, sys
sys.path[:0] = sys.argv[3:]
if sys.argv[3:]:
    import learner
from practice.judging import catalogue

digest = hashlib.sha256()
for group in catalogue.find(sys.argv[1]).groups:
    for program in group.recorded(int(sys.argv[2])):
        for call in program.calls:
            digest.update(str(call).encode() + call.row)
print(digest.hexdigest())
"""


@functools.cache
def fingerprint(number: str, seed: int, *folders, **environment) -> str:
    """Of all hidden programs of a problem and what they expect, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", FINGERPRINT, number, str(seed), *map(str, folders)],
        cwd=catalogue.ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_programs_are_the_same_in_every_process():
    assert fingerprint("127", 0, PYTHONHASHSEED="1", CI="1") == fingerprint("127", 0)


def test_programs_do_not_depend_on_what_else_is_imported(tmp_path):
    """A notebook has modules of its own; Hypothesis likes to draw constants that it finds in them."""
    constants = [bytes([n % 251 + 1]) * n for n in range(18, 90) for _ in range(3)]
    (tmp_path / "learner.py").write_text(f"CONSTANTS = {constants}\n")
    assert fingerprint("127", 0, tmp_path) == fingerprint("127", 0)


def test_another_seed_gives_other_programs():
    group = catalogue.find("127").groups[0]
    assert [str(p.calls) for p in group.recorded(0)] != [str(p.calls) for p in group.recorded(1)]


def test_programs_are_recorded_once():
    group = catalogue.find("127").groups[0]
    assert group.recorded(0) is group.recorded(0)


def test_threads_that_ask_at_once_get_the_same_programs():
    sums, barrier = group(), threading.Barrier(4)

    def ask(_):
        barrier.wait()
        return sums.recorded(0)

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(ask, range(4))
    assert all(other is first for other in others)


def decode(data: bytes) -> list[Op]:
    """The steps that these drawn bytes stand for, by kinds with the weights 1, 3 and 6."""
    drawn = []
    with mock.patch("practice.judging.plan.st.binary", lambda **sizes: st.just(data)):
        allowed = plans({"rare": 1, "usual": 3, "frequent": 6}, (0, 300))
    settings(max_examples=1, database=None)(given(allowed.strategy)(lambda plan: drawn.append(plan)))()
    return drawn[0].ops


EVERY_KIND_BYTE = bytes(number for byte in range(1, 256) for number in (byte, 0, 0))


def test_zero_bytes_are_no_steps():
    assert decode(bytes(30)) == []
    assert decode(bytes([0, 9, 9, 1, 4, 5, 0, 9, 9])) == [Op("rare", 4, 5)]


def test_what_is_left_of_a_step_is_no_step():
    assert decode(bytes([255, 1])) == []
    assert decode(bytes([255, 1, 2, 255, 7])) == [Op("frequent", 1, 2)]


def test_every_other_byte_is_a_step_of_a_kind_as_often_as_its_weight_says():
    kinds = Counter(op.kind for op in decode(EVERY_KIND_BYTE))
    assert sum(kinds.values()) == 255
    assert kinds["rare"] == pytest.approx(255 * 1 / 10, abs=1)
    assert kinds["usual"] == pytest.approx(255 * 3 / 10, abs=1)
    assert kinds["frequent"] == pytest.approx(255 * 6 / 10, abs=1)


def test_smaller_bytes_are_earlier_kinds():
    """So that Hypothesis, which makes bytes smaller, moves towards the kinds named first."""
    kinds = [op.kind for op in decode(EVERY_KIND_BYTE)]
    assert kinds == sorted(kinds, key=["rare", "usual", "frequent"].index)


@given(plans({"a": 1, "b": 2}, (2, 5), size=[8, 4], block=[1, 2, 3]).strategy)
@settings(max_examples=100, phases=[Phase.generate])
def test_plans_have_their_choices_and_at_most_so_many_steps(plan):
    assert plan.size in (8, 4) and plan.block in (1, 2, 3)
    assert len(plan.ops) <= 5
    assert all(op.kind in "ab" and 0 <= op.pick <= 255 and 0 <= op.amount <= 255 for op in plan.ops)


def test_a_plan_has_no_other_attributes():
    with pytest.raises(AttributeError):
        _ = Plan({"size": 8}, []).sise


# a group of its own, whose answers can be wrong in known ways


def play(answer, plan):
    for op in plan.ops:
        answer.add(op.pick, op.amount)


def group(**more) -> Group:
    return Group(
        **{
            "name": "sums",
            "title": {"en": "sums", "zh": "和"},
            "points": 90,
            "plans": plans({"any": 1}, (4, 12)),
            "play": play,
            "oracle": SimpleNamespace(add=lambda a, b: a + b),
            "programs": 30,
        }
        | more
    )


def answering(add):
    """How an answer with this `add` would do: run(program) → Failure or None."""
    import msgspec

    from practice.judging.failure import Note
    from practice.judging.wire import pack

    def run(program):
        for number, call in enumerate(program.calls):
            row = msgspec.json.encode(["ok", pack(add(*call.args)), []])
            if failure := difference(program, number, row, Note()):
                return failure
        return None

    return run


def first_failure(sums: Group, run) -> Failure:
    return next(failure for program in sums.recorded(0) if (failure := run(program)))


def each(run):
    """How a driver would play several programs."""
    return lambda programs: [run(program) for program in programs]


def test_a_failing_run_shrinks_to_the_one_call_that_matters():
    sums, run = group(), answering(lambda a, b: a + b if a < 100 else 0)
    shortest = sums.shrink(0, first_failure(sums, run), each(run), seconds=20)
    assert shortest.steps == ["add(100, 0)"]
    assert shortest.verdict == "WA"


def test_two_steps_that_need_each_other_are_left_out_together():
    """The sum of all calls so far may go wrong only after an even number of calls with an odd second number."""
    parity = itertools.count()

    def run(program):
        odd = sum(call.args[1] % 2 for call in program.calls[:-1])
        bad = len(program.calls) >= 2 and odd % 2 == 0 and program.calls[-1].args[0] > 9
        return Failure("WA", len(program.calls) - 1, program, {"result": 0}, {"result": next(parity)}) if bad else None

    sums = group()
    shortest = sums.shrink(0, first_failure(sums, run), each(run), seconds=20)
    assert shortest.steps == ["add(0, 0)", "add(10, 0)"]


def test_choices_shrink_to_the_simplest_that_still_fails():
    sized = group(
        plans=plans({"any": 1}, (1, 4), size=[8, 16, 4, 32]),
        play=lambda answer, plan: [answer.add(plan.size, op.amount) for op in plan.ops],
    )
    run = answering(lambda a, b: a + b if a < 16 else 0)
    assert sized.shrink(0, first_failure(sized, run), each(run), seconds=20).steps == ["add(16, 0)"]


@pytest.mark.parametrize("seconds", [0.0, 0.02, 2.0])
@pytest.mark.parametrize("every", [1, 2, 7])
@pytest.mark.parametrize("limit", [1, 128, 240])
def test_shrinking_never_gives_a_longer_run(limit, every, seconds):
    calls = itertools.count()

    def add(a, b):
        return a + b if a < limit or next(calls) % every else -1  # flaky when every > 1

    sums, run = group(), answering(add)
    found = first_failure(sums, run)
    best = sums.shrink(0, found, each(run), seconds)
    assert best is found or 1 <= len(best.steps) <= len(found.steps)
    assert best.expected != best.got


def test_without_time_the_failure_stays_as_it_was_found():
    sums, run = group(), answering(lambda a, b: 0)
    found = first_failure(sums, run)
    assert sums.shrink(0, found, each(run), seconds=-1) is found


def test_a_plan_that_is_no_run_is_passed_over():
    """Steps of `always` need not fit any other choice."""

    def play(answer, plan):
        if plan.size < 16:
            raise IndexError("no such run")
        answer.add(plan.size, 7)

    chosen = group(plans=plans({"any": 1}, (1, 2), size=[16, 8]), play=play)
    chosen._plans[0] = [Plan({"size": 32}, [Op("any", 7, 7)] * 3)]
    chosen._recorded[0] = [chosen.program(plan) for plan in chosen._plans[0]]
    run = answering(lambda a, b: 0)
    assert chosen.shrink(0, run(chosen.recorded(0)[-1]), each(run), seconds=5).steps == ["add(16, 7)"]


def test_shrinking_stops_after_two_forks_that_die():
    """Each costs as long as a call may take."""
    sums, wrong = group(), answering(lambda a, b: 0)
    found, forks = first_failure(sums, wrong), []
    assert sums.shrink(0, found, lambda programs: forks.append(programs), seconds=5) is found
    assert len(forks) == 2


def test_shrinking_prefers_no_failure_without_a_run_to_show():
    sums, wrong = group(), answering(lambda a, b: 0)
    found = first_failure(sums, wrong)
    best = sums.shrink(0, found, each(lambda program: Failure("RE", why="import", detail="no")), seconds=5)
    assert best is found


def test_hypothesis_leaves_nothing_behind_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sums, run = group(), answering(lambda a, b: 0)
    sums.shrink(0, first_failure(sums, run), each(run), seconds=1)
    assert list(tmp_path.iterdir()) == []


def test_drawing_says_nothing(capfd):
    sums, run = group(), answering(lambda a, b: 0)
    sums.shrink(0, first_failure(sums, run), each(run), seconds=1)
    assert capfd.readouterr() == ("", "")
