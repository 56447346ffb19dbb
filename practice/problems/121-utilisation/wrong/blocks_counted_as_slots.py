# The number of blocks is the number of slots: a block's size is forgotten

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / blocks
