# a reservation comes in blocks too, so max_len is rounded up to whole blocks
# 预留也以块为单位，所以 max_len 要先凑成整块

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * math.ceil(max_len / block_size) * block_size
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
