"""No hostile submission is accepted, each gets a verdict within its limits, and the machine is as it was before."""

import dataclasses
import os
import time
from pathlib import Path

import pytest
from attacks import ATTACKS, FILES, NEEDS_A_SANDBOX, STUB, at_import, in_method

from practice.judging import catalogue
from practice.judging.verdict import judge

MARKS = {"bubblewrap": pytest.mark.needs("bubblewrap"), "plain": pytest.mark.slow}


def in_both_modes(names, only_in_a_sandbox=frozenset()):
    """Parameters (mode, name): everything in the sandbox, and without it what can be stopped there."""
    pairs = [("bubblewrap", name) for name in names]
    pairs += [("plain", name) for name in names if name not in only_in_a_sandbox]
    return pytest.mark.parametrize(
        ("mode", "name"), [pytest.param(mode, name, marks=MARKS[mode]) for mode, name in pairs]
    )


def judged(source: str | bytes):
    source = source.encode() if isinstance(source, str) else source
    problem = catalogue.find("127")
    shorter = dataclasses.replace(problem, limits=problem.limits | {"total_seconds": 3.0})
    return judge(shorter, source, shrink_seconds=0.2)


@in_both_modes(ATTACKS, NEEDS_A_SANDBOX)
def test_a_hostile_submission_is_not_accepted(mode, name, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", mode)
    source, allowed = ATTACKS[name]
    begun = time.monotonic()
    verdict = judged(source)
    assert verdict.sandbox == mode
    assert verdict.verdict in allowed, (verdict.verdict, verdict.failed)
    assert verdict.exit_status == 1
    assert time.monotonic() - begun < 25  # the limits of one submission add up to less, on a busy machine too


@in_both_modes(FILES)
def test_a_file_that_is_no_answer_is_not_accepted(mode, name, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", mode)
    source, allowed = FILES[name]
    verdict = judged(source)
    assert verdict.verdict in allowed
    assert verdict.exit_status == 1


@pytest.mark.needs("bubblewrap")
class TestTheSandbox:
    @pytest.fixture(autouse=True)
    def _in_bubblewrap(self, monkeypatch):
        monkeypatch.setenv("JUDGE_SANDBOX", "bubblewrap")

    def said(self, code: str) -> str:
        """What `code` prints when it runs inside; it ends in an error, so that the verdict shows it."""
        verdict = judged(at_import(f"{code}\nraise RuntimeError"))
        assert verdict.verdict == "RE"
        return verdict.checks[0].failure.printed.strip()

    def test_shows_no_file_of_the_project(self):
        root = str(catalogue.ROOT)
        assert self.said(f"import os; print(os.path.exists({root!r}))") == "False"
        code = (
            "import os\nfor top, folders, names in os.walk('/'):\n"
            "    folders[:] = [f for f in folders if os.path.join(top, f) not in ('/proc', '/sys', '/usr', '/py')]\n"
            "    print(*names)"
        )
        seen = set(self.said(code).split())
        assert "child.py" in seen
        assert not {"oracle.py", "tests.py", "problem.toml", "pool.py", "statement.en.md"} & seen

    def test_shows_no_home_and_no_etc(self):
        assert (
            self.said("import os; print(sorted(set(os.listdir('/')) & {'home', 'root', 'etc', 'var', 'work'}))") == "[]"
        )

    def test_hides_other_processes(self):
        assert int(self.said("import os; print(sum(n.isdigit() for n in os.listdir('/proc')))")) < 8

    def test_has_no_network(self):
        code = "import socket\ntry: socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError as e: print(e.errno)"
        assert self.said(code) in ("101", "111")

    def test_lets_nothing_be_written_outside_the_scratch_folder(self):
        code = (
            "import os\nfor path in ('/', '/dev', '/dev/shm', '/judge', '/usr', '/py', '/proc/self'):\n"
            "    try:\n        open(os.path.join(path, 'x'), 'w'); print(path)\n    except OSError: pass"
        )
        assert self.said(code) == ""

    def test_bounds_what_is_written_in_the_scratch_folder(self):
        code = (
            "n = 0\ntry:\n    for i in range(100):\n"
            "        with open(f'f{i}', 'wb') as f: n += f.write(bytes(8 << 20))\n"
            "except OSError: pass\nprint(n <= 64 << 20)"
        )
        assert self.said(code) == "True"

    def test_empties_the_scratch_folder_between_programs(self):
        source = STUB + "\nimport os\nassert not os.path.exists('trace'), 'left over'\nopen('trace', 'w').close()\n"
        assert "left over" not in str(judged(source).checks[0].failure)

    def test_gives_no_rights(self):
        assert (
            self.said("print([l.split()[1] for l in open('/proc/self/status') if l.startswith('CapEff')][0])")
            == "0" * 16
        )

    def test_bounds_the_number_of_processes(self):
        code = (
            "import os, time\nn = 0\ntry:\n    for _ in range(200):\n"
            "        if os.fork() == 0: time.sleep(20); os._exit(0)\n        n += 1\n"
            "except OSError: pass\nprint(n < 32)"
        )
        assert self.said(code) == "True"

    def test_shows_no_environment_of_the_judge(self, monkeypatch):
        monkeypatch.setenv("A_SECRET", "do not tell")
        assert "do not tell" not in self.said("import os; print(dict(os.environ))")


def descendants_named(marker: str) -> list[int]:
    """Processes whose command line holds `marker`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if marker in (entry / "cmdline").read_bytes().decode("utf-8", "replace"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="counts processes in /proc")
@pytest.mark.needs("bubblewrap")
def test_no_process_of_a_submission_outlives_its_verdict(monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", "bubblewrap")
    body = "import os; os.fork() or (os.setsid(), os.execv('/bin/sleep', ['sleep', '7654.25']))"
    judged(in_method(body))
    time.sleep(0.2)
    assert descendants_named("7654.25") == []


@in_both_modes(["kills its parent"])
def test_a_submission_that_kills_the_first_process_ends_only_its_own_run(mode, name, monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", mode)
    assert judged(ATTACKS[name][0]).verdict == "RE"
    assert judged(catalogue.find("127").reference()).verdict == "AC"
