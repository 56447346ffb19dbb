"""What a KV cache costs: bytes per token, and how many requests fit into a budget.

Every token leaves one K and one V vector per KV head in each layer. Grouped-query attention keeps fewer KV heads than
query heads, which is most of what makes long contexts affordable. Multi-head latent attention (MLA; DeepSeek-V2,
section 2.1) keeps one short vector per layer instead, from which every head's K and V can be computed again.

Sizes are whole numbers, and so is the arithmetic: budgets beyond 2**53 bytes lose nothing. NumPy's integers are refused
because they overflow; a budget may be a float.
"""

from math import isfinite

from paged.sizes import check_size


def bytes_per_token(num_layers: int, num_kv_heads: int, head_dim: int, dtype_bytes: int) -> int:
    """Bytes of K and V that one token takes in all layers; dtype_bytes is 2 for FP16 and BF16, 1 for FP8.

    Qwen2.5-7B (28 layers, 4 KV heads of 128, BF16): 57,344 bytes = 56 KiB.
    Raises ValueError for what is no int of at least 1.
    """
    _check_sizes(num_layers=num_layers, num_kv_heads=num_kv_heads, head_dim=head_dim, dtype_bytes=dtype_bytes)
    return 2 * num_layers * num_kv_heads * head_dim * dtype_bytes


def mla_bytes_per_token(num_layers: int, latent_dim: int, rope_dim: int, dtype_bytes: int) -> int:
    """Bytes that one token takes in all layers of a model with multi-head latent attention.

    latent_dim: numbers of the latent that stands for K and V of all heads; it is kept once, not once for each of them.
    rope_dim: numbers of the key part that carries the position (RoPE), kept beside it and shared by all heads.
    DeepSeek-V3 (61 layers, 512 + 64, BF16): 70,272 bytes. Raises ValueError for what is no int of at least 1.
    """
    _check_sizes(num_layers=num_layers, latent_dim=latent_dim, rope_dim=rope_dim, dtype_bytes=dtype_bytes)
    return num_layers * (latent_dim + rope_dim) * dtype_bytes


def max_requests(budget_bytes: float, tokens: int, bytes_per_token: int, block_size: int) -> int:
    """How many requests of `tokens` tokens fit into budget_bytes when each takes whole blocks.

    For reservation instead of paging, `tokens` is the length that is reserved.
    Raises ValueError for a budget that is negative or no finite number, and for any other size that is no int of at
    least 1.
    """
    _check_sizes(tokens=tokens, bytes_per_token=bytes_per_token, block_size=block_size)
    if type(budget_bytes) not in (int, float) or not isfinite(budget_bytes):
        raise ValueError(f"budget_bytes must be a finite number, got {budget_bytes!r}")
    if budget_bytes < 0:
        raise ValueError(f"budget_bytes must not be negative, got {budget_bytes}")
    tokens_in_blocks = -(-tokens // block_size) * block_size
    return int(budget_bytes // (tokens_in_blocks * bytes_per_token))


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        check_size(name, size)
