"""benchmarks/gpu.py as far as it goes without a GPU: what it says there, its cases and their bytes, report and figure;
and its sides and checks on the processor, in Triton's interpreter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import gpu
import msgspec
from gpu_report import SPLIT_CASES, WALKS, Card, Case, Check, Report, Rival, Split, Walk, crossovers, decode, encode

MIB = 1 << 20
CARD = Card("Made-up 9000", "9.0", 132, 80 << 30, 50 * MIB, "2.13.0", "3.7.1")


def report() -> Report:
    """Figures made up for the tests, nobody has measured them."""
    made = Report(CARD, 3.0e12)
    made.checks = [
        Check("decode", "block16-dim64-ratio5", "decode", "bfloat16", 0.004, 0.02),
        Check("varlen", "block16-dim64-ratio5", "mixed", "float16", None, 0.002),
    ]
    made.walks = [Walk(case, 1, case.least_bytes / 1.5e12, 0.5) for case in WALKS]
    for side, seconds in (("library", 0.0002), ("SDPA, contiguous", 0.0001)):
        made.rivals += [Rival(Case(batch, 2048, block_size=128), side, batch * seconds) for batch in (8, 32)]
    for case in SPLIT_CASES:
        best = 4 if case.context * 16 > case.batch * 65536 else 1
        made.splits += [Split(case, n, 2, 1e-4 * (1 + abs(n - best))) for n in (1, 2, 4)]
    made.left_out = ["walks Case(…): out of time"]
    return made


@pytest.mark.needs("torch", "triton")
def test_without_a_gpu_it_says_so_and_writes_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--to", str(tmp_path / "measured")])
    assert gpu.main() == 4
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("No GPU that torch can use here")
    assert list(tmp_path.iterdir()) == []


def test_without_triton_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert gpu.no_gpu() == "benchmarks/gpu.py needs torch: `make setup` installs it on Linux"


def test_a_word_that_it_does_not_know_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--minutes", "many"])
    with pytest.raises(SystemExit) as stopped:
        gpu.main()
    assert stopped.value.code == 2
    assert "invalid float value: 'many'" in capsys.readouterr().err


def test_bytes_of_a_case():
    """32 requests of 1024 tokens: 2 · 32 · 1024 · 8 · 128 · 2 of K and V, 2 · 32 · 32 · 128 · 2 of queries and results,
    4 · 32 · (64 + 1) of tables and lengths."""
    case = Case(32, 1024)
    assert (case.blocks, case.kv_bytes, case.least_bytes) == (64, 134_217_728, 134_217_728 + 524_288 + 8_320)
    assert case.cache_bytes == case.kv_bytes
    partial = Case(1, 2048, block_size=272)  # 8 blocks, of which the last holds 144 tokens
    assert (partial.blocks, partial.kv_bytes, partial.cache_bytes) == (8, 8 * MIB, 8 * MIB * 17 // 16)


def test_inputs_that_take_turns_are_four_times_the_cache_at_least():
    assert Case(1, 512).copies(50 * MIB) == 101  # 2 MiB each
    assert Case(8, 8192).copies(50 * MIB) == 2  # 256 MiB each
    for case in (*WALKS, *SPLIT_CASES):
        copies = case.copies(50 * MIB)
        assert (copies - 1) * case.cache_bytes >= 200 * MIB


def test_the_cases_are_all_different_and_reach_every_axis():
    assert len(set(WALKS)) == len(WALKS) == 70
    for axis, values in {
        "batch": {1, 8, 32, 128},
        "context": {512, 2048, 8192, 32768},
        "block_size": {1, 4, 16, 64, 272},
        "head_dim": {64, 80, 96, 128, 256},
    }.items():
        assert {getattr(case, axis) for case in WALKS} == values


def test_a_report_comes_back_as_it_was_and_another_is_refused():
    made = report()
    assert decode(encode(made)) == made
    plain = json.loads(encode(made))
    assert plain["card"]["name"] == "Made-up 9000"
    assert plain["walks"][0]["case"] == {"batch": 1, "context": 512, "block_size": 16, "head_dim": 64}
    for changed in ({"version": 2}, {"card": None}, {"walks": [{"seconds": 1.0}]}):
        with pytest.raises(msgspec.ValidationError):
            decode(json.dumps(plain | changed).encode())


def test_where_splitting_begins_to_pay():
    def timed(batch, context, **seconds):
        return [Split(Case(batch, context), int(n[1:]), 1, taken) for n, taken in seconds.items()]

    splits = [*timed(1, 1024, n1=1.0, n2=1.5), *timed(1, 4096, n1=4.0, n2=2.0, n4=3.0)]
    splits += [*timed(1, 16384, n1=9.0, n2=3.0, n4=2.0), *timed(32, 1024, n1=1.0, n2=1.0)]
    assert crossovers(splits) == {1: 4096, 32: None}
    assert crossovers([]) == {}


def test_the_summary_names_what_is_wrong_and_what_was_left_out():
    lines = gpu.summary(report())
    assert lines[:2] == ["Made-up 9000: copy 3,000 GB/s", "correct: 1 of 2"]
    assert "  WRONG: varlen block16-dim64-ratio5 mixed float16: None >= 0.002" in lines
    assert "   1.600 ms  library: 8 × 2048" in lines
    assert "left out: walks Case(…): out of time" in lines
    assert gpu.file_name("NVIDIA H200 (80 GB)") == "nvidia-h200-80-gb"


@pytest.mark.parametrize("measured", [True, False])
def test_the_figure_is_drawn_of_much_and_of_nothing(tmp_path, measured):
    from gpu_figure import draw

    draw(report() if measured else Report(CARD, 1.0), tmp_path / "gpu.png")
    data = (tmp_path / "gpu.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1440, 1080)


ON_THE_PROCESSOR = """
import sys, time
import torch
import gpu_run
from gpu_checks import checks, moved
from gpu_report import Case, Report, encode
from test_benchmark_gpu import CARD

compiled, gpu_run.flex = gpu_run.flex, lambda inputs: compiled(inputs, compiled=False)
gpu_run.RIVALS, gpu_run.SPLITS = ((2, 256),), (1, 3)
gpu_run.SPLIT_CASES, gpu_run.WALKS = [Case(1, 70)], [Case(1, 40, 4, 24), Case(2, 10**9)]
CARD.l2_bytes = 0
report = Report(CARD, 1e9)
clock = lambda calls: float(len([call() for call in calls]))
run = gpu_run.Run(report, clock, "cpu", 10**9, time.monotonic() + 600)
run.dtype = torch.float32
run.rivals(), run.splits(), run.walks()
run.deadline = 0.0
run.walks()
report.checks += checks("cpu", {"block4-dim80-ratio3": ()}, (torch.float16,))
apart = torch.arange(24.0).view(4, 6)[1:3, ::2]
there = moved(apart, "cpu")
assert there.stride() == apart.stride() and torch.equal(there, apart)
sys.stdout.buffer.write(encode(report))
"""


@pytest.mark.slow
@pytest.mark.needs("torch", "triton")
def test_sides_and_checks_on_the_processor():
    """Every side comes to the numbers of float32, and what cannot be measured is noted."""
    path = os.pathsep.join([str(gpu.ROOT / "benchmarks"), str(Path(__file__).parent)])
    environ = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", ON_THE_PROCESSOR], env=environ, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = decode(done.stdout)
    assert [rival.side for rival in found.rivals] == ["library", "SDPA, contiguous", "FlexAttention, paged"]
    assert [(split.num_splits, split.rule, split.seconds) for split in found.splits] == [(1, 1, 2.0), (3, 1, 2.0)]
    assert [walk.case for walk in found.walks] == [Case(1, 40, 4, 24)]
    assert found.walks[0].of_copy == Case(1, 40, 4, 24).least_bytes / 2.0 / 1e9
    assert len(found.left_out) == 3
    assert "GB, 0.5 are granted" in found.left_out[0]
    assert all(line.endswith("out of time") for line in found.left_out[1:])
    kernels = ["library", "SDPA, contiguous", "FlexAttention, paged", "decode", "split", "varlen", "varlen", "varlen"]
    assert [check.kernel for check in found.checks] == [*kernels, *kernels[3:], "slots", "write"]
    assert all(check.holds for check in found.checks), found.checks
    assert all(check.error < 1e-5 for check in found.checks if check.dtype in ("float32", "exact"))
