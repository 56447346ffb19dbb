import torch


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    for slot, value in zip(slot_mapping.tolist(), values, strict=True):
        if slot != -1:
            block, offset = divmod(slot, block_size)
            cache[block, offset] = value


def gather(cache, block_table, seq_len):
    out = torch.empty(seq_len, *cache.shape[2:], dtype=cache.dtype)
    for position in range(seq_len):
        out[position] = cache[block_table[position // cache.shape[1]], position % cache.shape[1]]
    return out
