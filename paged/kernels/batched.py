"""Backend "batched": the whole decode batch with one gather and one call of torch's attention.

The reference pays for its loop: a decode request has one query, so each turn does little work between many small calls.
Here the K and V of all decode requests are gathered at once, into rows as long as the longest context, and the query
heads that share a KV head become the query rows of one scaled_dot_product_attention (SDPA): K and V are read once per
group and never repeated. A long context beside short ones would pad them all, so requests are taken in order of length
and a call holds only contexts of at most twice its shortest. It also holds at most GATHERED_PER_THREAD elements of
K per thread, or one request: what was just gathered should still be in the processor's cache when attention reads it.

Requests with more than one query, prompts and chunks of prompts, have work enough and go one by one.
"""

import torch
from torch.nn.functional import scaled_dot_product_attention

from paged.storage import as_index

GATHERED_PER_THREAD = 1 << 19


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: list[list[int]],
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
    max_tokens = GATHERED_PER_THREAD * torch.get_num_threads() // k_cache[0, 0].numel()
    for group in _of_similar_length(decode, seq_lens, max_tokens):
        rows = as_index((starts[i] for i in group), q.device)
        lengths = [seq_lens[i] for i in group]
        out[rows] = _decode(q[rows].to(dtype), caches, [tables[i] for i in group], lengths, scale).to(q.dtype)
    return out


def _prefill(
    q: torch.Tensor, caches: tuple[torch.Tensor, torch.Tensor], table: list[int], seq_len: int, scale: float
) -> torch.Tensor:
    """One request: q [T, num_heads, D] against its context. The KV heads are the batch of the call, so that K and V
    reach every head of their group as views."""
    num_new, num_kv_heads = len(q), caches[0].shape[2]
    group = q.shape[1] // num_kv_heads
    index = as_index(table, q.device)
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
    tables: list[list[int]],
    seq_lens: list[int],
    scale: float,
) -> torch.Tensor:
    """n requests of one query each: q [n, num_heads, D]."""
    block_size, num_kv_heads = caches[0].shape[1:3]
    widest, longest = max(map(len, tables)), max(seq_lens)
    # A short table is filled up with its own last block; what is gathered twice is masked and zeroed below.
    filled = [block for table in tables for block in table + table[-1:] * (widest - len(table))]
    index = as_index(filled, q.device)
    k, v = (cache.index_select(0, index).view(len(q), widest * block_size, *cache.shape[2:]) for cache in caches)
    k, v = (x[:, :longest].to(q.dtype) for x in (k, v))  # [n, S, n_kv, D]
    visible = None
    if min(seq_lens) < longest:
        lengths = torch.tensor(seq_lens, device=q.device)
        visible = torch.arange(longest, device=q.device) < lengths[:, None]
        for i, seq_len in enumerate(seq_lens):  # past its context may stand anything: NaN times weight 0 is NaN
            k[i, seq_len:] = 0
            v[i, seq_len:] = 0
        visible = visible[:, None, None, :]
    queries = q.unflatten(1, (num_kv_heads, -1))  # [n, n_kv, heads per KV head, D]
    out = scaled_dot_product_attention(queries, k.transpose(1, 2), v.transpose(1, 2), attn_mask=visible, scale=scale)
    return out.flatten(1, 2)


def _of_similar_length(requests: list[int], seq_lens: list[int], max_tokens: int) -> list[list[int]]:
    """The requests in groups whose longest context is at most twice the shortest, and that fit max_tokens if padded."""
    groups: list[list[int]] = []
    for i in sorted(requests, key=seq_lens.__getitem__):
        group = groups[-1] if groups else []
        if group and seq_lens[i] <= 2 * seq_lens[group[0]] and (len(group) + 1) * seq_lens[i] <= max_tokens:
            group.append(i)
        else:
            groups.append([i])
    return groups
