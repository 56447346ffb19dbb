# slot 0 is padding as well, so only slots above 0 are written
# 槽位 0 也是填充，只写大于 0 的槽位


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping > 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
