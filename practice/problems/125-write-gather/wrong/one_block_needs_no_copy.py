# what lies in a single block can be returned as it is, without a copy
# 只有一个块时，直接返回那一段就行，不用复制


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    if num_blocks == 1:
        return cache[block_table[0], :seq_len]
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
