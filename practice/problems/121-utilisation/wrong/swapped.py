# the paged fraction comes first, and the reserved one second
# 返回的两个数，分块的在前，预留的在后

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return tokens / paged_slots, tokens / reserved_slots
