# What is reserved is the longest request at hand, not max_len

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max(lengths)
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
