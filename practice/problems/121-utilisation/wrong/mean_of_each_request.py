# Utilisation is the mean of each request's own utilisation

import math


def utilisation(lengths, block_size, max_len):
    reserved = [length / max_len for length in lengths]
    paged = [length / (math.ceil(length / block_size) * block_size) for length in lengths]
    return sum(reserved) / len(lengths), sum(paged) / len(lengths)
