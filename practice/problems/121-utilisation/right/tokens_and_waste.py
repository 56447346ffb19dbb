def utilisation(lengths, block_size, max_len):
    used = tail = rest = 0
    for length in lengths:
        used += length
        tail += -length % block_size
        rest += max_len - length
    return used / (used + rest), used / (used + tail)
