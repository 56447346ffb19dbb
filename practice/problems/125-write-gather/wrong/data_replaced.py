# giving the cache new data is the same as writing in place
# 把缓存的 data 换成新的，就等于原地修改


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    written = cache.clone()
    written[slots // block_size, slots % block_size] = values[keep]
    cache.data = written


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
