# round() gives the number of blocks: a last block less than half full doesn't count
# 块数用 round() 取最近的整数就行，最后一块不到一半就不算


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(max(1, round(length / block_size)) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
