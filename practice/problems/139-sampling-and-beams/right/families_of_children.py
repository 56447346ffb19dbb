"""Beam by beam as vLLM V0 did it: who has no child goes, who has several is forked; writing comes last, in order."""

from paged import Sequence


def parallel_sample(pool, block_size, prompt_len, n, steps):
    slots = range(prompt_len, prompt_len + steps)
    prompt_blocks = -(-prompt_len // block_size)
    new_blocks = n * sum(slot % block_size == 0 for slot in slots)
    copies = n - 1 if steps > 0 and prompt_len % block_size > 0 else 0
    if prompt_blocks + new_blocks + copies > pool.num_free():
        raise MemoryError("the samples don't fit")
    texts = [Sequence(pool, block_size)]
    texts[0].append(prompt_len)
    texts += [texts[0].fork() for _ in range(1, n)]
    for _ in slots:
        for text in texts:
            text.append(1)
    return texts


def beam_step(beams, parents):
    if not fits(beams, parents):
        raise MemoryError("the next generation doesn't fit")
    children = [None] * len(parents)
    for number, beam in enumerate(beams):
        places = [place for place, parent in enumerate(parents) if parent == number]
        if not places:
            beam.free()
            continue
        for place in places[:-1]:
            children[place] = beam.fork()
        children[places[-1]] = beam
    for child in children:
        child.append(1)
    return children


def fits(beams, parents):
    pool = beams[0].pool
    free = pool.num_free()
    dying = [block for number, beam in enumerate(beams) if number not in parents for block in beam.block_table]
    free += sum(dying.count(block) == pool.ref_cnt[block] for block in set(dying))
    if beams[0].num_tokens % beams[0].block_size == 0:
        return len(parents) <= free
    lasts = [beams[parent].block_table[-1] for parent in parents]
    spared = 0
    for block in set(lasts):
        ours = sum(beam.block_table[-1] == block for beam in beams)
        spared += ours == pool.ref_cnt[block]
    return len(parents) - spared <= free
