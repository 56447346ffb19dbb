"""What 121 asks for, block by block: a new block begins at every block_size-th token of a request."""


def utilisation(lengths, block_size, max_len):
    tokens = reserved = paged = 0
    for length in lengths:
        tokens += length
        reserved += max_len
        paged += block_size * len(range(0, length, block_size))
    return tokens / reserved, tokens / paged
