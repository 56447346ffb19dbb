# the list of lengths may be put in another order
# 列表 lengths 可以就地排序

import math


def utilisation(lengths, block_size, max_len):
    lengths.sort(reverse=True)
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return tokens / reserved_slots, tokens / paged_slots
