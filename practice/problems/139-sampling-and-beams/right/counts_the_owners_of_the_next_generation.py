"""Work out how many owners each block will have; from that follows what is freed and what is copied."""

from __future__ import annotations

from collections import Counter

from paged import BlockPool, Sequence


def parallel_sample(pool: BlockPool, block_size: int, prompt_len: int, n: int, steps: int) -> list[Sequence]:
    full, rest = divmod(prompt_len, block_size)
    own = (rest + steps + block_size - 1) // block_size
    demand(pool, full + (n * own if steps else own), pool.num_free())
    first = Sequence(pool, block_size)
    first.append(prompt_len)
    texts = [first.fork() for _ in range(n - 1)] + [first]
    for _ in range(steps):
        for text in texts:
            text.append(1)
    return texts


def beam_step(beams: list[Sequence], parents: list[int]) -> list[Sequence]:
    pool, full = beams[0].pool, beams[0].num_tokens % beams[0].block_size == 0
    owners = Counter({block: count for block, count in enumerate(pool.ref_cnt) if count})
    for beam in beams:
        owners.subtract(beam.block_table)
    for parent in parents:
        owners.update(beams[parent].block_table)
    free = pool.num_free() + list(owners.values()).count(0)
    taken = 0
    for parent in parents:
        last = beams[parent].block_table[-1]
        if full:
            taken += 1
        elif owners[last] > 1:
            owners[last] -= 1
            taken += 1
    demand(pool, taken, free)
    for number in set(range(len(beams))) - set(parents):
        beams[number].free()
    to_come = list(parents)
    children = []
    while to_come:  # one after the other: the last child of a beam is the beam
        parent = to_come.pop(0)
        children.append(beams[parent].fork() if parent in to_come else beams[parent])
        children[-1].append(1)
    return children


def demand(pool: BlockPool, needed: int, free: int) -> None:
    if needed > free:
        raise MemoryError(f"{needed} of {pool.num_blocks} blocks needed, {free} free")
