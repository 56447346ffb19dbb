# a block table has exactly the blocks of the request, so its length says enough
# 块表里恰好是请求的块，有几项就读几块


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    left = len(block_table) * cache.shape[1] - seq_len
    return cache[block_table].flatten(0, 1)[: len(block_table) * cache.shape[1] - left % cache.shape[1]]
