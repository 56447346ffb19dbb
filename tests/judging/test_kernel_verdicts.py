"""A kernel's verdict on a machine without a GPU: interpreter, compiler, and what is told of both."""

import ast
import dataclasses
import json
import re

import pytest
from house import DOUBLE

from practice.judging import catalogue, kernel, verdict
from practice.judging.card import Card
from practice.judging.compare import same
from practice.judging.drive import Driver
from practice.judging.frames import frames
from practice.judging.inputs import lies
from practice.judging.kernel_table import table
from practice.judging.messages import say
from practice.judging.program import Program
from practice.judging.verdict import judge
from practice.judging.wire import ANYTHING, Between, pack, unpack

needs_triton = pytest.mark.needs("triton", "bubblewrap")
ROW = {"kernel": "decode", "sha256": "ab", "target": "sm_90", "registers": 80, "spilled_bytes": 0, "warps": 8}
ROW |= {"shared_bytes": 38912, "shared_limit": 227 << 10, "tensor_core": 16, "wide_loads": 17, "loads": 26}


@pytest.fixture
def paged_decode(children):
    """paged_decode(source): the verdict on an answer to 136."""
    problem = catalogue.find("136")
    return lambda source, **more: judge(problem, source.encode(), children=children, shrink_seconds=0, **more)


def test_bounds_are_met_by_numbers_within_them_only():
    assert same(Between(1.0, 1.1), 1.0) and same(Between(1.0, 1.1), 1.1) and same(Between(0, 9), 3)
    for got in (0.999, 1.101, None, "1.05", True, Between(1.0, 1.1)):
        assert not same(Between(1.0, 1.1), got)
    assert same(ANYTHING, None) and same(ANYTHING, 4.0)
    assert unpack(pack(Between(0, 2))) == Between(0, 2)


def test_only_what_is_unusual_about_a_tensor_in_memory_is_said():
    assert lies([2, 3, 1, 4], [12, 4, 4, 1]) == ""
    assert lies([2, 3, 1, 4], [16, 4, 4, 1]) == "  # strides [16, 4, 4, 1]"
    assert lies([9, 3, 1, 4], [12, 4, 4, 1], at=[2, 8]) == "  # blocks [2, 8] of 9"


def test_a_kernel_that_the_interpreter_did_not_run_does_not_count():
    ran = [{"kernel": "decode", "sha256": "ab"}, {"kernel": "merge", "sha256": "cd"}]
    assert kernel.another_kernel(Program([]), ran, [ROW]) is None
    failure = kernel.another_kernel(Program([]), ran, [ROW, ROW | {"sha256": "xy"}])
    assert (failure.verdict, failure.why, failure.detail) == ("WA", "another_kernel", "decode")


@pytest.mark.parametrize(
    ("lang", "shared", "loads"), [("en", "38.0 of 227 KiB", "17 of 26"), ("zh", "38.0 / 227 KiB", "17 / 26")]
)
def test_the_table_has_a_line_per_kernel_and_gpu(lang, shared, loads):
    head, *lines = table([ROW, ROW | {"target": "sm_80", "spilled_bytes": 64}], lang)
    assert lines[0] == ("decode", "sm_90 (H100)", "80", "0 B", shared, "16", loads)
    assert lines[1][1:4] == ("sm_80 (A100)", "80", "64 B")
    assert len(head) == 7


def test_without_triton_a_kernel_is_skipped_and_the_reason_said():
    without = dataclasses.replace(catalogue.find("136"), requires=["torch", "no_such_triton"])
    found = judge(without, b"")
    assert (found.verdict, found.reason, found.exit_status) == ("SKIPPED", "no_such_triton", 4)


def test_a_kind_that_nobody_knows_is_refused_by_name(house):
    about = 'kind = "shader"\n' + DOUBLE["problem.toml"]
    with pytest.raises(catalogue.BrokenProblem, match="'shader'; it may be python or kernel"):
        catalogue.read(house.add("906-shader", DOUBLE | {"problem.toml": about}))


@pytest.mark.needs("torch")  # tests.py of a kernel needs numpy, which comes with it
def test_what_is_compiled_comes_after_the_groups_of_a_pack(tmp_path):
    group = "Group('private', {}, 10, plans({}, (0, 0)), None, None)"
    (tmp_path / "tests.py").write_text(f"from practice.judging import Group, plans\nGROUPS = [{group}]\n")
    groups = dataclasses.replace(catalogue.find("136"), pack=tmp_path).groups
    assert [group.name for group in groups][-3:] == ["again", "private", "compiled"]


@needs_triton
def test_the_reference_is_accepted_and_its_figures_are_told(paged_decode):
    found = paged_decode(catalogue.find("136").reference())
    assert (found.verdict, found.score) == ("AC", 100), [(c.name, c.failure) for c in found.failed]
    rows = json.loads(json.dumps(found.as_json("en")))["compiled"]
    assert [row["target"] for row in rows] == ["sm_90", "sm_80", "sm_100"]
    for row in rows:
        assert (row["spilled_bytes"], row["shared_limit"]) == (0, (163 if row["target"] == "sm_80" else 227) << 10)
        assert 0 < row["shared_bytes"] <= row["shared_limit"] and 0 < row["registers"] <= 255
        assert row["tensor_core"] > 0 and 0 < row["wide_loads"] <= row["loads"]
    assert "sm_90 (H100)" in Card(found, "en", [])._repr_html_()


@needs_triton
def test_children_of_both_kinds_stay_warm(paged_decode, children):
    for _ in range(2):
        assert paged_decode(catalogue.find("136").reference()).verdict == "AC"
    assert sorted(len(waiting) for waiting in children._waiting.values()) == [1, 1]


@needs_triton
def test_heads_that_do_not_share_their_reads_are_told_how_often_they_read(paged_decode):
    path = catalogue.find("136").folder / "wrong" / "a_program_per_query_head.py"
    found = paged_decode(path.read_text(encoding="utf-8"))
    assert [check.name for check in found.failed] == ["traffic"]
    failure = found.failed[0].failure
    assert (failure.got["k_cache.read"], failure.got["v_cache.read"]) == (4.0, 4.0)
    assert "read 4 times over" in failure.rule["en"] and "读了 4 遍" in failure.rule["zh"]
    assert "not run" in str(Card(found, "en", []))
    last = frames(failure)[-1]
    assert (last["expected"]["k_cache.read"], last["got"]["k_cache.read"]) == ("1.0 … 1.1", 4.0)


@needs_triton
@pytest.mark.parametrize("number", ["136", "138"])
def test_a_short_run_in_a_huge_cache_is_shown_whatever_came_before_it(children, number):
    """Runs are made shorter many at a time in one process, and each of these takes 50 GB of addresses."""
    problem = catalogue.find(number)
    path = problem.folder / "wrong" / "offsets_fit_into_32_bits.py"
    found = judge(problem, path.read_bytes(), children=children, shrink_seconds=60, diagnose_seconds=60)
    failure = found.failed[0].failure
    assert re.match("MemoryFault: reads [0-9]+ elements outside of every tensor", failure.detail) and not failure.flaky
    assert re.search(r"blocks \[33554432, [0-9, ]+\] of 335544[0-9]+", Card(found, "en", [])._repr_html_())
    assert "an offset into the cache fits into 32 bits" in Card(found, "en", [])._repr_html_()


@needs_triton
def test_mistakes_of_a_kernel_get_the_time_that_kernels_take(paged_decode, monkeypatch):
    given = []
    monkeypatch.setattr(verdict, "misconceptions", lambda *args: given.append(args[-1]) or [])
    path = catalogue.find("136").folder / "wrong" / "result_in_float32.py"
    assert paged_decode(path.read_text(encoding="utf-8"), diagnose_seconds=0.5).verdict == "WA"
    assert given == [0.5 * verdict.A_KERNEL_TAKES] and verdict.A_KERNEL_TAKES > 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_claims_no_dtype_as_slots_are_integers(lang):
    assert "bfloat16" not in say(lang, "compiled_table")


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (("inside = positions < seq_len", "inside = positions <= seq_len"), "that no request owns"),
        (("TILE=64", "TILE=48"), "power of 2"),
        (("tl.load(seq_lens + request)", "tl.load(seq_lens + request - 2**40)"), "outside of every tensor (line"),
    ],
)
def test_what_goes_wrong_in_a_kernel_is_told_with_its_line(paged_decode, edit, said):
    source = catalogue.find("136").reference()
    assert edit[0] in source
    found = paged_decode(source.replace(*edit))
    [failure] = [check.failure for check in found.failed if check.name == "walk"]
    assert failure.verdict == "RE"
    assert said in failure.detail and "(line " in failure.detail


@needs_triton
@pytest.mark.slow
def test_what_the_interpreter_lets_pass_and_the_compiler_does_not_is_told(paged_decode):
    """A variable that changes its dtype in a loop runs in the interpreter."""
    source = catalogue.find("136").reference()
    edit = ("        highest = new_highest", "        highest = new_highest.to(tl.float64)")
    assert edit[0] in source
    found = paged_decode(source.replace(*edit))
    assert [check.name for check in found.failed] == ["compiled"]
    assert "NotCompiled" in found.failed[0].failure.detail and found.score == 85


@needs_triton
@pytest.mark.slow
def test_a_compiler_that_does_not_come_to_an_end_is_stopped(children):
    problem = catalogue.find("136")
    source = problem.reference().replace(
        "    out = torch.empty", "    while q.dtype is torch.bfloat16: pass\n    out = torch.empty"
    )
    short = dataclasses.replace(problem, limits=problem.limits | {"call_seconds": 4.0})
    found = judge(short, source.encode(), shrink_seconds=0)
    assert [(check.name, check.verdict) for check in found.failed] == [("compiled", "TLE")]


@needs_triton
@pytest.mark.slow
def test_a_plain_process_grades_kernels_as_well(monkeypatch):
    monkeypatch.setenv("JUDGE_SANDBOX", "plain")
    found = judge(catalogue.find("136"), catalogue.find("136").reference().encode())
    assert (found.verdict, found.sandbox) == ("AC", "plain"), [(c.name, c.failure) for c in found.failed]


@needs_triton
def test_the_examples_alone_need_no_compiler(paged_decode):
    found = paged_decode(catalogue.find("136").reference(), examples_only=True)
    assert (found.verdict, found.score, found.max_score, found.kernels) == ("AC", 10, 10, [])


def test_a_driver_begins_with_no_kernels(monkeypatch):
    assert Driver(None, "", None).kernels == []


@pytest.mark.slow
@needs_triton
def test_a_kernel_of_which_nothing_is_left_when_compiled_does_not_count(paged_decode):
    """It does its work in the interpreter's dtypes only."""
    reference = catalogue.find("136").reference()
    [function] = [
        node for node in ast.parse(reference).body if isinstance(node, ast.FunctionDef) and node.name == "_decode"
    ]
    names = [arg.arg for arg in function.args.args]
    around = (
        f"\n\n@triton.jit\ndef around({ast.unparse(function.args)}):\n"
        f"    if {names[0]}.dtype.element_ty != tl.bfloat16:\n        {function.name}({', '.join(names)})\n"
    )
    found = paged_decode(reference.replace(f"{function.name}[", "around[") + around, diagnose_seconds=0)
    assert [check.name for check in found.failed] == ["compiled"]
    assert "the kernels hold no loads: nothing is left of them" in found.failed[0].failure.detail
