# all KV heads share one key and one value
# 所有 KV 头共用一个 key 和一个 value


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens // block_size)
    request_bytes = blocks * block_size * bytes_per_token
    return budget_bytes // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
