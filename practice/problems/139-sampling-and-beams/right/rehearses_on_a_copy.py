"""Try it out on a copy of everything: if that raises, nothing real has been touched."""

from copy import deepcopy

from paged import Sequence


def parallel_sample(pool, block_size, prompt_len, n, steps):
    def go(pool):
        prompt = Sequence(pool, block_size)
        prompt.append(prompt_len)
        texts = [prompt.fork() for _ in range(n)]
        prompt.free()
        for k in range(steps * n):
            texts[k % n].append(1)
        return texts

    go(deepcopy(pool))
    return go(pool)


def beam_step(beams, parents):
    def go(beams):
        children = [beams[parent].fork() for parent in parents]
        for beam in beams:
            beam.free()
        for child in children:
            child.append(1)
        return children

    go(deepcopy(beams))
    return go(beams)
