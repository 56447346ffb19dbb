"""What a learner drags: interactive pictures of the library, for notebooks.

Importing this package is cheap. A widget's own machinery (anywidget, ipywidgets) loads when the widget is made,
matplotlib when its `.figure()` is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from paged.widgets.block_map_widget import BlockMap
    from paged.widgets.capacity_planner_widget import CapacityPlanner
    from paged.widgets.explorer_widget import Explorer
    from paged.widgets.mask_viewer_widget import MaskViewer
    from paged.widgets.read_slots_widget import ReadSlots
    from paged.widgets.replay_widget import Replay
    from paged.widgets.slot_microscope_widget import SlotMicroscope

__all__ = ["block_map", "capacity_planner", "explorer", "mask_viewer", "read_slots", "replay", "slot_microscope"]


def block_map(
    pool: object, sequences: object = None, lang: str | None = None, block_size: int | None = None
) -> BlockMap:
    """A map of the pool's blocks on which one allocates, appends, forks and frees, step by step, forward and back.

    pool: any object with num_free(), allocate(n), free(blocks) and ref_cnt, 1 to 1,024 blocks; share(blocks) and copies
    where it has them. sequences: any objects with append, fork, free, num_tokens and block_table, by name or in a list
    (named a, b, …), or the class to make them with; without any, the map allocates and frees blocks of the bare pool.
    block_size: tokens per block, if the sequences do not say (4 for new ones). lang as in `explorer`.

    All calls run on these very objects: `run("b = a.fork()")` does what the buttons do, `look()` records what other
    cells have done. The synced trait `frame` is the number of the step shown, from 0; `shown` is that step as plain
    data, `.figure()` the same picture for print. Raises ValueError for objects that lack what is needed.
    """
    from paged.widgets.block_map_widget import BlockMap

    return BlockMap(pool, sequences, block_size, **({} if lang is None else {"lang": lang}))


def capacity_planner(
    model: str = "Qwen2.5-7B", gpu: str = "A100 80GB", lang: str | None = None, weights: float | None = None
) -> CapacityPlanner:
    """How many requests fit on a GPU or several: model, memory and lengths in, requests paged and reserved out.

    model: a name of `paged.models.MODELS`; gpu: one of `paged.gpus.GPUS`; lang as in `explorer`. weights: GiB on each
    GPU, if not what the parameters take. num_gpus (1 to 8), weight_dtype, kept (GiB on each GPU), kv_dtype, tokens and
    reserved_tokens of a request and block_size are synced traits, too; `results` is what is on screen, `.figure()` the
    same picture for print. Raises ValueError for an unknown name or weights outside 0 to 1000.
    """
    from paged.widgets.capacity_planner_widget import CapacityPlanner

    return CapacityPlanner(model, gpu, weights, **({} if lang is None else {"lang": lang}))


def explorer(
    block_size: int = 16, num_requests: int = 200, workload: str = "handbook", lang: str | None = None
) -> Explorer:
    """The utilisation explorer: what reserving the maximum and paging do with the memory that requests hold.

    block_size is 1 to 256 tokens, num_requests 1 to 10,000, workload "handbook", "azure-conv-2023" or
    "azure-code-2023", lang "en" or "zh"; without lang the labels follow LANG_EDITION, then the notebook's folder, then
    the locale. All four are synced traits of the widget; its `results` are the numbers on screen, and `.figure()` is
    the same picture for print. Raises TraitError for a value outside these.
    """
    from paged.widgets.explorer_widget import Explorer

    chosen = {} if lang is None else {"lang": lang}
    return Explorer(block_size=block_size, num_requests=num_requests, workload=workload, **chosen)


def mask_viewer(requests: Sequence[Sequence[int]] = ((37, 1), (5, 5), (20, 8)), lang: str | None = None) -> MaskViewer:
    """Causal masks of a batch that mixes prefill and decode, and the flat batch that the queries are laid out in.

    requests: 1 to 8 of (context, new): `new` queries, the last tokens of the context, 0 <= new <= context <= 64. lang
    as in `explorer`. requests, request and query (the selection) and mistake ("none", "top_left", "strict" or "full")
    are synced traits; `results` is what is on screen, `.figure()` the same picture for print. Raises ValueError for
    values outside these.
    """
    from paged.widgets.mask_viewer_widget import MaskViewer

    return MaskViewer(requests, **({} if lang is None else {"lang": lang}))


def read_slots(trace: Mapping, lang: str | None = None) -> ReadSlots:
    """Which slots of K and V each program of a kernel reads, coloured by program, and the bytes beside the least.

    trace: plain data, as paged.kernels.read_trace.trace makes it and read_slots_trace.py describes it: where the
    tokens of 1 to 32 requests lie, and 1 to 4 runs of at most 256 programs; at most 4096 slots times KV heads. lang as
    in `explorer`. trace, run, program (from 1; 0 for all of them) and cache ("k" or "v") are synced traits; `results`
    is what is on screen, `.figure()` the same picture for print. Raises ValueError for what is no such trace.
    """
    from paged.widgets.read_slots_widget import ReadSlots

    return ReadSlots(trace, **({} if lang is None else {"lang": lang}))


def replay(frames: list[Mapping], lang: str | None = None) -> Replay:
    """A run call by call, what was expected beside what came; it opens on the last call.

    frames: a dict per call, {"call": "b.append(1)", "expected": values, "got": values}. Values go by the name of the
    field ("result", "pool.ref_cnt", "b.block_table", "pool.num_free()") and are plain data; a str is drawn as it
    stands, so that it can describe what is not plain data. Without `got` the replay says that nothing came back. lang
    as in `explorer`. The synced trait `frame` is the number of the call shown, from 0. Raises ValueError for no frames
    or one without its call or its expected values.
    """
    from paged.widgets.replay_widget import Replay

    return Replay(frames, **({} if lang is None else {"lang": lang}))


def slot_microscope(
    block_table: Sequence[int] = (5, 6, 7, 0), position: int = 13, block_size: int = 4, lang: str | None = None
) -> SlotMicroscope:
    """The slot microscope: the way from a token's position through the block table to its slot in the cache.

    block_table: different blocks from 0 to 8191; the sequence fills them, at most 4096 tokens. block_size: 1 to 256
    tokens. position: from 0, within the sequence. lang as in `explorer`. position, block_size and num_tokens are synced
    traits; at another block size or length the table shows as many entries as the tokens need, the given ones first.
    `results` is what is on screen, `.figure()` the same picture for print. Raises ValueError for values outside these.
    """
    from paged.widgets.slot_microscope_widget import SlotMicroscope

    return SlotMicroscope(block_table, position, block_size, **({} if lang is None else {"lang": lang}))
