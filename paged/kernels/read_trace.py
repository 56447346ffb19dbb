"""Which slots of K and V each program of a Triton kernel reads: Triton's interpreter calls us before every load.

A program of a kernel has no side that shows what it fetched. But the interpreter (TRITON_INTERPRET=1, from the start of
the process) carries programs out one after the other in Python, and all their loads come by one method. What comes by
there is a fact about bytes, which holds on a GPU as well; nothing follows from it about time.

The result is plain data, as `paged.widgets.read_slots` takes it. It leaves out stores, the table and q.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
import triton.runtime.interpreter as interpreter
from triton.runtime.autotuner import Autotuner


def programs_of(call: Callable[[], object], k_cache: torch.Tensor, v_cache: torch.Tensor) -> list[dict]:
    """Run call(), which launches kernels on two caches [num_blocks, block_size, num_kv_heads, head_dim]; who read what.

    A dict for each program, in the order in which they ran: {"id": [launch, x, y, z], "k": reads, "v": reads}. Reads
    are [slot, kv_head, bytes], in that order; what is read twice counts twice. A configuration to be tuned is not
    timed: the first one runs. Raises RuntimeError if no kernel ran in the interpreter, ValueError for caches that
    don't lie in one piece.
    """
    caches = {"k": k_cache, "v": v_cache}
    for name, cache in caches.items():
        if cache.dim() != 4 or not cache.is_contiguous():
            raise ValueError(f"{name}_cache must be contiguous with 4 dims, got {list(cache.shape)}, {cache.stride()}")
    programs: list[tuple[list[int], dict[str, Counter]]] = []
    with _watched(programs, caches):
        call()
    if not programs:
        raise RuntimeError("no kernel ran in Triton's interpreter: the process needs TRITON_INTERPRET=1 when it starts")
    return [{"id": place, **{name: _rows(read[name]) for name in caches}} for place, read in programs]


def trace(
    k_cache: torch.Tensor, block_tables: Sequence[Sequence[int]], seq_lens: Sequence[int], runs: Sequence[dict]
) -> dict:
    """What `read_slots` shows: where the requests' tokens lie in caches of this shape, and the runs.

    block_tables: a list of blocks for each request; what stands behind its seq_len is left out. runs: dicts
    {"name": a str or one for each language, "programs": from programs_of}.
    """
    num_blocks, block_size, num_kv_heads, head_dim = k_cache.shape
    return {
        "num_blocks": num_blocks,
        "block_size": block_size,
        "num_kv_heads": num_kv_heads,
        "row_bytes": head_dim * k_cache.element_size(),
        "requests": [
            {"block_table": list(table[: -(-length // block_size)]), "num_tokens": length}
            for table, length in zip(block_tables, seq_lens, strict=True)
        ],
        "runs": list(runs),
    }


def _rows(read: Counter) -> list[list[int]]:
    return [[*place, size] for place, size in sorted(read.items())]


@contextmanager
def _watched(programs: list, caches: dict[str, torch.Tensor]) -> Iterator[None]:
    """While it lasts, every program gets an entry in `programs`, and every load is noted in the last one."""
    builder = type(interpreter.interpreter_builder)
    load, place_program, tune = builder.create_masked_load, builder.set_grid_idx, Autotuner.run

    def begin(self: object, *grid: int) -> None:
        """Programs of a launch run from (0, 0, 0) on."""
        launch = programs[-1][0][0] + (grid == (0, 0, 0)) if programs else 0
        programs.append(([launch, *grid], {name: Counter() for name in caches}))
        place_program(self, *grid)

    def note(self: object, pointers: object, mask: object, *rest: object) -> object:
        addresses = pointers.data[np.broadcast_to(mask.data, pointers.data.shape)].astype(np.int64)
        for name, cache in caches.items():
            programs[-1][1][name].update(_places(addresses, cache))
        return load(self, pointers, mask, *rest)

    def first_of(self: Autotuner, *arguments: object, **options: object) -> object:
        return self.fn.run(*arguments, **options, **self.configs[0].all_kwargs())

    builder.create_masked_load, builder.set_grid_idx, Autotuner.run = note, begin, first_of
    try:
        yield
    finally:
        builder.create_masked_load, builder.set_grid_idx, Autotuner.run = load, place_program, tune


def _places(addresses: np.ndarray, cache: torch.Tensor) -> dict[tuple[int, int], int]:
    """Bytes that a load takes from each (slot, KV head) of a cache."""
    heads, head_dim = cache.shape[2:]
    elements = (addresses - cache.data_ptr()) // cache.element_size()
    rows, counts = np.unique(elements[(elements >= 0) & (elements < cache.numel())] // head_dim, return_counts=True)
    return {
        (row // heads, row % heads): count * cache.element_size()
        for row, count in zip(rows.tolist(), counts.tolist(), strict=True)
    }
