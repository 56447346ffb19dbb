from decimal import Decimal, getcontext

getcontext().prec = 50


def _vectors(num_layers, numbers, dtype_bytes):
    return num_layers * sum(numbers) * dtype_bytes


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    return _vectors(num_layers, [head_dim] * 2 * num_kv_heads, dtype_bytes)


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    """Rounds the length up to the next multiple of block_size, then divides with fifty digits."""
    room = tokens + -tokens % block_size
    return int(Decimal(budget_bytes) // (room * bytes_per_token))


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return _vectors(num_layers, [latent_dim, rope_dim], dtype_bytes)
