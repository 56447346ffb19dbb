from fractions import Fraction
from math import ceil, floor


def bytes_per_token(num_layers: int, num_kv_heads: int, head_dim: int, dtype_bytes: int) -> int:
    key = value = head_dim * dtype_bytes
    return (key + value) * num_kv_heads * num_layers


def max_requests(budget_bytes: int, tokens: int, bytes_per_token: int, block_size: int) -> int:
    blocks = ceil(Fraction(tokens, block_size))
    return floor(Fraction(budget_bytes, blocks * block_size * bytes_per_token))


def mla_bytes_per_token(num_layers: int, latent_dim: int, rope_dim: int, dtype_bytes: int) -> int:
    return latent_dim * dtype_bytes * num_layers + rope_dim * dtype_bytes * num_layers
