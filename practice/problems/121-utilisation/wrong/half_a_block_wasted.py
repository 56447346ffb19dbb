# The last block is half empty on average, so half a block per request can be taken as the waste


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    waste = len(lengths) * (block_size - 1) / 2
    return tokens / reserved_slots, tokens / (tokens + waste)
