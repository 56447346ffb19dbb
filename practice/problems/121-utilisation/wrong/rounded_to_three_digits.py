# three digits after the point are exact enough
# 结果保留三位小数就够精确了

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return round(tokens / reserved_slots, 3), round(tokens / paged_slots, 3)
