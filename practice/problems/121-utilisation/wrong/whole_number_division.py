# // divides like / and keeps the fraction
# // 和 / 是一样的除法，小数部分不会丢

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return tokens // reserved_slots, tokens // paged_slots
