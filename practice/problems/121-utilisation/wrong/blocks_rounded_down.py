# A request needs length // block_size blocks: the remainder takes no block


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(max(1, length // block_size) for length in lengths)
    return tokens / reserved_slots, tokens / (blocks * block_size)
