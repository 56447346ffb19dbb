# A request needs length // block_size + 1 blocks, even when its last block is exactly full


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(length // block_size + 1 for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
