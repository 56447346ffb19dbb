"""Answers to 134 and 135 that would have someone else do the work, or do it elsewhere; `honest` does it itself."""

from practice.judging import catalogue

SLOTS = catalogue.find("134").reference().replace("def slot_mapping(", "def honest(")
WRITE = catalogue.find("135").reference().replace("def write(", "def honest(")
HELPERS = """
import os

import numpy as np

KEPT = {}


@triton.jit
def copy_kernel(x, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at, tl.load(x + at, mask=at < n, other=0), mask=at < n)


def copied(x):
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), TILE=1024)
    return out
"""
BY_TORCH = {
    "slot_mapping": '''
def by_torch(block_tables, query_start_loc, positions, block_size, padded_to):
    """The right answer, from whatever the tensors hold now."""
    request = torch.bucketize(torch.arange(len(positions)), query_start_loc[1:].long(), right=True)
    request = request.clamp(max=max(len(block_tables) - 1, 0))
    entry = (positions // block_size).clamp(max=block_tables.shape[1] - 1)
    slots = block_tables.long()[request, entry] * block_size + positions % block_size
    return torch.cat([slots, torch.full((padded_to - len(positions),), -1)])
''',
    "write": '''
def by_torch(cache, slot_mapping, values):
    """The right answer, from whatever the tensors hold now."""
    real = slot_mapping >= 0
    block, offset = slot_mapping[real] // cache.shape[1], slot_mapping[real] % cache.shape[1]
    cache[block, offset] = values[real]


def by_numpy(cache, slot_mapping, values):
    """The same, so that PyTorch sees no operation."""
    cache_, slots, rows = cache.numpy(), slot_mapping.numpy(), values.numpy()
    for slot, row in zip(slots, rows):
        if slot >= 0:
            cache_[slot // cache_.shape[1], slot % cache_.shape[1]] = row


GIVEN = []


def secretly(out):
    by_numpy(*GIVEN[0])


@triton.jit
def inside_kernel(cache, out):
    secretly(out)
''',
}
ARGS = {
    "slot_mapping": "block_tables, query_start_loc, positions, block_size, padded_to",
    "write": "cache, slot_mapping, values",
}


def answer(name: str, body: str, before: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    honest, args = {"slot_mapping": SLOTS, "write": WRITE}[name], ARGS[name]
    head = f"import torch\n{honest}\n{HELPERS}\n{BY_TORCH[name]}\n{before}\n"
    return f"{head}\ndef {name}({args}):\n    all = ({args})\n{lines}\n"


SWAPS = """
if os.environ.get("TRITON_INTERPRET") == "1":
    {0} = honest
"""
STORES_TOO = WRITE.replace("def _write(", "def storing_kernel(").replace("_write[(", "storing_kernel[(")
STORES_TOO = STORES_TOO.replace("def honest(", "def storing(").replace(
    "    tl.store(cache + row", "    secretly(cache)\n    tl.store(cache + row"
)

SLOT_ATTACKS = {
    # name: (source, the check that must fail)
    "torch computes the slots": (answer("slot_mapping", "return by_torch(*all)"), "tokens"),
    "torch computes the slots, a kernel copies": (answer("slot_mapping", "return copied(by_torch(*all))"), "tokens"),
    "a kernel reads all, torch answers after it": (
        answer("slot_mapping", "honest(*all)\nreturn by_torch(*all)"),
        "tokens",
    ),
    "torch overwrites what a kernel found": (
        answer("slot_mapping", "out = honest(*all)\nout[:] = by_torch(*all)\nreturn out"),
        "tokens",
    ),
    "slots kept by the pointer of the positions": (
        answer(
            "slot_mapping",
            "key = (positions.data_ptr(), block_tables.data_ptr(), padded_to)\nif key not in KEPT:\n"
            "    KEPT[key] = honest(*all)\nreturn KEPT[key].clone()",
        ),
        "again",
    ),
    "memory that an earlier answer left": (
        answer("slot_mapping", "honest(*all)\nreturn torch.empty(padded_to, dtype=torch.int64)"),
        "tokens",
    ),
    "slots in the memory of the positions": (
        answer(
            "slot_mapping",
            "if padded_to != len(positions):\n    return honest(*all)\npositions.copy_(honest(*all))\nreturn positions",
        ),
        "tokens",
    ),
    "slots from the host's tables": (
        answer("slot_mapping", "tables = block_tables.contiguous().clone()\nreturn honest(tables, *all[1:])"),
        "tokens",
    ),
    "another kernel of slots for the compiler": (
        answer("slot_mapping", "return copied(positions)") + SWAPS.format("slot_mapping"),
        "compiled",
    ),
}
WRITE_ATTACKS = {
    "torch writes": (answer("write", "by_torch(*all)"), "write"),
    "numpy writes": (answer("write", "by_numpy(*all)"), "write"),
    "numpy writes beside an honest kernel": (answer("write", "honest(*all)\nby_numpy(*all)"), "write"),
    "torch writes before an honest kernel": (answer("write", "by_torch(*all)\nhonest(*all)"), "write"),
    "numpy writes inside a kernel": (
        answer("write", "GIVEN[:] = [all]\ninside_kernel[(1,)](cache, cache)"),
        "write",
    ),
    "a kernel stores, numpy writes inside it": (
        answer("write", "GIVEN[:] = [all]\nstoring(*all)", STORES_TOO),
        "write",
    ),
    "torch picks the rows, an honest kernel writes them": (
        answer("write", "real = slot_mapping >= 0\nhonest(cache, slot_mapping[real], values[real])"),
        "write",
    ),
    "the cache made to look elsewhere": (
        answer("write", "cache.data = cache.clone()\nhonest(*all)"),
        "write",
    ),
    "a kernel copies the whole cache": (
        answer("write", "mine = cache.clone()\nhonest(mine, *all[1:])\n")
        + "    copy_kernel[(1,)](mine, cache, cache.numel(), TILE=triton.next_power_of_2(cache.numel()))\n",
        "write",
    ),
    "a refused store is caught, and another follows": (
        answer(
            "write",
            "try:\n    copy_kernel[(1,)](values, cache, 64, TILE=64)\nexcept Exception:\n    pass\nhonest(*all)",
        ),
        "write",
    ),
    "zeros first, by torch": (answer("write", "values.zero_()\nhonest(*all)"), "write"),
    "written once for a pointer": (
        answer(
            "write",
            "if cache.data_ptr() not in KEPT:\n    honest(*all)\nKEPT[cache.data_ptr()] = True",
        ),
        "again",
    ),
    "another kernel of writes for the compiler": (
        answer("write", "copied(values)") + SWAPS.format("write"),
        "compiled",
    ),
    "the library's own write": ("from paged.kernels.triton_write import write\n", "write"),
}
QUICK = ("torch computes the slots, a kernel copies", "numpy writes beside an honest kernel")
