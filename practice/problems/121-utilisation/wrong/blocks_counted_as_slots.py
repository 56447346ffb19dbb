# the number of blocks is the number of slots, without multiplying by block_size
# 块数就是槽位数，不用再乘 block_size

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / blocks
