"""Backend "batched": whole groups of decode requests with one gather and one call of torch's attention.

The reference pays for its loop: a decode request has one query, so each turn does little work between many small calls.
Here the K and V of several decode requests are gathered at once, into rows as long as the longest context, and the
query heads that share a KV head become the query rows of one scaled_dot_product_attention (SDPA): K and V are read once
per KV head and never repeated. A long context beside short ones would pad them all, so requests are taken in order of
length and a group holds only contexts of at most twice its shortest.

A group is also small enough that what was just gathered is still in the processor's cache when attention reads it. All
groups gather into the same memory, for fresh memory costs a page fault every few KiB.

Requests with more than one query, prompts and chunks of prompts, have work enough and go one by one.

Engines must see NaN where it is and only there. SDPA gives 0 for a query none of whose scores is a number, NaN for one
that should not see the key which is NaN, and NaN for is_causal with a scale of 0 or less. So a request with such a row
is left to the reference, and such a scale does without is_causal.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from paged.attention import BACKENDS

IN_CACHE = 1 << 17  # elements of K per thread: as float32 and with V they take 1 MiB
GATHERED = 1 << 19  # likewise, where a thread would otherwise not have a request of its own
QUERIES = 256  # per call of SDPA


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: torch.Tensor,
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    """paged_attention after its checks; scores and sums are float32, or float64 if q or the cache is."""
    dtype = torch.promote_types(torch.promote_types(q.dtype, k_cache.dtype), torch.float32)
    out = torch.empty_like(q)
    caches = k_cache, v_cache
    decode = []
    for i, (start, end) in enumerate(pairwise(starts)):
        if end - start == 1:
            decode.append(i)
        elif end > start:
            _prefill(q[start:end].to(dtype), caches, tables[i], seq_lens[i], scale, out[start:end])
    if decode:
        decode.sort(key=seq_lens.__getitem__)
        rows = torch.tensor([starts[i] for i in decode], device=q.device)
        by_length = tables.index_select(0, torch.tensor(decode)).numpy(), [seq_lens[i] for i in decode]
        out.index_copy_(0, rows, _decode(q.index_select(0, rows).to(dtype), caches, *by_length, scale).to(q.dtype))
    if not (out[..., 0].abs() > 0).all():  # 0 or NaN
        doubtful = ~(out.abs() > 0).any(dim=2).all(dim=1)
        for i, (start, end) in enumerate(pairwise(starts)):
            if doubtful[start:end].any():
                own = tables[i : i + 1], seq_lens[i : i + 1], [0, end - start]
                out[start:end] = BACKENDS["reference"](q[start:end], *caches, *own, scale)
    return out


def _prefill(
    q: torch.Tensor,
    caches: tuple[torch.Tensor, torch.Tensor],
    table: torch.Tensor,
    seq_len: int,
    scale: float,
    out: torch.Tensor,
) -> None:
    """One request: q [T, num_heads, D] against its context, into out."""
    num_new, index = len(q), table[: -(-seq_len // caches[0].shape[1])].to(q.device)
    k, v = (cache.index_select(0, index).flatten(0, 1)[:seq_len].to(q.dtype) for cache in caches)  # [S, n_kv, D]
    queries, keys, values = (x.transpose(0, 1).unsqueeze(0) for x in (q, k, v))  # [1, heads, T or S, D]
    before = seq_len - num_new
    # Parts leave out most of what their queries do not see, and keep masks small; from about two parts on, SDPA's own
    # way through a whole prompt is faster.
    part = num_new if before == 0 and num_new > 2 * QUERIES and scale > 0 else QUERIES
    for first in range(0, num_new, part):
        end = min(first + part, num_new)
        seen = before + end
        whole = seen == end - first and scale > 0
        visible = None
        if not whole:  # is_causal aligns at the first position; these queries stand at the last
            visible = torch.ones(end - first, seen, dtype=torch.bool, device=q.device).tril(before + first)
        some = queries[:, :, first:end], keys[:, :, :seen], values[:, :, :seen]
        found = scaled_dot_product_attention(*some, attn_mask=visible, is_causal=whole, scale=scale, enable_gqa=True)
        out[first:end] = found[0].transpose(0, 1)


def _decode(
    q: torch.Tensor,
    caches: tuple[torch.Tensor, torch.Tensor],
    tables: np.ndarray,
    seq_lens: list[int],
    scale: float,
) -> torch.Tensor:
    """n requests of one query each, the shortest context first: q [n, num_heads, D].

    All views and masks are made before the first gather: K and V that stream through a processor's cache leave nothing
    of the interpreter there, and then even a view takes several times as long.
    """
    block_size, num_kv_heads, head_dim = caches[0].shape[1:]
    token = num_kv_heads * head_dim
    groups = _of_similar_length(seq_lens, token, torch.get_num_threads())
    lengths = [seq_lens[group] for group in groups]
    widths = [-(-some[-1] // block_size) for some in lengths]
    counts = [len(some) * width for some, width in zip(lengths, widths, strict=True)]
    blocks = np.concatenate([tables[group, :width].ravel() for group, width in zip(groups, widths, strict=True)])
    rooms = [cache.new_empty(max(counts), *cache.shape[1:]) for cache in caches]

    @cache
    def views(num_requests: int, width: int, longest: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Of K's room and of V's: the blocks to be gathered, and the same memory as [n, n_kv, S, D]."""
        shape, strides = (num_requests, num_kv_heads, longest), (width * block_size * token, head_dim, token)
        return [(room[: num_requests * width], room.as_strided((*shape, head_dim), (*strides, 1))) for room in rooms]

    turns = zip(
        q.unflatten(1, (num_kv_heads, -1)).split([len(some) for some in lengths]),
        torch.from_numpy(blocks).to(q.device).split(counts),
        [views(len(some), width, some[-1]) for some, width in zip(lengths, widths, strict=True)],
        [_past(some, width * block_size, q.device) for some, width in zip(lengths, widths, strict=True)],
        strict=True,
    )
    out = []
    for queries, index, ((k_blocks, k), (v_blocks, v)), (visible, past) in turns:
        torch.index_select(caches[0], 0, index, out=k_blocks)
        torch.index_select(caches[1], 0, index, out=v_blocks)
        if past is not None:
            k_blocks.flatten(0, 1).index_fill_(0, past, 0)
            v_blocks.flatten(0, 1).index_fill_(0, past, 0)
        if not k.dtype == v.dtype == q.dtype:
            k, v = k.to(q.dtype), v.to(q.dtype)
        out.append(scaled_dot_product_attention(queries, k, v, attn_mask=visible, scale=scale))
    return torch.cat(out).flatten(1, 2)


def _past(lengths: list[int], slots: int, device: torch.device) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """For contexts that differ: which positions each sees, [n, 1, 1, S], and which gathered slots none does. These are
    zeroed, for anything may stand past a context, and NaN times weight 0 is NaN."""
    if lengths[0] == lengths[-1]:
        return None, None
    visible = np.arange(slots) < np.array(lengths)[:, None]
    past = torch.from_numpy(np.flatnonzero(~visible)).to(device)
    return torch.from_numpy(visible[:, None, None, : lengths[-1]]).to(device), past


def _of_similar_length(seq_lens: list[int], token: int, threads: int) -> list[slice]:
    """Cuts lengths that rise into groups whose last is at most twice the first. `token`: elements of K for one token.

    A group, padded, has IN_CACHE elements per thread, or up to GATHERED if it holds no more than a request per thread:
    what one thread gathered, another would have to fetch from its cache. One request is always a group.
    """
    cuts = [0]
    for i, seq_len in enumerate(seq_lens):
        num_requests = i + 1 - cuts[-1]
        most = (IN_CACHE if num_requests > threads else GATHERED) * threads
        if seq_len > 2 * seq_lens[cuts[-1]] or (num_requests > 1 and num_requests * seq_len * token > most):
            cuts.append(i)
    return [slice(*bounds) for bounds in pairwise([*cuts, len(seq_lens)])]
