# inside a block the heads come first and the tokens second
# 块里先排头，再排 token


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].transpose(1, 2).reshape(-1, *cache.shape[2:])[:seq_len]
