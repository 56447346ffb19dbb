# the step uses up the list of beams too, not only the beams
# 这一步不光用掉各条束，连传进来的列表也要清空
from collections import Counter

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
    pool = beams[0].pool
    dead = [beam for number, beam in enumerate(beams) if number not in parents]
    if beams[0].num_tokens % beams[0].block_size == 0:
        needed = len(parents)
    else:
        holders = Counter(beam.block_table[-1] for beam in beams)
        writers = Counter(beams[parent].block_table[-1] for parent in parents)
        needed = sum(count - (pool.ref_cnt[block] == holders[block]) for block, count in writers.items())
    given_back = Counter(block for beam in dead for block in beam.block_table)
    free = pool.num_free() + sum(pool.ref_cnt[block] == count for block, count in given_back.items())
    if needed > free:
        raise MemoryError(f"need {needed} blocks, {free} are free")
    for beam in dead:
        beam.free()
    last = {parent: child for child, parent in enumerate(parents)}
    children = [beams[p] if last[p] == child else beams[p].fork() for child, p in enumerate(parents)]
    for child in children:
        child.append(1)
    beams.clear()
    return children
