# values has no rows for padding, so its rows belong to the real slots in turn
# values 里没有填充的行，各行依次对应真正的槽位


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[: len(slots)]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
