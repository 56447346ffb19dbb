def utilisation(lengths, block_size, max_len):
    """Return (reserved, paged): the fraction (0..1) of the slots handed out that holds tokens, for each plan.

    lengths: the tokens of each request. Reserved, a request takes max_len slots; paged, whole blocks of block_size.
    """
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    blocks = sum(-(-length // block_size) for length in lengths)  # rounds up, in whole numbers
    return tokens / reserved_slots, tokens / (blocks * block_size)
