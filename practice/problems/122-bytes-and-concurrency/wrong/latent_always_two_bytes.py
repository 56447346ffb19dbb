# a latent is too delicate for FP8 and keeps two bytes per number
# 潜向量不能存成 FP8，每个数至少占两个字节


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * num_kv_heads * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens // block_size)
    request_bytes = blocks * block_size * bytes_per_token
    return budget_bytes // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * max(2, dtype_bytes)
