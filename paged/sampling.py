"""Several texts from one prompt: parallel sampling, beam search, and how many blocks their sharing saves.

Both need nothing but fork and copy-on-write (paper: Kwon et al., PagedAttention, SOSP 2023, section 4.4). What is left
to decide is the order of a step, since it decides how many blocks are in use at once and how many are copied:

1. count: whether all of it fits, because a step that stops half-way can't be taken back;
2. beams that nobody continues give their blocks back, so that the others can have them in this very step;
3. forks, while no child has written yet; the last child of a beam is the beam itself;
4. each child appends its token. Of those that share a half-filled block all but one move to a copy.

So did vLLM's engine while beam search was part of it (up to 0.6.2, engine/output_processor/single_step.py), but it
counted roughly: one free block for every running sequence. In V1 the samples of a prompt are requests of their own that
share full blocks through the prefix cache, and beam search stands outside the engine.

It leaves out the tokens: who chooses them, and which beams are the best.
"""

from collections import Counter
from collections.abc import Iterable

from paged.pool import BlockPool
from paged.sequence import Sequence
from paged.sizes import check_size, is_int


def parallel_sample(pool: BlockPool, block_size: int, prompt_len: int, n: int, steps: int) -> list[Sequence]:
    """n texts that go on from one prompt of prompt_len tokens, `steps` tokens each, one token at a time in turn.

    The prompt is stored once; the first of the texts is the prompt's own sequence, the others are its forks.

    Raises ValueError for n < 1, block_size < 1, negative prompt_len or steps, and what is no int; MemoryError if the
    pool can't hold all n texts up to their last token. Then nothing has changed.
    """
    check_size("n", n)
    for name, value in (("prompt_len", prompt_len), ("steps", steps)):
        if not is_int(value):
            raise ValueError(f"{name} must be an int, got {value!r}")
    if prompt_len < 0 or steps < 0:
        raise ValueError(f"prompt_len and steps must not be negative, got {prompt_len} and {steps}")
    prompt = Sequence(pool, block_size)
    per_text = -(-(prompt_len + steps) // block_size)  # rounded up
    shared = prompt_len // block_size if steps else per_text  # nobody writes into these
    _refuse_too_many(shared + n * (per_text - shared), pool.num_free())
    prompt.append(prompt_len)
    texts = [prompt, *(prompt.fork() for _ in range(n - 1))]
    for _ in range(steps):
        for text in texts:
            text.append(1)
    return texts


def beam_step(beams: Iterable[Sequence], parents: Iterable[int]) -> list[Sequence]:
    """The next generation of a beam search: child k continues beams[parents[k]] by one token.

    A beam may have any number of children; one without children is freed. The beams are used up: what goes on is the
    list returned, in which a beam with children stands again as the last of them.

    Raises ValueError for a parent that is no int of 0..len(beams) - 1, for a beam that is listed twice, for beams of
    several pools or block sizes, and for a block that stands in more of the beams than it has owners; MemoryError if
    fewer blocks are free, those of the freed beams included, than the children take. Then nothing has changed.
    """
    beams, parents = list(beams), list(parents)
    _check_generation(beams, parents)
    if not beams:
        return []
    childless = [beam for number, beam in enumerate(beams) if number not in parents]
    _refuse_too_many(_blocks_taken(beams, parents), beams[0].pool.num_free() + _blocks_released(childless))
    for beam in childless:
        beam.free()
    last_child = {parent: child for child, parent in enumerate(parents)}
    children = [
        beams[parent] if last_child[parent] == child else beams[parent].fork() for child, parent in enumerate(parents)
    ]
    for child in children:
        child.append(1)
    return children


def memory_saved(sequences: Iterable[Sequence]) -> float:
    """The part of the blocks that sharing saves, 0 to 1: blocks saved / blocks needed without sharing.

    The paper's measure (section 6.3), of one moment, where the paper has whole runs: 6.1-9.8 % (Alpaca) and 16.2-30.5 %
    (ShareGPT) in parallel sampling, 37.6-55.2 % and 44.3-66.3 % in beam search.

    Raises ValueError for sequences without a single block.
    """
    blocks = [(id(sequence.pool), block) for sequence in sequences for block in sequence.block_table]
    if not blocks:
        raise ValueError("these sequences have 0 blocks, so there is nothing to save a part of")
    return (len(blocks) - len(set(blocks))) / len(blocks)


def _blocks_taken(beams: list[Sequence], parents: list[int]) -> int:
    """Blocks that the children's tokens take: a new one behind a full block, a copy where others own a half-filled one.

    Of all who own a half-filled block in the end, the last one keeps it, unless that is somebody who isn't writing.
    """
    writers = Counter(beams[parent].block_table[-1] for parent in parents if not _is_full(beams[parent]))
    beams_with = Counter(beam.block_table[-1] for beam in beams if not _is_full(beam))
    taken = sum(_is_full(beams[parent]) for parent in parents)
    for block, children in writers.items():
        bystanders = beams[0].pool.ref_cnt[block] - beams_with[block]
        _check_owners(block, beams_with[block], bystanders)
        taken += children if bystanders else children - 1
    return taken


def _blocks_released(sequences: list[Sequence]) -> int:
    """Blocks that nobody owns any more once these sequences are freed."""
    released = 0
    for block, tables in Counter(block for sequence in sequences for block in sequence.block_table).items():
        others = sequences[0].pool.ref_cnt[block] - tables
        _check_owners(block, tables, others)
        released += others == 0
    return released


def _is_full(sequence: Sequence) -> bool:
    return sequence.num_tokens % sequence.block_size == 0


def _check_owners(block: int, tables: int, others: int) -> None:
    """`tables` of the beams have the block, and `others` own it beside them."""
    if others < 0:
        raise ValueError(f"block {block} stands in the tables of {tables} beams, but has owners: {tables + others}")


def _refuse_too_many(needed: int, free: int) -> None:
    if needed > free:
        raise MemoryError(f"need {needed} blocks, {free} are free")


def _check_generation(beams: list[Sequence], parents: list[int]) -> None:
    for child, parent in enumerate(parents):
        if not is_int(parent) or not 0 <= parent < len(beams):
            known = f"the beams are 0..{len(beams) - 1}" if beams else "there are no beams"
            raise ValueError(f"child {child} continues beam {parent!r}, but {known}")
    different = len({id(beam) for beam in beams})
    if different < len(beams):
        raise ValueError(f"{len(beams)} beams are listed, but only {different} of them are different")
    pools = len({id(beam.pool) for beam in beams})
    if pools > 1:
        raise ValueError(f"the beams have {pools} pools, so they can't make room for each other")
    sizes = sorted({beam.block_size for beam in beams})
    if len(sizes) > 1:
        raise ValueError(f"blocks of one pool have one size, the beams have {sizes}")
