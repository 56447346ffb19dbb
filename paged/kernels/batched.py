"""Backend "batched": the whole decode batch with one gather and one call of torch's attention.

The reference pays for its loop: a decode request has one query, so each turn does little work between many small calls.
Here the K and V of all decode requests are gathered at once, into rows as long as the longest context, and the query
heads that share a KV head become the query rows of one scaled_dot_product_attention (SDPA): K and V are read once per
group and never repeated. A long context beside short ones would pad them all, so requests are taken in order of length
and a call holds only contexts of at most twice its shortest. It also holds at most GATHERED_PER_THREAD elements of
K per thread, or one request: what was just gathered should still be in the processor's cache when attention reads it.
All calls gather into the same memory, for fresh memory costs a page fault every few KiB.

Requests with more than one query, prompts and chunks of prompts, have work enough and go one by one.
"""

from itertools import pairwise

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from paged.storage import as_index

GATHERED_PER_THREAD = 1 << 19


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: list[np.ndarray],
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    """paged_attention after its checks; scores and sums are float32, or float64 if q or the cache is."""
    dtype = torch.promote_types(torch.promote_types(q.dtype, k_cache.dtype), torch.float32)
    out = torch.empty_like(q)
    caches = k_cache, v_cache
    decode = []
    for i, seq_len in enumerate(seq_lens):
        rows = slice(starts[i], starts[i + 1])
        if rows.stop - rows.start == 1:
            decode.append(i)
        elif rows.stop > rows.start:
            out[rows] = _prefill(q[rows].to(dtype), caches, tables[i], seq_len, scale)
    if decode:
        decode.sort(key=seq_lens.__getitem__)
        rows = as_index((starts[i] for i in decode), q.device)
        by_length = [tables[i] for i in decode], [seq_lens[i] for i in decode]
        out[rows] = _decode(q[rows].to(dtype), caches, *by_length, scale).to(q.dtype)
    return out


def _prefill(
    q: torch.Tensor, caches: tuple[torch.Tensor, torch.Tensor], table: np.ndarray, seq_len: int, scale: float
) -> torch.Tensor:
    """One request: q [T, num_heads, D] against its context. The KV heads are the batch of the call, so that K and V
    reach every head of their group as views."""
    num_new, num_kv_heads = len(q), caches[0].shape[2]
    group = q.shape[1] // num_kv_heads
    index = torch.from_numpy(table).to(q.device)
    k, v = (cache.index_select(0, index).flatten(0, 1)[:seq_len].to(q.dtype) for cache in caches)  # [S, n_kv, D]
    k, v = (x.transpose(0, 1).unsqueeze(1).expand(-1, group, -1, -1) for x in (k, v))  # [n_kv, group, S, D]
    queries = q.unflatten(1, (num_kv_heads, group)).permute(1, 2, 0, 3)  # [n_kv, group, T, D]
    whole = num_new == seq_len
    visible = None
    if not whole:  # is_causal aligns at the first position; a chunk's queries stand at the last
        visible = torch.ones(num_new, seq_len, dtype=torch.bool, device=q.device).tril(seq_len - num_new)
    out = scaled_dot_product_attention(queries, k, v, attn_mask=visible, is_causal=whole, scale=scale)
    return out.permute(2, 0, 1, 3).flatten(1, 2)


def _decode(
    q: torch.Tensor,
    caches: tuple[torch.Tensor, torch.Tensor],
    tables: list[np.ndarray],
    seq_lens: list[int],
    scale: float,
) -> torch.Tensor:
    """n requests of one query each, the shortest context first: q [n, num_heads, D]."""
    num_kv_heads, head_dim = caches[0].shape[2:]
    queries = q.unflatten(1, (num_kv_heads, -1))  # [n, n_kv, heads per KV head, D]
    out = torch.empty_like(queries)
    groups = _of_similar_length(seq_lens, GATHERED_PER_THREAD * torch.get_num_threads() // (num_kv_heads * head_dim))
    filled = [_filled(tables[group]) for group in groups]
    room = [cache.new_empty(max(map(len, filled)), *cache.shape[1:]) for cache in caches]
    for group, blocks in zip(groups, filled, strict=True):
        lengths = seq_lens[group]
        index = torch.from_numpy(blocks).to(q.device)
        k, v = (
            torch.index_select(cache, 0, index, out=to[: len(blocks)]).view(len(lengths), -1, num_kv_heads, head_dim)
            for cache, to in zip(caches, room, strict=True)
        )
        k, v = (x[:, : lengths[-1]].to(q.dtype).transpose(1, 2) for x in (k, v))  # [n of group, n_kv, S, D]
        visible = None
        if lengths[0] < lengths[-1]:
            ends = torch.tensor(lengths, device=q.device)
            visible = (torch.arange(lengths[-1], device=q.device) < ends[:, None])[:, None, None, :]
            for i, seq_len in enumerate(lengths):  # past its context may stand anything: NaN times weight 0 is NaN
                k[i, :, seq_len:] = 0
                v[i, :, seq_len:] = 0
        out[group] = scaled_dot_product_attention(queries[group], k, v, attn_mask=visible, scale=scale)
    return out.flatten(1, 2)


def _of_similar_length(seq_lens: list[int], max_tokens: int) -> list[slice]:
    """Cuts lengths that rise into groups whose last is at most twice the first, and that fit max_tokens if padded."""
    cuts = [0]
    for i, seq_len in enumerate(seq_lens):
        if seq_len > 2 * seq_lens[cuts[-1]] or (i > cuts[-1] and (i + 1 - cuts[-1]) * seq_len > max_tokens):
            cuts.append(i)
    return [slice(*bounds) for bounds in pairwise([*cuts, len(seq_lens)])]


def _filled(tables: list[np.ndarray]) -> np.ndarray:
    """The tables one after the other, the shorter filled up with their own last block: what is gathered twice is masked
    and zeroed."""
    widest = len(tables[-1])
    if len(tables[0]) == widest:
        return np.concatenate(tables)
    return np.concatenate([np.pad(table, (0, widest - len(table)), "edge") for table in tables])
