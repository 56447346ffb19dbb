# a request has at least one token
# 请求至少有一个 token

import torch


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    block_size = cache.shape[1]
    return torch.stack([cache[block_table[p // block_size], p % block_size] for p in range(seq_len)])
