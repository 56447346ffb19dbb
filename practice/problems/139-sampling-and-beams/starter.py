from paged import Sequence


def parallel_sample(pool, block_size, prompt_len, n, steps):
    """n sequences that share a prompt of prompt_len tokens and grow by `steps` tokens
    each, in turn.

    MemoryError, and nothing changed, if the pool can't hold them all to the end.
    """
    prompt = Sequence(pool, block_size)
    prompt.append(prompt_len)
    raise NotImplementedError("139: one prompt, n texts")


def beam_step(beams, parents):
    """The next generation: child k continues beams[parents[k]] by one token. Returns
    the children in this order.

    Beams without children give their blocks back. MemoryError, and nothing changed, if
    the children don't fit.
    """
    raise NotImplementedError("139: the next generation")
