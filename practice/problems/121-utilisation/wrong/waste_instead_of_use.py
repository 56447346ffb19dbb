# utilisation is the fraction of slots that is wasted
# 利用率是空着的槽位所占的比例

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    paged_slots = blocks * block_size
    return 1 - tokens / reserved_slots, 1 - tokens / paged_slots
