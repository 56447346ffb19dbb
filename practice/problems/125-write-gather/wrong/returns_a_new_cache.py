# write returns the cache with the new tokens in it, and leaves the old one as it was
# write 返回写好的新缓存，原来的缓存不变


def write(cache, slot_mapping, values):
    cache = cache.clone()
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]
    return cache


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
