# utilisation is slots divided by tokens
# 利用率是槽位数除以 token 数

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return reserved_slots / tokens, paged_slots / tokens
