"""Paged decode block by block, with an online softmax: what a Triton kernel does, for all heads of a block at once."""

import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    """Attention of one new token per request over its context: a new array like q, [B, num_heads, head_dim]."""
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    rows = q.astype("float32").reshape(num_requests, num_kv_heads, num_heads // num_kv_heads, head_dim)
    out = np.empty_like(q)
    for request, seq_len in enumerate(seq_lens.tolist()):
        highest = np.full((*rows.shape[1:3], 1), -np.inf, "float32")  # the largest score so far
        total = np.zeros_like(highest)  # sum of exp(score - highest)
        summed = np.zeros(rows.shape[1:], "float32")  # values, weighted likewise
        for first in range(0, seq_len, block_size):
            block, real = block_tables[request, first // block_size], min(block_size, seq_len - first)
            k, v = (cache[block, :real].astype("float32") for cache in (k_cache, v_cache))  # [real, num_kv_heads, dim]
            scores = np.einsum("hgd,shd->hgs", rows[request], k) * np.float32(scale)
            new_highest = np.maximum(highest, scores.max(-1, keepdims=True))
            shrink, weights = np.exp(highest - new_highest), np.exp(scores - new_highest)
            total = total * shrink + weights.sum(-1, keepdims=True)
            summed = summed * shrink + np.einsum("hgs,shd->hgd", weights, v)
            highest = new_highest
        out[request] = (summed / total).reshape(num_heads, head_dim)
    return out
