# All requests together reserve max_len slots once

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / max_len, tokens / (blocks * block_size)
