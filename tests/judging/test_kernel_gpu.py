"""The third result of a kernel, as far as it goes without a GPU: what is written down of an answer's launches, what the
process that makes them works on, and what is told where nothing is timed."""

import ctypes
import json
import math
from contextlib import suppress
from types import SimpleNamespace

import pytest

from practice.judging import catalogue, kernel_gpu
from practice.judging.kernel_table import gpu_line
from practice.judging.plan import Plan

with suppress(ModuleNotFoundError):  # the marks below take out what needs it
    import torch

    from practice.judging import kernel_replay

needs_torch = pytest.mark.needs("torch")
CARD = {"name": "Made-up 9000", "target": "sm_90"}
MEASURED = {"name": "Made-up 9000", "dtype": "bfloat16", "calls": 20, "error": 0.004, "seconds": 6.25e-5}
MEASURED |= {"bytes_per_second": 2.4e12, "copy_bytes_per_second": 3.0e12}
BETWEEN = ("    return out\n", "    return out * 1.0\n")


def compiling(number):
    return next(group for group in catalogue.find(number).groups if group.guard)


def program(number):
    return compiling(number).program(Plan({"gpus": ["sm_90"]}, []))


def running(number, source=None):
    """As a driver that has run an answer in the interpreter; which kernels it ran is left to kernel_gpu to ask."""
    problem = catalogue.find(number)
    return SimpleNamespace(problem=problem, source=source or problem.reference(), kernels=[])


@pytest.fixture
def a_gpu(monkeypatch):
    monkeypatch.setattr(kernel_gpu, "card", lambda: CARD)
    monkeypatch.setattr(kernel_gpu, "another_kernel", lambda *rows: None)


@pytest.fixture
def memory():
    """Three requests on the processor; the wrapper's own memory is the result."""
    shape, queries = [40, 4, 2, 8], [3, 6, 8]
    strides = [64, 16, 8, 1]
    inputs = {name: {"dtype": "float32", "shape": shape, "strides": strides} for name in ("k_cache", "v_cache")}
    inputs["q"] = {"dtype": "float32", "shape": queries, "strides": [48, 8, 1]}
    inputs["block_tables"] = {"dtype": "int32", "shape": [3, 10], "strides": [10, 1]}
    inputs["seq_lens"] = {"dtype": "int32", "shape": [3], "strides": [1], "values": [1, 5, 36]}
    result = {"place": ["own", 1, 0], "shape": queries, "strides": [48, 8, 1], "dtype": "float32"}
    own = [{"bytes": 16, "fill": "000080ff"}, {"bytes": 4 * 144, "fill": ""}]
    made = kernel_replay.Memory({"inputs": inputs, "own": own, "result": result, "scale": 0.5}, "cpu")
    made.fresh(1)
    return made


def test_the_card_is_what_nvidia_smi_says(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kernel_gpu.card.__wrapped__() is None
    tool = tmp_path / "nvidia-smi"
    for says, found in (
        ("echo 'Made-up 9000, 9.0'; echo 'Second, 8.0'", CARD),
        ("echo 'With, comma, 10.0'", {"name": "With, comma", "target": "sm_100"}),
        ("exit 9", None),
        ("true", None),
    ):
        tool.write_text(f"#!/bin/sh\n{says}\n")
        tool.chmod(0o755)
        assert kernel_gpu.card.__wrapped__() == found


@needs_torch
def test_without_a_gpu_a_decode_says_so_in_json_and_nothing_on_the_card(monkeypatch):
    monkeypatch.setattr(kernel_gpu, "card", lambda: None)
    for number in ("136", "137"):
        found = kernel_gpu.timed(compiling(number), running(number), None)
        assert found == {"reason": "no GPU found"}
        assert gpu_line(found, "en") == gpu_line(found, "zh") == ""
    assert kernel_gpu.timed(compiling("138"), running("138"), None) == {}


def test_the_line_on_the_card():
    found = MEASURED | {"per_cent": 80.0}
    assert gpu_line(found, "en") == (
        "GPU Made-up 9000, bfloat16: 80 % of the bandwidth of a copy, 62 µs a call, 20 calls with fresh inputs; "
        "for you to know, no points"
    )
    assert "80%" in gpu_line(found, "zh") and "不计分" in gpu_line(found, "zh")
    assert gpu_line({"name": "X", "reason": "no kernel"}, "en") == "GPU X: not timed: no kernel"
    assert gpu_line({}, "en") == ""


@needs_torch
def test_the_score_is_bytes_that_must_move_per_cent_of_a_copys(a_gpu, monkeypatch):
    plans = []

    def run(command, input, **more):
        plans.append(json.loads(input))
        return SimpleNamespace(stdout=json.dumps(MEASURED))

    monkeypatch.setattr(kernel_gpu, "recorded", lambda *given: ({"launches": ["one"]}, ""))
    monkeypatch.setattr("subprocess.run", run)
    assert kernel_gpu.timed(compiling("137"), running("137"), None) == MEASURED | {"per_cent": 80.0}
    assert (plans[0]["launches"], plans[0]["scale"]) == (["one"], 128**-0.5)
    assert plans[0]["inputs"]["seq_lens"]["values"] == list(range(2048, 16385, 2048))
    assert plans[0]["inputs"]["k_cache"]["strides"] == [8192, 512, 128, 1]


@needs_torch
def test_what_goes_wrong_costs_a_line_and_no_verdict(a_gpu):
    found = kernel_gpu.timed(compiling("136"), running("136"), None)  # no children to lend one
    assert found["name"] == "Made-up 9000" and found["reason"].startswith("AttributeError")


@needs_torch
@pytest.mark.slow
def test_the_process_that_times_says_why_it_cannot(monkeypatch):
    if torch.cuda.is_available():
        pytest.skip("it can")
    found = kernel_gpu.replayed({"launches": []})
    assert list(found) == ["reason"] and "CUDA" in found["reason"]
    monkeypatch.setattr(kernel_gpu, "REPLAY_SECONDS", 0.01)
    assert kernel_gpu.replayed({}) == {"reason": "not done after 0 s"}


@needs_torch
def test_inputs_are_new_for_every_call(memory):
    names = ("q", "k_cache", "v_cache", "block_tables")
    before = {name: memory.inputs[name].clone() for name in names}
    memory.fresh(2)
    assert not any(torch.equal(memory.inputs[name], before[name]) for name in names)
    assert memory.inputs["seq_lens"].tolist() == [1, 5, 36]
    tables = memory.inputs["block_tables"]
    assert (tables >= 0).sum(1).tolist() == [1, 2, 9]
    assert len(set(tables[tables >= 0].tolist())) == 12
    assert tables[0, 1:].eq(-1).all()
    memory.fresh(1)
    assert all(torch.equal(memory.inputs[name], before[name]) for name in names)


@needs_torch
def test_results_are_compared_row_by_row_with_what_is_right(memory):
    """The problem's own oracle, in numpy, is the other route."""
    oracle = catalogue.find("136").groups[0].oracle
    given = [memory.inputs[name].numpy() for name in ("q", "k_cache", "v_cache", "block_tables", "seq_lens")]
    assert memory.error() > 1  # nobody has written the result
    memory.result().copy_(torch.from_numpy(oracle.paged_decode(*given, 0.5)))
    assert memory.error() < 1e-6
    memory.result()[2, 5] *= 1.1
    assert memory.error() == pytest.approx(0.1, rel=1e-4)
    memory.result()[1, 0, 0] = float("nan")
    assert memory.error() == math.inf


@needs_torch
def test_what_the_wrapper_fills_is_filled_and_the_rest_is_left(memory):
    memory.fill()
    assert memory.own[0].view(torch.float32).tolist() == [-math.inf] * 4
    assert memory.own[1].unique().tolist() == [0x7F]


@needs_torch
def test_bytes_that_must_move(memory):
    """42 tokens of 2 heads of 8 float32, keys and values; 3 · 6 · 8 of queries and of results."""
    assert memory.least_bytes() == 2 * 42 * 2 * 8 * 4 + 2 * 144 * 4


@needs_torch
def test_arguments_become_what_the_kernel_takes(memory):
    found = kernel_replay.parameters(
        [["input", "q", 0], ["own", 0, 8], ["fp32", 0.5], ["i32", -3], ["i64", 2**40], ["u1", True]], memory
    )
    assert [type(value) for value in found] == [
        *(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_float, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint8),
        *(ctypes.c_uint64, ctypes.c_uint64),
    ]
    addresses = [memory.inputs["q"].data_ptr(), memory.own[0].data_ptr() + 8]
    assert [value.value for value in found] == [*addresses, 0.5, -3, 2**40, 1, 0, 0]


@needs_torch
def test_a_refusal_of_the_driver_is_told():
    kernel_replay.check(0, "cuLaunchKernel")
    with pytest.raises(kernel_replay.NotTimed, match="cuLaunchKernel: CUDA error 700"):
        kernel_replay.check(700, "cuLaunchKernel")


@pytest.mark.slow
@pytest.mark.needs("triton", "bubblewrap")
def test_what_an_answer_launches_is_written_down(a_gpu, children):
    """Split-KV of the library: two kernels, three partial results, one result."""
    plan, reason = kernel_gpu.recorded(program("137"), running("137"), children)
    assert reason == ""
    partial, merge = plan["launches"]
    assert (partial["symbol"], partial["grid"], partial["threads"]) == ("_partial", [8, 4, 8], 256)
    assert (merge["symbol"], merge["grid"]) == ("_merge", [8 * 28, 1, 1])
    assert [about["bytes"] for about in plan["own"]] == [7168, 7168, 8 * 28 * 8 * 128 * 4, 57344]
    assert plan["result"] == {
        "place": ["own", 3, 0],
        "shape": [8, 28, 128],
        "strides": [3584, 128, 1],
        "dtype": "bfloat16",
    }
    assert merge["arguments"] == [["own", n, 0] for n in (3, 0, 1, 2)]
    assert partial["arguments"][:3] == [["input", name, 0] for name in ("q", "k_cache", "v_cache")]


@pytest.mark.slow
@pytest.mark.needs("triton", "bubblewrap")
@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (BETWEEN, "the result is computed by torch (mul), between kernels"),
        (("    return out\n", "    return q\n"), "the result lies in the memory of an input"),
        (("        q,\n        k_cache", "        q.clone(),\n        k_cache"), "q is computed by torch (clone)"),
    ],
)
def test_what_cannot_be_written_down_is_named(a_gpu, children, edit, said):
    source = catalogue.find("136").reference()
    assert source.count(edit[0]) == 1
    plan, reason = kernel_gpu.recorded(program("136"), running("136", source.replace(*edit)), children)
    assert plan == {} and reason.startswith(said)


@pytest.mark.slow
@pytest.mark.needs("triton", "bubblewrap")
def test_memory_that_the_wrapper_fills_is_told_from_memory_that_it_takes(a_gpu, children):
    source = catalogue.find("136").reference()
    source = source.replace("torch.empty(q.shape", "torch.full(q.shape, -2.0")
    plan, reason = kernel_gpu.recorded(program("136"), running("136", source), children)
    assert (reason, plan["own"]) == ("", [{"bytes": 57344, "fill": "00c0"}])


@pytest.mark.needs("triton", "bubblewrap")
def test_kernels_that_did_not_run_in_the_interpreter_are_not_timed(monkeypatch, children):
    monkeypatch.setattr(kernel_gpu, "card", lambda: CARD)
    found = kernel_gpu.timed(compiling("136"), running("136"), children)
    assert found == {"name": "Made-up 9000", "reason": "it launches kernels that did not run in the interpreter"}
