# a new request begins in the room that the last block of another one leaves
# 新请求可以从别的请求最后一块剩下的位置开始放


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * num_kv_heads * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = budget_bytes // (block_size * bytes_per_token)
    return blocks * block_size // tokens


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
