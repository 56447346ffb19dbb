def utilisation(lengths, block_size, max_len):
    """Counts slots one by one."""
    tokens = reserved = paged = 0
    for length in reversed(lengths):
        reserved += max_len
        for position in range(length):
            if position % block_size == 0:
                paged += block_size
            tokens += 1
    return tokens / reserved, tokens / paged
