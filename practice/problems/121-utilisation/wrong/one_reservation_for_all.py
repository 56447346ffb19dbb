# all requests together reserve max_len slots once
# 所有请求合起来只预留一次 max_len 个槽位

import math


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    blocks = sum(math.ceil(length / block_size) for length in lengths)
    return tokens / max_len, tokens / (blocks * block_size)
