# a request lies in one piece from its first block on
# 请求从第一块起连续存放


def write(cache, slot_mapping, values):
    block_size = cache.shape[1]
    keep = slot_mapping >= 0
    slots = slot_mapping[keep]
    cache[slots // block_size, slots % block_size] = values[keep]


def gather(cache, block_table, seq_len):
    first = block_table[0] * cache.shape[1] if seq_len else 0
    return cache.flatten(0, 1)[first : first + seq_len].clone()
