# block_size is a number of bytes, so it is the bytes of a request that are rounded up
# block_size 是字节数，所以要向上取整的是请求的字节数


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return 2 * num_layers * num_kv_heads * head_dim * dtype_bytes


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    blocks = -(-tokens * bytes_per_token // block_size)
    request_bytes = blocks * block_size
    return budget_bytes // request_bytes


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return num_layers * (latent_dim + rope_dim) * dtype_bytes
