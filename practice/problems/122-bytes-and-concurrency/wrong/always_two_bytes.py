# a number in the cache takes two bytes whatever the type
# 缓存里的一个数总是占两个字节，与类型无关


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * num_kv_heads * head_dim * 2


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens // block_size)
    request_bytes = blocks * block_size * bytes_per_token
    return budget_bytes // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
