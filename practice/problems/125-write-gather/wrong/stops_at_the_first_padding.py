# the first -1 ends the batch
# 遇到第一个 -1，这一批就结束了


def write(cache, slot_mapping, values):
    for slot, value in zip(slot_mapping.tolist(), values, strict=True):
        if slot < 0:
            break
        cache[slot // cache.shape[1], slot % cache.shape[1]] = value


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
