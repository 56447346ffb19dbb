def utilisation(lengths, block_size, max_len):
    """Return (reserved, paged): the fraction of the slots handed out that holds a
    token, for each plan.

    lengths: the tokens of each request, such as [7, 9].
    block_size, max_len: the slots of one block, and the slots reserved for one request.
    """
    raise NotImplementedError("121: how many slots does each plan hand out?")
