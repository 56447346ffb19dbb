# slots count the first places of all blocks, then the second places, and so on
# 槽位先数完各块的第 0 个位置，再数各块的第 1 个位置，依次类推


def write(cache, slot_mapping, values):
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots % len(cache), slots // len(cache)] = values[keep]


def gather(cache, block_table, seq_len):
    num_blocks = -(-seq_len // cache.shape[1])
    return cache[block_table[:num_blocks]].flatten(0, 1)[:seq_len]
