# utilisation is a percentage from 0 to 100
# 利用率要写成 0 到 100 的百分数

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return 100 * tokens / reserved_slots, 100 * tokens / paged_slots
