"""A child that is kept warm serves one answer after the other, and no answer finds a trace of the one before."""

import dataclasses
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from house import RIGHT, WRONG

from practice.judging.verdict import judge
from practice.judging.warm import Children


@pytest.fixture
def children():
    kept = Children()
    yield kept
    kept.close()


def waiting(children) -> list:
    return [child for some in children._waiting.values() for child in some]


def verdicts(double, children, *sources) -> list[str]:
    return [judge(double, source.encode(), shrink_seconds=0.2, children=children).verdict for source in sources]


def test_one_child_serves_many_answers(double, children):
    assert verdicts(double, children, RIGHT, WRONG, "def double(x:", RIGHT) == ["AC", "WA", "CE", "AC"]
    assert len(waiting(children)) == 1


def test_an_answer_leaves_nothing_for_the_next(double, children):
    source = (
        "import math, os, sys\nassert not hasattr(math, 'trace') and not os.path.exists('trace')\n"
        "assert 'TRACE' not in os.environ and 'trace' not in sys.modules\n" + RIGHT
    )
    leaves = (
        "import math, os, sys\nmath.trace = 1\nopen('trace', 'w').close()\nos.environ['TRACE'] = '1'\n"
        "sys.modules['trace'] = math\n" + RIGHT
    )
    assert verdicts(double, children, leaves, source) == ["AC", "AC"]


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("import os\ndef double(x): os.kill(os.getppid(), 9)\n", "RE"),
        ("import os\ndef double(x): os._exit(0)\n", "RE"),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))\n", "MLE"),
    ],
    ids=["kills the first process", "leaves", "memory"],
)
def test_after_a_death_the_next_answer_is_judged_as_ever(double, children, source, verdict):
    assert verdicts(double, children, source, RIGHT) == [verdict, "AC"]


def test_an_answer_that_kills_the_first_process_now_and_then_is_no_fault_of_the_judge(double):
    """While a failing run is made shorter, too."""
    source = "import os\ndef double(x):\n    os.urandom(1)[0] < 6 and os.kill(os.getppid(), 9)\n    return x\n"
    assert {judge(double, source.encode(), shrink_seconds=0.3).verdict for _ in range(6)} <= {"WA", "RE"}


def test_a_child_that_died_while_it_waited_is_replaced(double, children):
    verdicts(double, children, RIGHT)
    [child] = waiting(children)
    os.kill(child.process.pid, signal.SIGKILL)
    time.sleep(0.05)
    assert verdicts(double, children, RIGHT) == ["AC"]


def test_closing_ends_those_that_wait(double, children):
    verdicts(double, children, RIGHT)
    [child] = waiting(children)
    children.close()
    assert child.process.returncode is not None
    assert waiting(children) == []


def test_an_error_of_the_judge_does_not_keep_the_child(double, children):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(double, RIGHT.encode(), children=children, progress=stop)
    assert waiting(children) == []


def test_without_keeping_nobody_waits(double):
    children = Children(keep=False)
    verdicts(double, children, RIGHT)
    assert waiting(children) == []


def test_other_limits_are_another_child(double, children):
    tighter = dataclasses.replace(double, limits=double.limits | {"memory_mb": 128})
    assert verdicts(double, children, RIGHT) + verdicts(tighter, children, RIGHT) == ["AC", "AC"]
    assert len(waiting(children)) == 2


@pytest.mark.needs("bubblewrap")
def test_an_answer_cannot_write_into_the_process_that_judges_the_next(double, children, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", "bubblewrap")
    source = "import os\ndef double(x):\n    open(f'/proc/{os.getppid()}/mem', 'r+b')\n    return 2 * x\n"
    found = judge(double, source.encode(), shrink_seconds=0, children=children)
    assert "PermissionError" in repr(found.failed[0].failure.got["result"])
    assert verdicts(double, children, RIGHT) == ["AC"]


def test_a_child_outlives_the_thread_that_asked_for_it(double, children):
    """bubblewrap would end it with the thread that started it."""
    for _ in range(3):
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda _: judge(double, RIGHT.encode(), children=children).verdict, range(4)))
        assert found == ["AC"] * 4
    assert all(child.process.poll() is None for child in waiting(children))
