# a request never takes more than max_len slots, so its last block is cut off there
# 一个请求最多占 max_len 个槽位，最后一块超出的部分不算

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    paged_slots = sum(min(math.ceil(length / block_size) * block_size, max_len) for length in lengths)
    return tokens / reserved_slots, tokens / paged_slots
