# length // block_size blocks (at least one) are enough: the remainder takes no block
# 一个请求占 length // block_size 块（至少一块），除不尽的零头不占块


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(max(1, length // block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
