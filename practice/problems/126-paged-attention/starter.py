import torch


def paged_attention(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_tables: list[list[int]],
    seq_lens: list[int],
    query_start_loc: list[int],
    scale: float,
) -> torch.Tensor:
    """Causal attention of N queries of B requests, whose keys and values lie in blocks.

    q: [N, num_heads, head_dim]. Request i has the rows query_start_loc[i] up to, but
        without, query_start_loc[i + 1].
    k_cache, v_cache: [num_blocks, block_size, num_kv_heads, head_dim], the queries' own
        tokens included.
    block_tables: B rows of equal length, filled up with -1. seq_lens: B context
        lengths, the queries included.
    scale: factor on the scores.

    Returns [N, num_heads, head_dim] in q's dtype.
    """
    raise NotImplementedError("126: gather one request's context first, then attend")
