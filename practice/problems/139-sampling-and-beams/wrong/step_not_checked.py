# append is all or nothing, so the whole step is as well
# append 要么成功要么不动，整个一步自然也是
from paged import Sequence


def parallel_sample(pool, block_size, prompt_len, n, steps):
    total = -(-(prompt_len + steps) // block_size)
    shared = prompt_len // block_size if steps else total
    needed = shared + n * (total - shared)
    if needed > pool.num_free():
        raise MemoryError(f"need {needed} blocks, {pool.num_free()} are free")
    prompt = Sequence(pool, block_size)
    prompt.append(prompt_len)
    texts = [prompt] + [prompt.fork() for _ in range(n - 1)]
    for _ in range(steps):
        for text in texts:
            text.append(1)
    return texts


def beam_step(beams, parents):
    dead = [beam for number, beam in enumerate(beams) if number not in parents]
    for beam in dead:
        beam.free()
    last = {parent: child for child, parent in enumerate(parents)}
    children = [beams[p] if last[p] == child else beams[p].fork() for child, p in enumerate(parents)]
    for child in children:
        child.append(1)
    return children
