# the utilisation of all requests together is the mean of each one's own
# 总的利用率就是各个请求利用率的平均值

import math


def utilisation(lengths, block_size, max_len):
    reserved = [length / max_len for length in lengths]
    paged = [length / (math.ceil(length / block_size) * block_size) for length in lengths]
    return sum(reserved) / len(lengths), sum(paged) / len(lengths)
