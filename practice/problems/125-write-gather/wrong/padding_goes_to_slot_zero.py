# padding may be written to slot 0, since nobody owns block 0
# 填充可以写进槽位 0，反正块 0 没人用


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    slots = slot_mapping.clamp(min=0)
    cache[slots // block_size, slots % block_size] = values


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
