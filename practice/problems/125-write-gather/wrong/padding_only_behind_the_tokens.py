# padding stands only at the end, so the first rows are the real ones
# -1 只会出现在末尾，所以前面几行就是真正的 token


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    real = int((slot_mapping >= 0).sum())
    slots = slot_mapping[:real]
    cache[slots // block_size, slots % block_size] = values[:real]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
