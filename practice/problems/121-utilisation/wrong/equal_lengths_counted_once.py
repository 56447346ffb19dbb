# a set says as much as the list of lengths, since equal lengths count only once
# 把长度列表换成集合也一样，长度相同的请求算一次就够

import math


def utilisation(lengths, block_size, max_len):
    different = set(lengths)
    tokens = sum(different)
    blocks = sum(math.ceil(length / block_size) for length in different)
    return tokens / (len(different) * max_len), tokens / (blocks * block_size)
