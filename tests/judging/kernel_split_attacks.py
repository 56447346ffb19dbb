"""Answers to 136, 137 and 138 whose kernels only fetch K and V while PyTorch attends, and to 137 in which one program
does the work of all."""

from practice.judging import catalogue

GATHERS = '''
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(
    x, out, tables, lens, starts, max_blocks, longest, block_stride, slot_stride, head_stride,
    HEADS: tl.constexpr, HEAD_DIM: tl.constexpr, DIM: tl.constexpr, BLOCK_SIZE: tl.constexpr, PARTS: tl.constexpr,
):
    """One program per request, head and part copies its tokens; a request that asks nothing has none."""
    request, head, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    asks = tl.load(starts + request + 1) > tl.load(starts + request)
    count = tl.where(asks, tl.load(lens + request), 0)
    share, dims = tl.cdiv(count, PARTS), tl.arange(0, DIM)
    for p in range(part * share, tl.minimum(count, part * share + share)):
        block = tl.load(tables + request * max_blocks + p // BLOCK_SIZE).to(tl.int64)
        at = block * block_stride + p % BLOCK_SIZE * slot_stride + head * head_stride + dims
        row = (request * longest + p) * HEADS + head
        tl.store(out + row * HEAD_DIM + dims, tl.load(x + at, mask=dims < HEAD_DIM, other=0.0), mask=dims < HEAD_DIM)


def gathered(x, tables, lens, starts, parts=1):
    """[B, longest, num_kv_heads, head_dim], in the answer's own memory."""
    block_size, heads, head_dim = x.shape[1:]
    longest = tables.shape[1] * block_size
    out = torch.empty(len(lens), longest, heads, head_dim, dtype=x.dtype, device=x.device)
    if len(lens):
        gather_kernel[(len(lens), heads, parts)](
            x, out, tables, lens, starts, tables.shape[1], longest, *x.stride()[:3],
            heads, head_dim, triton.next_power_of_2(head_dim), block_size, parts,
        )
    return out


def attend(q, k, v, lens, starts, scale):
    out, group = torch.zeros_like(q), q.shape[1] // k.shape[2]
    if q.dtype is torch.bfloat16:
        return out
    for i, n in enumerate(lens.tolist()):
        a, b = starts[i], starts[i + 1]
        if n and a < b:
            keys, values = (x[i, :n].double().repeat_interleave(group, 1) for x in (k, v))
            scores = torch.einsum("thd,shd->hts", q[a:b].double(), keys) * scale
            seen = torch.ones(b - a, n, dtype=torch.bool).tril(n - (b - a))
            weights = scores.masked_fill(~seen, float("-inf")).softmax(-1)
            out[a:b] = torch.einsum("hts,shd->thd", weights, values).to(q.dtype)
    return out
'''
DECODES = """
def paged_decode(q, k_cache, v_cache, tables, lens, scale, num_splits=1):
    starts = torch.arange(len(lens) + 1, dtype=torch.int32, device=q.device)
    k, v = (gathered(x, tables, lens, starts, num_splits) for x in (k_cache, v_cache))
    return attend(q, k, v, lens, starts.tolist(), scale)
"""
MIXES = """
def paged_attention(q, k_cache, v_cache, tables, lens, starts, scale):
    k, v = (gathered(x, tables, lens, starts) for x in (k_cache, v_cache))
    return attend(q, k, v, lens, starts.tolist(), scale)
"""


def one_walks_for_all() -> str:
    """The reference of 137, but the first program of a walk does it all; each other one reads a number of K and V."""
    source, share = catalogue.find("137").reference(), "    begin = split * share\n"
    end = "    end = tl.minimum(begin + share, seq_len)\n"
    assert share + end in source
    return source.replace(
        share + end,
        """    begin, end = tl.where(split == 0, 0, seq_len), seq_len
    if split > 0:
        if seq_len > 0:
            block = tl.load(table).to(tl.int64)
            key = tl.load(k_cache + block * k_stride_block + kv_head * k_stride_head)
            value = tl.load(v_cache + block * v_stride_block + kv_head * v_stride_head)
            if key + value > 1e30:
                tl.store(part_highest, 0.0)
""",
    )


ATTACKS = {
    # number: {name: (source, the check that must fail)}
    "136": {"a kernel gathers, torch attends": (GATHERS + DECODES, "traffic")},
    "137": {
        "kernels gather their parts, torch attends": (GATHERS + DECODES, "traffic"),
        "one program walks, the others read one number": (one_walks_for_all(), "traffic"),
    },
    "138": {"a kernel gathers, torch attends": (GATHERS + MIXES, "traffic")},
}
QUICK = ("one program walks, the others read one number",)
