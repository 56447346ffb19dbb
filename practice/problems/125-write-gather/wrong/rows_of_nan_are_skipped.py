# a row of NaN is rubbish, and is not written
# NaN 的行是无效数据，不用写


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = (slot_mapping >= 0) & ~values.isnan().flatten(1).any(1)
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
