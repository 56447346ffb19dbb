# the blocks of a request follow each other in the cache's order
# 请求的各块按块号从小到大依次接起来


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[sorted(block_table[:num_blocks])].flatten(0, 1)[:seq_len]
