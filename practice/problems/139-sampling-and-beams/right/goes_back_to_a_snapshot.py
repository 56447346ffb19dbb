from collections import deque
from contextlib import contextmanager

from paged import Sequence


@contextmanager
def all_or_nothing(pool, sequences=()):
    """Put pool and sequences back as they were if blocks run out."""
    queue, counts, copies = deque(pool.free_queue), list(pool.ref_cnt), list(pool.copies)
    tables = [(sequence.num_tokens, list(sequence.block_table)) for sequence in sequences]
    try:
        yield
    except MemoryError:
        pool.free_queue, pool.ref_cnt, pool.copies = queue, counts, copies
        for sequence, (num_tokens, table) in zip(sequences, tables, strict=True):
            sequence.num_tokens, sequence.block_table = num_tokens, table
        raise


def parallel_sample(pool, block_size, prompt_len, n, steps):
    with all_or_nothing(pool):
        texts = [Sequence(pool, block_size)]
        texts[0].append(prompt_len)
        while len(texts) < n:
            texts.append(texts[-1].fork())
        for _ in range(steps):
            for text in texts:
                text.append(1)
    return texts


def beam_step(beams, parents):
    with all_or_nothing(beams[0].pool, beams):
        for number, beam in enumerate(beams):
            if number not in parents:
                beam.free()
        heirs = [beams[parent] for parent in parents]
        for child, parent in enumerate(parents):
            if parent in parents[:child]:
                heirs[child] = beams[parent].fork()
        for heir in heirs:
            heir.append(1)
    return heirs
