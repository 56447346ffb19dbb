# A reservation comes in blocks too: max_len is rounded up to whole blocks

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * math.ceil(max_len / block_size) * block_size
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
