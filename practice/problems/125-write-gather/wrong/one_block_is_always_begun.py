# behind the last full block there is always one more
# 最后一个满块后面总还有一块


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    blocks = [block_table[n] for n in range(seq_len // cache.shape[1] + 1)]
    return cache[blocks].flatten(0, 1)[:seq_len]
