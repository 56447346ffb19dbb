# a request needs length // block_size + 1 blocks, even when its last block is exactly full
# 一个请求总要占 length // block_size + 1 块，哪怕最后一块恰好写满


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(length // block_size + 1 for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
