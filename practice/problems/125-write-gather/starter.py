import torch


def write(cache: torch.Tensor, slot_mapping: torch.Tensor, values: torch.Tensor) -> None:
    """Write values[i] to slot slot_mapping[i] of the cache, in place; skip slot -1.

    cache: [num_blocks, block_size, num_kv_heads, head_dim].
    slot_mapping: [N], int64. values: [N, num_kv_heads, head_dim], dtype of the cache.
    """
    raise NotImplementedError("125: write")


def gather(cache: torch.Tensor, block_table: list[int], seq_len: int) -> torch.Tensor:
    """A copy of one request's first seq_len tokens, in order: [seq_len, num_kv_heads,
    head_dim].

    block_table: the request's blocks, such as [5, 6, 7, 0]; there may be more entries
        than seq_len needs.
    """
    raise NotImplementedError("125: gather")
