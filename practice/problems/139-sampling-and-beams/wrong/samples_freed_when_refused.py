# giving all blocks back after a failed append leaves the pool as it was
# append 失败以后把块都还回去，块池就恢复原样了
from collections import Counter

from paged import Sequence


def parallel_sample(pool, block_size, prompt_len, n, steps):
    prompt = Sequence(pool, block_size)
    prompt.append(prompt_len)
    texts = [prompt] + [prompt.fork() for _ in range(n - 1)]
    try:
        for _ in range(steps):
            for text in texts:
                text.append(1)
    except MemoryError:
        for text in texts:
            text.free()
        raise
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
    leaving = Counter(block for beam in dead for block in beam.block_table)
    released = sum(count == pool.ref_cnt[block] for block, count in leaving.items())
    if needed > pool.num_free() + released:
        raise MemoryError(f"need {needed} blocks, {pool.num_free() + released} are free")
    for beam in dead:
        beam.free()
    last = {parent: child for child, parent in enumerate(parents)}
    children = [beams[p] if last[p] == child else beams[p].fork() for child, p in enumerate(parents)]
    for child in children:
        child.append(1)
    return children
