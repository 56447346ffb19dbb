# a budget that is used up to the last byte is one request too many
# 预算用到一个字节不剩，就算多放了一个请求


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * num_kv_heads * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens // block_size)
    request_bytes = blocks * block_size * bytes_per_token
    return max(0, budget_bytes - 1) // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
