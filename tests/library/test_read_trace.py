"""What the trace of a kernel says it reads, in Triton's interpreter: a process of its own, started as one."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("torch", "triton")

BATCH = """
import json, torch
from paged.kernels import triton_decode, triton_split_kv
from paged.kernels.read_trace import programs_of, trace
k, v = torch.full((2, 6, 4, 2, 32), float("nan"))
tables, lengths = torch.tensor([[5, 1], [3, -1]], dtype=torch.int32), torch.tensor([6, 3], dtype=torch.int32)
for table, length in zip(tables.tolist(), lengths.tolist()):
    for position in range(length):
        k[table[position // 4], position % 4] = v[table[position // 4], position % 4] = 1.0
q = torch.randn(2, 6, 32)
"""


def run(code: str, interpreted: bool = True) -> subprocess.CompletedProcess:
    environment = {**os.environ, "TRITON_INTERPRET": str(int(interpreted)), "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, "-c", BATCH + code], env=environment, capture_output=True, text=True)


def said(code: str) -> object:
    done = run(code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_program_reads_the_slots_of_its_request_and_its_head_once():
    programs = said(
        "print(json.dumps(programs_of(lambda: triton_decode.paged_decode(q, k, v, tables, lengths, 1.0), k, v)))"
    )
    slots = {0: [4, 5, 20, 21, 22, 23], 1: [12, 13, 14]}  # blocks 5 and 1 hold request 0, block 3 request 1
    assert [program["id"] for program in programs] == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
    for program in programs:
        _, request, head, _ = program["id"]
        assert program["k"] == program["v"] == [[slot, head, 32 * 4] for slot in slots[request]]


def test_launches_are_counted_and_what_is_read_twice_counts_twice():
    launches, each = said(
        """
def twice():
    for head in range(2):
        triton_decode.paged_decode(q[:, head::3].contiguous(), k, v, tables, lengths, 1.0)
programs = programs_of(twice, k, v)
print(json.dumps([[it["id"][0] for it in programs], sorted({size for it in programs for _, _, size in it["k"]})]))
"""
    )
    assert launches == [0, 0, 0, 0, 1, 1, 1, 1]
    assert each == [128]


def test_a_merge_reads_no_k_and_no_v():
    first, second = said(
        """
programs = programs_of(lambda: triton_split_kv.paged_decode(q, k, v, tables, lengths, 1.0, 2), k, v)
print(json.dumps([[len(it["k"]) + len(it["v"]) for it in programs if it["id"][0] == launch] for launch in (0, 1)]))
"""
    )
    assert sum(first) == 2 * 2 * (6 + 3)
    assert set(second) == {0}


def test_the_trace_says_where_the_tokens_lie():
    found = said("print(json.dumps(trace(k, tables.tolist(), lengths.tolist(), [{'name': 'a', 'programs': []}])))")
    assert found == {
        "num_blocks": 6,
        "block_size": 4,
        "num_kv_heads": 2,
        "row_bytes": 128,
        "requests": [{"block_table": [5, 1], "num_tokens": 6}, {"block_table": [3], "num_tokens": 3}],
        "runs": [{"name": "a", "programs": []}],
    }


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("programs_of(lambda: None, k, v)", "no kernel ran in Triton's interpreter"),
        ("programs_of(lambda: None, k[:, ::2], v)", "k_cache must be contiguous with 4 dims, got [6, 2, 2, 32]"),
        ("programs_of(lambda: None, k, v[0])", "v_cache must be contiguous with 4 dims, got [4, 2, 32]"),
    ],
)
def test_what_cannot_be_traced_is_refused(call: str, words: str):
    done = run(call)
    assert done.returncode == 1
    assert words in done.stderr


def test_after_a_trace_the_interpreter_is_as_it_was_even_if_the_kernel_failed():
    assert said(
        """
import triton.runtime.interpreter as interpreter
builder = type(interpreter.interpreter_builder)
before = builder.create_masked_load, builder.set_grid_idx
def fail():
    raise KeyError("mine")
try:
    programs_of(fail, k, v)
except KeyError:
    print(json.dumps((builder.create_masked_load, builder.set_grid_idx) == before))
"""
    )
