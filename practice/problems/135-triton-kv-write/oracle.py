"""What 135 asks for, one token at a time. The cache is a numpy array, or one of which only a few blocks are there:
`cache[block, offset] = row` is all that is asked of it."""


def write(cache, slot_mapping, values):
    for slot, row in zip(slot_mapping.tolist(), values, strict=True):
        if slot != -1:
            cache[divmod(slot, cache.shape[1])] = row
