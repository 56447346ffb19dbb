import torch
from torch import Tensor


def write(cache: Tensor, slot_mapping: Tensor, values: Tensor) -> None:
    slots = cache.view(-1, *cache.shape[2:])
    keep = slot_mapping >= 0
    slots.index_copy_(0, slot_mapping[keep], values[keep])


def gather(cache: Tensor, block_table: list[int], seq_len: int) -> Tensor:
    """Turns positions into slots and selects these."""
    positions = torch.arange(seq_len)
    blocks = torch.tensor(block_table, dtype=torch.int64)[positions // cache.shape[1]]
    return cache.flatten(0, 1).index_select(0, blocks * cache.shape[1] + positions % cache.shape[1])
