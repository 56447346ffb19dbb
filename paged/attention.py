"""Paged attention: the new tokens of many requests attend to contexts that lie scattered over blocks.

A kernel for contiguous K/V needs three more inputs to read a paged cache: every request's block table, every request's
context length, and where each request's queries begin. Requests of a batch may be at any stage: decode (one query), a
whole prompt (as many queries as context), or one chunk of a prompt.

The backend "reference" gathers one request at a time and does ordinary attention on the copy. It says what is right and
is written to be read; real kernels walk the block table inside the kernel (vLLM 0.33,
v1/attention/ops/triton_unified_attention.py) and come to the same numbers. So do the other backends, in paged/kernels.
No sliding window, no soft cap, no ALiBi.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module

import torch
from torch.autograd.forward_ad import unpack_dual

from paged.cache import PagedKVCache
from paged.kernels import BackendUnavailable
from paged.slots import as_ints, check_query_start_loc
from paged.storage import checked_tables, gather, used_blocks

INTEGERS = (torch.int32, torch.int64)  # of block tables, as engines have them
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)  # of q, K and V; FP8 would need scales


def paged_attention(
    q: torch.Tensor,
    kv: PagedKVCache,
    layer: int,
    block_tables: torch.Tensor | list[list[int]],
    seq_lens: torch.Tensor | list[int],
    query_start_loc: torch.Tensor | list[int],
    scale: float,
    backend: str = "reference",
) -> torch.Tensor:
    """Causal attention of N new tokens of B requests; their own K/V must already be in the cache.

    q: [N, num_heads, head_dim]. num_heads is a multiple of num_kv_heads: head h reads KV head
        h // (num_heads / num_kv_heads) (GQA).
    block_tables: B rows. Entries past a request's context are not looked at.
    seq_lens: [B] context lengths, the new tokens included.
    query_start_loc: [B + 1], from 0 to N. Request i's queries are q[query_start_loc[i]:query_start_loc[i + 1]], the
        last tokens of its context; a request may have none and then adds no rows. (cu_seqlens_q in FlashAttention.)
    scale: factor on the scores, usually head_dim ** -0.5.
    backend: "reference", "batched", "native" or "triton"; paged/kernels/__init__.py says what each is.

    Returns [N, num_heads, head_dim] in q's dtype. Scores and sums are float32, or float64 if q or the cache is. Only
    "reference" can be differentiated.
    Raises ValueError, before anything is read, for an unknown backend or layer, sizes that don't fit together, dtypes
    other than float16, bfloat16, float32 and float64, tensors on different devices, more queries than context, and
    tables that are too short or name no block of the cache; TypeError for a q that is no tensor and a text as scale;
    paged.kernels.BackendUnavailable, which says what to do, if the backend cannot work on this machine, with these
    dtypes, or where gradients are wanted.
    """
    return attention_over(q, *kv.layer(layer), block_tables, seq_lens, query_start_loc, scale, backend=backend)


def attention_over(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: torch.Tensor | list[list[int]],
    seq_lens: torch.Tensor | list[int],
    query_start_loc: torch.Tensor | list[int],
    scale: float,
    backend: str = "reference",
) -> torch.Tensor:
    """paged_attention over the K and V of one layer, [num_blocks, block_size, num_kv_heads, head_dim] each."""
    if backend not in BACKENDS:
        raise ValueError(f"unknown backend {backend!r}, there are: {', '.join(BACKENDS)}")
    _check_caches(q, k_cache, v_cache)
    seq_lens, starts = as_ints(seq_lens), as_ints(query_start_loc)
    if isinstance(scale, str | bytes | bytearray):
        raise TypeError(f"scale must be a number, got {scale!r}")
    if backend != "reference" and _wants_gradients(q, k_cache, v_cache):
        raise BackendUnavailable(f"backend {backend!r} gives no gradients: use torch.no_grad(), or 'reference'")
    q, k_cache, v_cache = (x.resolve_neg() for x in (q, k_cache, v_cache))  # kernels read what memory holds
    _check_heads(q, *k_cache.shape[2:])
    check_query_start_loc(starts, _num_requests(block_tables), q.shape[0])
    _check_queries(seq_lens, starts)
    tables = _tables(k_cache, block_tables, seq_lens)
    if backend not in CHECK_TABLES:
        tables = checked_tables(k_cache, tables, seq_lens)
    return BACKENDS[backend](q, k_cache, v_cache, tables, seq_lens, starts, float(scale))


def _reference(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: torch.Tensor,
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    dtype = torch.promote_types(torch.promote_types(q.dtype, k_cache.dtype), torch.float32)
    out = torch.empty_like(q)
    for i, (table, seq_len) in enumerate(zip(tables, seq_lens, strict=True)):
        start, end = starts[i], starts[i + 1]
        num_new = end - start
        k, v = (gather(cache, table, seq_len).to(dtype) for cache in (k_cache, v_cache))  # [S, n_kv, D]
        grouped = q[start:end].to(dtype).unflatten(1, (k.shape[1], -1))  # [T, n_kv, heads per KV head, D]
        scores = torch.einsum("tkgd,skd->kgts", grouped, k) * scale
        # Query j stands at position seq_len - num_new + j and sees the positions up to its own.
        visible = torch.ones(num_new, seq_len, dtype=torch.bool, device=q.device).tril(seq_len - num_new)
        weights = scores.masked_fill(~visible, float("-inf")).softmax(-1)
        out[start:end] = torch.einsum("kgts,skd->tkgd", weights, v).flatten(1, 2)
    return out


def _on_first_use(module: str) -> Callable[..., torch.Tensor]:
    attend = cache(lambda: import_module(f"paged.kernels.{module}").attend)
    return lambda *arguments: attend()(*arguments)


BACKENDS = {
    "reference": _reference,
    "batched": _on_first_use("batched"),
    "native": _on_first_use("native"),
    "triton": _on_first_use("triton_backend"),
}
CHECK_TABLES = ("native",)  # these do so themselves, which is quicker


def _num_requests(block_tables: torch.Tensor | list[list[int]]) -> int:
    """Raises ValueError for tensors of other shapes and numbers than a table's."""
    if not isinstance(block_tables, torch.Tensor):
        return len(block_tables)
    if block_tables.dim() != 2 or block_tables.is_floating_point() or block_tables.dtype == torch.bool:
        raise ValueError(f"block_tables must be integers [B, W], got {block_tables.dtype} {list(block_tables.shape)}")
    return block_tables.shape[0]


def _tables(cache: torch.Tensor, block_tables: torch.Tensor | list[list[int]], seq_lens: list[int]) -> torch.Tensor:
    """[B, W] on the CPU. Tables that come as engines have them are not checked; others are, and are cut to the context.

    Raises ValueError where used_blocks does, for those others.
    """
    if isinstance(block_tables, torch.Tensor):
        positions = block_tables.shape[1] * cache.shape[1]
        if block_tables.dtype in INTEGERS and max(seq_lens, default=0) <= positions:
            return block_tables.cpu()
        block_tables = block_tables.tolist()
    rows = [used_blocks(cache, row, seq_len) for row, seq_len in zip(block_tables, seq_lens, strict=True)]
    widest = max(map(len, rows), default=0)
    padded = [row + [0] * (widest - len(row)) for row in rows]
    return torch.tensor(padded, dtype=torch.int64).view(len(rows), widest)


def _check_caches(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor) -> None:
    for name, given in {"q": q, "K": k_cache, "V": v_cache}.items():
        if not isinstance(given, torch.Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(given).__name__}")
    if k_cache.shape != v_cache.shape:
        raise ValueError(f"K is {list(k_cache.shape)}, but V is {list(v_cache.shape)}")
    if k_cache.dim() != 4 or 0 in k_cache.shape[1:]:
        raise ValueError(
            "K and V must be [num_blocks, block_size, num_kv_heads, head_dim], none of the last three 0, "
            f"got {list(k_cache.shape)}"
        )
    if not {q.dtype, k_cache.dtype, v_cache.dtype}.issubset(FLOATS):
        known = ", ".join(str(dtype) for dtype in FLOATS)
        raise ValueError(f"q, K and V must be of {known}, got {q.dtype}, {k_cache.dtype}, {v_cache.dtype}")
    if not q.device == k_cache.device == v_cache.device:
        raise ValueError(f"q is on {q.device}, K on {k_cache.device}, V on {v_cache.device}: move them to one")
    if q.is_meta:
        raise ValueError("q, K and V are on the device 'meta', where tensors hold nothing")


def _wants_gradients(*tensors: torch.Tensor) -> bool:
    """Backward, or forward with a tangent."""
    backward = torch.is_grad_enabled()
    return any((backward and x.requires_grad) or unpack_dual(x).tangent is not None for x in tensors)


def _check_heads(q: torch.Tensor, num_kv_heads: int, head_dim: int) -> None:
    if q.dim() != 3 or q.shape[2] != head_dim:
        raise ValueError(f"q must be [N, num_heads, {head_dim}], got {list(q.shape)}")
    if q.shape[1] < 1 or q.shape[1] % num_kv_heads:
        raise ValueError(f"{q.shape[1]} query heads are no multiple of {num_kv_heads} KV heads")


def _check_queries(seq_lens: list[int], starts: list[int]) -> None:
    if len(seq_lens) != len(starts) - 1:
        raise ValueError(f"{len(starts) - 1} requests need as many seq_lens, got {len(seq_lens)}")
    for i, seq_len in enumerate(seq_lens):
        num_new = starts[i + 1] - starts[i]
        if num_new > seq_len:
            raise ValueError(f"request {i} has {num_new} queries, but its context is {seq_len} tokens")
