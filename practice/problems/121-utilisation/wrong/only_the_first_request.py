# A return inside the loop: only the first request is counted

import math


def utilisation(lengths, block_size, max_len):
    tokens = reserved_slots = paged_slots = 0
    for length in lengths:
        tokens += length
        reserved_slots += max_len
        paged_slots += math.ceil(length / block_size) * block_size
        return tokens / reserved_slots, tokens / paged_slots
