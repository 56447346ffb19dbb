# what is reserved for each request is the length of the longest one, not max_len
# 预留多少个槽位由这些请求里最长的那个决定，而不是 max_len

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max(lengths)
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
