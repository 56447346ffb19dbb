# each KV head has its own key, but the value is the same for all heads
# 每个 KV 头有自己的 key，而 value 是所有头共用的


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return num_layers * (num_kv_heads + 1) * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens // block_size)
    request_bytes = blocks * block_size * bytes_per_token
    return budget_bytes // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
