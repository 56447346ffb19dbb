# requests can share a block, so only the sum of all tokens is rounded up
# 不同的请求可以合用一个块，只要把 token 总数向上取整一次

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = math.ceil(tokens / block_size)
    return tokens / reserved_slots, tokens / (blocks * block_size)
