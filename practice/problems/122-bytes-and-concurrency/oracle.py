"""What 122 asks for, vector by vector; requests are counted by a search for the largest number that still fits."""


def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    layer = [head_dim * dtype_bytes for _ in range(num_kv_heads) for _ in ("key", "value")]
    return sum(sum(layer) for _ in range(num_layers))


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    layer = [numbers * dtype_bytes for numbers in (latent_dim, rope_dim)]
    return sum(sum(layer) for _ in range(num_layers))


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    request = bytes_per_token * sum(block_size for _ in range(0, tokens, block_size))
    fits, too_many = 0, 1
    while too_many * request <= budget_bytes:
        fits, too_many = too_many, 2 * too_many
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if middle * request <= budget_bytes:
            fits = middle
        else:
            too_many = middle
    return fits
