# A set of lengths is as good as the list: two requests of the same length count once

import math


def utilisation(lengths, block_size, max_len):
    different = set(lengths)
    tokens = sum(different)
    blocks = sum(math.ceil(length / block_size) for length in different)
    return tokens / (len(different) * max_len), tokens / (blocks * block_size)
