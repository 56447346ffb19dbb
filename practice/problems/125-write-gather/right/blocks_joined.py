import torch


def write(cache, slot_mapping, values):
    if slot_mapping.numel():
        where = slot_mapping.clone()
        keep = where.ne(-1)
        flat = cache.flatten(0, 1)
        flat[where[keep]] = values[keep]


def gather(cache, block_table, seq_len):
    pieces = [cache.new_empty(0, *cache.shape[2:])]
    left = seq_len
    for block in block_table:
        if left <= 0:
            break
        pieces.append(cache[block, : min(left, cache.shape[1])])
        left -= pieces[-1].shape[0]
    return torch.cat(pieces)
