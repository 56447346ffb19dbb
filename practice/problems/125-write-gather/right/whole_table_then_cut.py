import torch


def write(cache, slot_mapping, values):
    (real,) = torch.nonzero(slot_mapping + 1, as_tuple=True)
    slots = slot_mapping[real]
    cache.index_put_((slots // cache.size(1), slots % cache.size(1)), values[real])


def gather(cache, block_table, seq_len):
    """Reads what the padding points at as well, and cuts it off again."""
    return cache[torch.tensor(block_table, dtype=torch.long)].reshape(-1, *cache.shape[2:])[:seq_len].clone()
