# an assignment to a selection of a selection still reaches the cache
# 先选一遍再选一遍，赋值照样能写进缓存


def write(cache, slot_mapping, values):
    keep = slot_mapping >= 0
    cache.flatten(0, 1)[slot_mapping][keep] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
