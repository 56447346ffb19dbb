import torch
from torch import Tensor


def paged_attention(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    block_tables: list[list[int]],
    seq_lens: list[int],
    query_start_loc: list[int],
    scale: float,
) -> Tensor:
    """Block by block as a kernel does it: a running maximum, a running sum, and nothing is ever gathered."""
    rows = [
        attend_request(q, k_cache, v_cache, *request, scale)
        for request in requests(block_tables, seq_lens, query_start_loc)
    ]
    return torch.cat([q[:0], *rows])


def requests(block_tables, seq_lens, query_start_loc):
    return zip(block_tables, seq_lens, query_start_loc, query_start_loc[1:], strict=False)


def attend_request(q, k_cache, v_cache, table, seq_len, start, end, scale):
    block_size, num_kv_heads = k_cache.shape[1:3]
    queries = q[start:end].float().unflatten(1, (num_kv_heads, -1))
    position = torch.arange(seq_len - (end - start), seq_len)
    best = torch.full(queries.shape[:3], float("-inf"))
    total, mixed = torch.zeros_like(best), torch.zeros_like(queries)
    for index in range((seq_len + block_size - 1) // block_size):
        used = min(block_size, seq_len - index * block_size)
        k, v = (cache[table[index], :used].float() for cache in (k_cache, v_cache))
        hidden = position[:, None] < torch.arange(index * block_size, index * block_size + used)
        scores = torch.einsum("tkgd,skd->tkgs", queries, k).mul(scale)
        scores = scores.masked_fill(hidden[:, None, None], float("-inf"))
        new = torch.maximum(best, scores.amax(-1))
        weights, keep = (scores - new[..., None]).exp(), (best - new).exp()
        total = total * keep + weights.sum(-1)
        mixed = mixed * keep[..., None] + torch.einsum("tkgs,skd->tkgd", weights, v)
        best = new
    return (mixed / total[..., None]).flatten(1, 2).to(q.dtype)
