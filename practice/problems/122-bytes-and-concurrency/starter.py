def bytes_per_token(num_layers, num_kv_heads, head_dim, dtype_bytes):
    """Bytes of keys and values that one token leaves in all layers.

    head_dim: numbers in one key, and in one value. dtype_bytes: bytes of one number, 2
        for BF16 and 1 for FP8.
    """
    raise NotImplementedError("122: what does one token leave in one layer?")


def max_requests(budget_bytes, tokens, bytes_per_token, block_size):
    """How many requests of `tokens` tokens each fit into budget_bytes, if each takes
    whole blocks of its own.

    bytes_per_token is a number here, not the function above. block_size: tokens that
    one block has room for.
    """
    raise NotImplementedError("122: how many bytes does one request take?")


def mla_bytes_per_token(num_layers, latent_dim, rope_dim, dtype_bytes):
    """Bytes that one token leaves in all layers if each layer keeps one latent and one
    rotary key, for all heads.
    """
    raise NotImplementedError("122: how many numbers does one layer keep?")
