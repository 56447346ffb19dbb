# slot -1 needs no care, since there is no such slot
# -1 不是槽位，不用专门处理


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    cache[slot_mapping // block_size, slot_mapping % block_size] = values


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
