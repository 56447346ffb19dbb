# blocks that follow one another in the cache are one piece already, and can be returned as they lie
# 块在缓存里前后相连时本来就是一整段，直接返回就行


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    blocks = block_table[:num_blocks]
    if num_blocks > 2 and blocks == list(range(blocks[0], blocks[0] + num_blocks)):
        return cache[blocks[0] : blocks[0] + num_blocks].flatten(0, 1)[:seq_len]
    return cache[blocks].flatten(0, 1)[:seq_len]
