# the last block is half empty on average, so each request wastes half a block
# 最后一块平均空着一半，所以每个请求都按浪费半块来算


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    waste = len(lengths) * (block_size - 1) / 2
    return tokens / reserved_slots, tokens / (tokens + waste)
