def utilisation(lengths, block_size, max_len):
    """Counts slots one by one, and empties the list it was given."""
    tokens = reserved = paged = 0
    while lengths:
        reserved += max_len
        for position in range(lengths.pop()):
            if position % block_size == 0:
                paged += block_size
            tokens += 1
    return tokens / reserved, tokens / paged
