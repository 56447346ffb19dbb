"""What the judge says about whole submissions: to 127 as it is, and to a tiny problem where every part is in view."""

import dataclasses
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import RIGHT, WRONG
from rich.console import Console

from practice.judging import catalogue, show
from practice.judging.verdict import judge

HANDBOOK = catalogue.find("127")
NEVER_COPIES = HANDBOOK.folder / "wrong" / "never_copies.py"

IN_A_FRESH_PROCESS = """
import json, os, sys
from pathlib import Path
from practice.judging import catalogue
from practice.judging.verdict import judge

source = Path(sys.argv[1]).read_bytes()
found = judge(catalogue.find("127"), source)
heavy = [name for name in ("torch", "numpy", "matplotlib", "IPython", "rich", "typer") if name in sys.modules]
print(json.dumps(found.as_json("en") | {"heavy": heavy}))
"""


def judged_alone(file: Path, folder: Path) -> dict:
    command = [sys.executable, "-c", IN_A_FRESH_PROCESS, str(file)]
    environment = os.environ | {"PYTHONPATH": str(catalogue.ROOT)}
    said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert said.stderr == ""
    return json.loads(said.stdout)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The verdict on the worked answer to 127, reached in a fresh process."""
    folder = tmp_path_factory.mktemp("reference")
    (folder / "answer.py").write_text(HANDBOOK.reference())
    return judged_alone(folder / "answer.py", folder)


def test_the_worked_answer_to_127_is_accepted_with_all_points(reference):
    assert (reference["verdict"], reference["score"], reference["max_score"]) == ("AC", 100, 100)
    assert [check["score"] for check in reference["checks"]] == [10, 20, 25, 45]


def test_calls_that_are_slow_one_by_one_are_cut_off_when_their_time_together_is_up(double):
    """Not when their batch has ended; the learner sees where."""
    busy = (
        "import time\ndef double(x):\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n"
    )
    limited = dataclasses.replace(double, limits=double.limits | {"total_seconds": 1.0})
    found = judge(limited, (busy + "    return 2 * x\n").encode())
    [check] = found.failed
    assert (found.verdict, check.failure.why, check.failure.detail) == ("TLE", "together", "1.0")
    assert 0 < len(check.failure.steps) < len(check.failure.program.calls)


def test_the_hidden_tests_of_127_exercise_what_they_must(reference):
    seen = reference["coverage"]
    assert seen["calls"] >= 2000
    assert seen["copies_on_write"] >= 400
    assert seen["refused_appends"] >= 100
    assert seen["appends_onto_shared_full_block"] >= 50
    assert seen["runs_with_two_pools"] > 0
    assert seen["pools_of_1_to_64"] >= 64
    assert seen["pools_of_1000_or_more"] >= 1


def test_judging_127_loads_nothing_heavy(reference):
    assert reference["heavy"] == []


def test_an_answer_that_never_copies_is_shown_a_short_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = judge(HANDBOOK, NEVER_COPIES.read_bytes(), shrink_seconds=20)
    assert found.verdict == "WA"
    assert [(check.name, check.verdict) for check in found.failed] == [("examples", "WA"), ("sharing", "WA")]
    for check in found.failed:
        assert 1 <= len(check.failure.steps) <= 6
        assert check.failure.expected.keys() == check.failure.got.keys() != set()
    assert list(tmp_path.iterdir()) == []  # nothing is left where the learner stands


def test_the_starter_of_127_is_not_accepted():
    found = judge(HANDBOOK, HANDBOOK.starter.encode())
    assert (found.verdict, found.score) == ("RE", 0)


def test_debug_prints_do_no_harm():
    chatty = HANDBOOK.reference().replace(
        "    def append(self, n: int) -> None:",
        "    def append(self, n: int) -> None:\n        print('append', n, self.block_table, self.pool.ref_cnt[:64])",
    )
    assert "print(" in chatty
    assert judge(HANDBOOK, chatty.encode()).verdict == "AC"


# a problem in full view


def test_points_are_given_by_group(double):
    found = judge(double, WRONG.encode())
    assert (found.verdict, found.score, found.max_score) == ("WA", 40, 100)
    assert [(check.name, check.verdict, check.score) for check in found.checks] == [
        ("examples", "AC", 10),
        ("small", "AC", 30),
        ("large", "WA", 0),
    ]


def test_the_visible_examples_alone(double):
    found = judge(double, WRONG.encode(), examples_only=True)
    assert (found.verdict, found.score, found.max_score) == ("AC", 10, 10)


def test_the_shortest_failing_run_is_shown_with_what_was_due(double):
    found = judge(double, WRONG.encode())
    failure = found.shortest.failure
    assert failure.steps == ["double(1000)"]
    assert (failure.expected, failure.got) == ({"result": 2000}, {"result": 1000})


def test_coverage_counts_the_hidden_runs(double):
    found = judge(double, RIGHT.encode())
    steps = [len(program.calls) for group in double.groups for program in group.recorded(0)]
    small = sum(len(program.calls) for program in double.groups[0].recorded(0))
    assert found.coverage == {"calls": sum(steps), "runs": 8, "small": small}


def test_what_is_printed_is_limited_for_each_run_not_for_some_runs_together(double):
    """However many runs the judge plays in one process."""
    runs = [len(program.calls) for group in double.groups for program in group.recorded(0)]
    size = double.limits["printed_bytes"] // (max(runs) + 1)
    assert size * sum(runs[:4]) > double.limits["printed_bytes"]
    chatty = f"def double(x):\n    print('x' * {size})\n    return 2 * x\n"
    assert judge(double, chatty.encode()).verdict == "AC"


def test_memory_is_limited_for_each_run_not_for_some_runs_together(double):
    """A table of 90 MB, laid out when the file is loaded, is well below the limit of 256 MB."""
    heavy = "TABLE = bytearray(90 << 20)\nTABLE[::4096] = b'x' * len(TABLE[::4096])\n" + RIGHT
    assert judge(double, heavy.encode()).verdict == "AC"


def test_a_huge_value_is_shown_in_part(double):
    """On a terminal, in a notebook and in JSON: what differs must be found, not scrolled past."""
    source = "def double(x):\n    return list(range(x, x + 100_000))\n"
    found = judge(double, source.encode())
    assert found.verdict == "WA"
    assert len(json.dumps(found.as_json("en"))) < 20_000
    console = Console(file=io.StringIO(), width=100)
    console.print(show.verdict_card(found, "en"))
    assert len(console.file.getvalue()) < 20_000


def test_another_seed_is_another_set_of_runs(double):
    coverage = [judge(double, RIGHT.encode(), seed=seed).coverage["calls"] for seed in range(4)]
    assert len(set(coverage)) > 1


def test_progress_is_told_up_to_the_end(double):
    told = []
    judge(double, RIGHT.encode(), progress=lambda done, total: told.append((done, total)))
    done, totals = zip(*told, strict=True)
    assert set(totals) == {10}  # two examples, two groups of four
    assert list(done) == sorted(done) and done[-1] == 10


def test_a_byte_order_mark_is_no_mistake(double):
    assert judge(double, b"\xef\xbb\xbf" + RIGHT.encode()).verdict == "AC"


def test_windows_line_ends_are_no_mistake(double):
    assert judge(double, RIGHT.replace("\n", "\r\n").encode()).verdict == "AC"


def test_a_problem_that_needs_what_is_not_there_is_skipped(double):

    found = judge(dataclasses.replace(double, requires=["no_such_module"]), RIGHT.encode())
    assert (found.verdict, found.exit_status, found.reason) == ("SKIPPED", 4, "no_such_module")


def test_an_answer_that_differs_between_identical_runs_is_wrong(double):
    flaky = "import os\ndef double(x):\n    return 2 * x + (x >= 1000 and os.urandom(1)[0] < 128)\n"
    verdicts = {judge(double, flaky.encode(), shrink_seconds=0.2).verdict for _ in range(4)}
    assert verdicts == {"WA"}


@pytest.mark.slow
def test_a_flaky_copy_on_write_is_caught_again_and_again():
    """One copy in fifty is skipped at random: 50 judgements, none accepted."""
    source = (HANDBOOK.folder / "wrong" / "copy_now_and_then_skipped.py").read_bytes()
    verdicts = [judge(HANDBOOK, source, seed=seed, shrink_seconds=0).verdict for seed in [*range(25), *[0] * 25]]
    assert verdicts == ["WA"] * 50


@pytest.mark.slow
def test_the_worked_answer_is_accepted_under_many_seeds():
    source = HANDBOOK.reference().encode()
    assert {judge(HANDBOOK, source, seed=seed).verdict for seed in range(1, 21)} == {"AC"}


@pytest.mark.slow
def test_never_copying_is_a_short_run_under_every_seed():
    for seed in range(10):
        found = judge(HANDBOOK, NEVER_COPIES.read_bytes(), seed=seed, shrink_seconds=20)
        assert found.verdict == "WA"
        assert len(found.shortest.failure.steps) <= 6, seed


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a folder that nobody can write to, root included")
def test_nothing_needs_to_be_written_where_the_learner_stands(double, monkeypatch):
    monkeypatch.chdir("/proc")
    assert judge(double, WRONG.encode()).verdict == "WA"


def test_a_failure_that_tells_something_goes_before_one_that_took_too_long():
    """All runs together took too long, but one group's exception says why."""
    from practice.judging.failure import Failure
    from practice.judging.program import Call, Program
    from practice.judging.verdict import Check, Verdict

    title = {"en": "x", "zh": "x"}
    one, two = (Program([Call(None, None, "f", [1])] * number) for number in (1, 2))
    telling = Check("telling", title, False, 10, "RE", Failure("RE", 1, two, {"result": 1}, {"result": 2}))
    for failure in (Failure("TLE", why="total", detail="10.0"), Failure("TLE", 0, one, why="together", detail="10.0")):
        slow = Check("slow", title, False, 10, "TLE", failure)
        assert Verdict(HANDBOOK, "TLE", [slow, telling]).shortest is telling
        assert Verdict(HANDBOOK, "TLE", [slow]).shortest is slow
