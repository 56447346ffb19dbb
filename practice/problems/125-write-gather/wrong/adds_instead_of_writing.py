# a slot is 0 before it is written, so adding is as good as writing
# 槽位写之前是 0，累加和写入一样


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache.index_put_((slots // block_size, slots % block_size), values[keep], accumulate=True)


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
