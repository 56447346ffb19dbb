def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    """Adds up what each layer and head keep."""
    total = 0
    for _ in range(num_layers):
        for _ in range(num_kv_heads):
            total += head_dim * dtype_bytes  # the key
            total += head_dim * dtype_bytes  # the value
    return total


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    full, rest = divmod(tokens, block_size)
    if rest:
        full += 1
    requests, _left = divmod(budget_bytes, full * block_size * bytes_per_token)
    return requests


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    return sum([latent_dim, rope_dim] * num_layers) * dtype_bytes
