"""All Triton kernels against float64, on a device: the first part of benchmarks/gpu.py.

The batches are those of the tests (tests/library/kernel_cases.py): slots that nobody owns hold NaN, and blocks lie with
room between them. float32 takes Triton's compiler long and is tried on one shape.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from gpu_report import Check
from kernel_cases import SHAPES, STAGES, TOLERANCE, Batch, batch, error

from paged.kernels import triton_decode, triton_slots, triton_split_kv, triton_varlen, triton_write

HALVES = (torch.bfloat16, torch.float16)
SMALL = "block16-dim64-ratio5"


def decode(b: Batch) -> torch.Tensor:
    return triton_decode.paged_decode(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.scale)


def split(b: Batch) -> torch.Tensor:
    return triton_split_kv.paged_decode(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.scale, 3)


def varlen(b: Batch) -> torch.Tensor:
    return triton_varlen.paged_attention(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.starts, b.scale)


KERNELS: dict[str, tuple[Callable[[Batch], torch.Tensor], tuple[str, ...]]] = {
    "decode": (decode, ("decode",)),
    "split": (split, ("decode",)),
    "varlen": (varlen, STAGES),
}


def checks(device: str, shapes: dict = SHAPES, dtypes: tuple[torch.dtype, ...] = HALVES) -> Iterator[Check]:
    """A line per kernel, shape, stage and dtype; then slots and write, whose numbers must be the very ones."""
    cases = [(shape, dtype) for shape in shapes for dtype in dtypes] + [(SMALL, torch.float32)]
    for shape, dtype in cases:
        for stage in STAGES:
            b = on(device, batch(*SHAPES[shape], stage=stage, dtype=dtype, layout="padded-blocks"))
            for name, (kernel, stages) in KERNELS.items():
                if stage in stages:
                    found = error(kernel(b).cpu(), b.expected)
                    named = str(dtype).removeprefix("torch.")
                    yield Check(name, shape, stage, named, None if math.isnan(found) else found, TOLERANCE[dtype])
    for name, differ in (("slots", slots_differ(device)), ("write", write_differs(device))):
        yield Check(name, "small", "mixed", "exact", float(differ), 0.5)


def on(device: str, b: Batch) -> Batch:
    """The batch with its inputs on a device, lying there as they did, room between elements included."""
    names = ("q", "k_cache", "v_cache", "block_tables", "seq_lens", "starts")
    return replace(b, **{name: moved(getattr(b, name), device) for name in names})


def moved(tensor: torch.Tensor, device: str) -> torch.Tensor:
    whole = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
    return whole.to(device).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def slots_differ(device: str) -> int:
    """How many slots of a small batch are wrong: 14 positions, no positions, three in mid-context, padding."""
    tables = torch.tensor([[5, 6, 7, 0], [-1, -1, -1, -1], [9, 2, -1, -1]], dtype=torch.int32, device=device)
    starts = torch.tensor([0, 14, 14, 17], dtype=torch.int32, device=device)
    positions = torch.tensor([*range(14), 3, 4, 5], device=device)
    slots = triton_slots.slot_mapping(tables, starts, positions, 4, 20)
    expected = torch.tensor([*range(20, 32), 0, 1, 39, 8, 9, -1, -1, -1])
    return int((slots.cpu() != expected).sum())


def write_differs(device: str) -> int:
    """How many elements of a cache are wrong after a write of three tokens and one of padding into every other block of
    it, and which must be left alone."""
    whole = torch.full((6, 7, 4, 24), 99.0, device=device)
    values = torch.arange(4 * 3 * 24.0, device=device).view(4, 3, 24)
    expected = whole.clone()
    expected[4, 4, 1:], expected[0, 0, 1:], expected[2, 2, 1:] = values[0], values[2], values[3]
    triton_write.write(whole[::2, :5, 1:], torch.tensor([14, -1, 0, 7], device=device), values)
    return int((whole != expected).sum())
