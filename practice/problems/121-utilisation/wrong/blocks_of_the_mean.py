# every request takes as many blocks as one of average length
# 每个请求占几块，都可以按平均长度来算

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    mean = tokens / len(lengths)
    blocks = len(lengths) * math.ceil(mean / block_size)
    return tokens / reserved_slots, tokens / (blocks * block_size)
