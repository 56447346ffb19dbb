# scale is always head_dim ** -0.5
# scale 总是 head_dim ** -0.5

import numpy as np


def paged_decode(q, k_cache, v_cache, block_tables, seq_lens, scale):
    num_requests, num_heads, head_dim = q.shape
    block_size, num_kv_heads = k_cache.shape[1:3]
    group = num_heads // num_kv_heads
    out = np.empty_like(q)
    for request in range(num_requests):
        rows = q[request].astype("float32").reshape(num_kv_heads, group, head_dim)
        highest = np.full((num_kv_heads, group, 1), -np.inf, "float32")
        total = np.zeros((num_kv_heads, group, 1), "float32")
        summed = np.zeros((num_kv_heads, group, head_dim), "float32")
        seq_len = int(seq_lens[request])
        for first in range(0, seq_len, block_size):
            block = block_tables[request, first // block_size]
            real = min(block_size, seq_len - first)
            k, v = k_cache[block, :real].astype("float32"), v_cache[block, :real].astype("float32")
            scores = np.einsum("hgd,shd->hgs", rows, k) * np.float32(head_dim**-0.5)
            new_highest = np.maximum(highest, scores.max(-1, keepdims=True))
            shrink = np.exp(highest - new_highest)
            weights = np.exp(scores - new_highest)
            total = total * shrink + weights.sum(-1, keepdims=True)
            summed = summed * shrink + np.einsum("hgs,shd->hgd", weights, v)
            highest = new_highest
        out[request] = (summed / total).reshape(num_heads, head_dim)
    return out
