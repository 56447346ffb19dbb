# a table entry is already the slot that its block begins with
# 块表的每一项就是那个块开头的槽位，不用再乘 block_size


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    block_size = cache.shape[1]
    slots = [block_table[p // block_size] + p % block_size for p in range(seq_len)]
    return cache.flatten(0, 1)[slots]
