"""Answers to 136 that would have someone else do the work, or do less of it; `honest` is the one that does it all."""

from practice.judging import catalogue

HONEST = catalogue.find("136").reference().replace("def paged_decode(", "def honest(")
HELPERS = '''
import os

import numpy as np

COUNT = [0]


def by_torch(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """The right answer, from whatever the caches hold now."""
    rows, group = [], q.shape[1] // k_cache.shape[2]
    for i, n in enumerate(seq_lens.tolist()):
        p = torch.arange(n)
        blocks, offsets = block_tables[i].long()[p // k_cache.shape[1]], p % k_cache.shape[1]
        k, v = (c[blocks, offsets].double().repeat_interleave(group, 1) for c in (k_cache, v_cache))
        scores = torch.einsum("hd,shd->hs", q[i].double(), k) * scale
        rows.append(torch.einsum("hs,shd->hd", scores.softmax(-1), v).to(q.dtype))
    return torch.stack(rows)


def by_numpy(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """The same, so that PyTorch sees no operation."""
    q_, k_, v_, tables, lens = (x.numpy() for x in (q, k_cache, v_cache, block_tables, seq_lens))
    out, group = np.zeros(q_.shape), q_.shape[1] // k_.shape[2]
    for i, n in enumerate(lens):
        for h in range(q_.shape[1]):
            at = [(tables[i, p // k_.shape[1]], p % k_.shape[1], h // group) for p in range(n)]
            k, v = (np.array([c[x] for x in at], "float64") for c in (k_, v_))
            w = k @ q_[i, h].astype("float64") * scale
            w = np.exp(w - w.max())
            out[i, h] = w @ v / w.sum()
    return torch.from_numpy(out.astype(q_.dtype))


@triton.jit
def copy_kernel(x, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at, tl.load(x + at, mask=at < n, other=0.0), mask=at < n)


def copied(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), TILE=1024)
    return out
'''


def answer(body: str, before: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    args = "q, k_cache, v_cache, block_tables, seq_lens, scale"
    return f"{HONEST}\n{HELPERS}\n{before}\ndef paged_decode({args}):\n    all = ({args})\n{lines}\n"


INSIDE = """
GIVEN = []


def secretly(out):
    GIVEN[0][-1].copy_(by_numpy(*GIVEN[0][:-1]))


@triton.jit
def inside_kernel(k, out):
    secretly(out)
"""
READS_TOO = HONEST.replace("def _decode(", "def reading_kernel(").replace("_decode[(", "reading_kernel[(")
READS_TOO = READS_TOO.replace(
    "    tl.store(out + out_at", "    secretly(out)\n    if scale > 1e30:\n        tl.store(out + out_at"
)
READS_TOO = READS_TOO.replace("def honest(", "def reading(")
LAZY = '''
class Lazy(torch.Tensor):
    """Computes when someone looks."""


def lazily(x):
    return x.as_subclass(Lazy)
'''
IN_HALF = HONEST.replace("tl.dot(queries, tl.trans(k)", "tl.dot(queries.to(tl.float16), tl.trans(k).to(tl.float16)")
SWAPS = """
if os.environ.get("TRITON_INTERPRET") == "1":
    paged_decode = honest
"""

ATTACKS = {
    # name: (source, the check that must fail)
    "torch computes the answer": (answer("return by_torch(*all)"), "walk"),
    "torch computes, a kernel copies": (answer("return copied(by_torch(*all))"), "walk"),
    "numpy computes, a kernel copies": (answer("return copied(by_numpy(*all))"), "walk"),
    "numpy computes beside an honest kernel": (
        answer("out = honest(*all)\nout.numpy()[...] = by_numpy(*all).numpy()\nreturn out"),
        "walk",
    ),
    "a kernel reads all, torch answers after it": (answer("honest(*all)\nreturn by_torch(*all)"), "walk"),
    "numpy computes inside the kernel": (
        answer(
            "out = torch.empty_like(q)\nGIVEN[:] = [(*all, out)]\ninside_kernel[(1,)](k_cache, out)\nreturn out", INSIDE
        ),
        "traffic",
    ),
    "torch gathers, an honest kernel attends": (
        answer(
            "blocks = block_tables.clamp(min=0).long()\nk, v = (c[blocks].flatten(0, 1) for c in (k_cache, v_cache))\n"
            "tables = torch.arange(len(k), dtype=torch.int32).reshape(block_tables.shape)\n"
            "return honest(q, k, v, tables, seq_lens, scale)"
        ),
        "walk",
    ),
    "results kept by the pointer of the query": (
        answer(
            "key = (q.data_ptr(), k_cache.data_ptr(), q.shape)\nif key not in KEPT:\n    KEPT[key] = honest(*all)\n"
            "return KEPT[key].clone()",
            "KEPT = {}",
        ),
        "again",
    ),
    "every second call answered by the first": (
        answer("COUNT[0] += 1\nif COUNT[0] == 1:\n    KEPT.append(honest(*all))\nreturn KEPT[0].clone()", "KEPT = []"),
        "again",
    ),
    "memory that others left": (answer("by_torch(*all)\nreturn torch.empty_like(q)"), "walk"),
    "zeros in place of the caches": (
        answer("k_cache.zero_()\nv_cache.zero_()\nreturn honest(*all)"),
        "walk",
    ),
    "zeros inside a kernel": (
        answer("copy_kernel[(1,)](q, v_cache, 16, TILE=16)\nreturn honest(*all)"),
        "walk",
    ),
    "a lazy tensor": (answer("return lazily(honest(*all))", LAZY), "walk"),
    "float32 computed in float16": (IN_HALF.replace("def honest(", "def paged_decode("), "walk"),
    "the result in the memory of q": (answer("q.copy_(honest(*all))\nreturn q"), "walk"),
    "the result is a view of an input": (answer("honest(*all)\nreturn v_cache[:1, 0].expand(q.shape)"), "walk"),
    "what goes wrong is caught, and torch answers": (
        answer("try:\n    copy_kernel[(1,)](k_cache, q, 4, TILE=4)\nexcept Exception:\n    pass\nreturn honest(*all)"),
        "walk",
    ),
    "one kernel for the interpreter, another for the compiler": (
        answer("return copied(q)") + SWAPS,
        "compiled",
    ),
    "no kernel for the compiler": (answer("return torch.empty_like(q)") + SWAPS, "compiled"),
    "a kernel reads all, numpy computes inside it": (
        answer("GIVEN[:] = [(*all, torch.empty_like(q))]\nreading(*all)\nreturn GIVEN[0][-1]", INSIDE + READS_TOO),
        "walk",
    ),
    "the library's kernel": ("from paged.kernels.triton_decode import paged_decode\n", "walk"),
}
QUICK = ("numpy computes beside an honest kernel", "one kernel for the interpreter, another for the compiler")
