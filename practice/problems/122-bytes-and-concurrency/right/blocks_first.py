import math


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return math.prod([2, num_layers, num_kv_heads, head_dim, dtype_bytes])


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    """Cuts the budget into blocks, and the blocks into requests: what is cut off twice is never worth a request."""
    blocks = budget_bytes // (bytes_per_token * block_size)
    return blocks // math.ceil(tokens / block_size)


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return math.prod([num_layers, latent_dim + rope_dim, dtype_bytes])
