"""Element offsets past 2^31: a cache of five billion bytes of which three blocks exist.

The cache is memory that was asked for and never touched, in a process of its own that may ask for so much and reports
how much of it became real.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.needs("torch"), pytest.mark.slow]

CODE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)
import torch
from kernel_cases import contiguous_attention, error
from paged.attention import attention_over

torch.set_num_threads(1)
NUM_BLOCKS, BLOCK_SIZE, HEAD_DIM = 2**17 + 40, 128, 128
k_cache, v_cache = (torch.empty(NUM_BLOCKS, BLOCK_SIZE, 1, HEAD_DIM, dtype=torch.float16) for _ in "kv")
assert k_cache.numel() > 2**31
table = [NUM_BLOCKS - 1, 3, NUM_BLOCKS - 20]
values = torch.randn(2, 300, 1, HEAD_DIM).half()
slots = torch.tensor([table[p // BLOCK_SIZE] * BLOCK_SIZE + p % BLOCK_SIZE for p in range(300)])
"""

ATTEND = """
q = torch.randn(1, 3, HEAD_DIM).half()
for cache, rows in zip((k_cache, v_cache), values):
    cache.view(-1, 1, HEAD_DIM)[slots] = rows
out = attention_over(q, k_cache, v_cache, [table], [300], [0, 1], 0.1, backend=sys.argv[1])
worst = error(out, contiguous_attention(q, *values, 0.1))
assert worst < 2e-3, worst
"""

# The same by each Triton kernel, which also writes what is then read.
TRITON = """
from paged.kernels import triton_decode, triton_split_kv, triton_varlen, triton_write
q = torch.randn(1, 3, HEAD_DIM).half()
for cache, rows in zip((k_cache, v_cache), values):
    triton_write.write(cache, slots, rows)
    assert torch.equal(cache.view(-1, 1, HEAD_DIM)[slots], rows)
tables, seq_lens, starts = (torch.tensor(x, dtype=torch.int32) for x in ([table], [300], [0, 1]))
expected = contiguous_attention(q, *values, 0.1)
for out in (
    triton_decode.paged_decode(q, k_cache, v_cache, tables, seq_lens, 0.1),
    triton_split_kv.paged_decode(q, k_cache, v_cache, tables, seq_lens, 0.1, 3),
    triton_varlen.paged_attention(q, k_cache, v_cache, tables, seq_lens, starts, 0.1),
):
    assert error(out, expected) < 2e-3
"""

RESIDENT = """
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "linux" else 1024 * 1024))
"""


def run(code, *arguments, **environ):
    """Megabytes of memory that the process really took."""
    done = subprocess.run(
        [sys.executable, "-c", CODE + code + RESIDENT, *arguments],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environ},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.parametrize("backend", ["batched", pytest.param("native", marks=pytest.mark.needs("compiler"))])
def test_backends_on_the_cpu(backend):
    assert run(ATTEND, backend) < 1500


@pytest.mark.needs("triton")
def test_triton_kernels():
    assert run(TRITON, TRITON_INTERPRET="1") < 1500
