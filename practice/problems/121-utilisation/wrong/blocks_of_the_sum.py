# Requests share blocks: only the sum of all tokens is rounded up

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = math.ceil(tokens / block_size)
    return tokens / reserved_slots, tokens / (blocks * block_size)
