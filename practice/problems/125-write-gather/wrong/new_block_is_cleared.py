# the first token of a block must clear what the block held before
# 块里写第一个 token 时，要先把旧内容清掉


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots[slots % block_size == 0] // block_size] = 0
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
