"""What a drawn plan does. How many blocks a run needs is found out first: the oracle runs it in a pool without end."""

from practice.judging import peek

from . import oracle

MOST_FINISHED = 2
PLENTY = 128  # blocks, more than any search here takes


class Endless(oracle.BlockPool):
    """A pool that remembers how many blocks were in use at once."""

    def __init__(self, _):
        super().__init__(1000)
        self.most = 0

    def take(self):
        block = super().take()
        self.most = max(self.most, len(self.ref_cnt) - len(self.waiting))
        return block


class Rehearsal:
    """Stands where the answer stands, and keeps the pool."""

    Sequence = oracle.Sequence
    parallel_sample = staticmethod(oracle.parallel_sample)
    beam_step = staticmethod(oracle.beam_step)

    def BlockPool(self, num_blocks):
        self.pool = Endless(num_blocks)
        return self.pool

    def count(self, what, times=1):
        pass


def blocks_for(run, *arguments):
    """The most blocks that are in use at once in `run(answer, num_blocks, *arguments)`; 1 if there are none."""
    rehearsal = Rehearsal()
    run(rehearsal, 0, *arguments)
    return max(1, rehearsal.pool.most)


def take_the_rest(answer, pool, block_size):
    """A sequence that takes all free blocks: its table shows the order of the queue."""
    answer.Sequence(pool, block_size).append(peek(pool).num_free() * block_size)


# --- parallel sampling ---


def play_samples(answer, plan):
    take_the_rest(answer, samples(answer, blocks_for(samples, plan) + plan.slack, plan), plan.block_size)


def samples(answer, num_blocks, plan):
    pool = answer.BlockPool(num_blocks)
    for op in plan.ops:
        prompt_len, n = 1 + op.pick % (2 * plan.block_size + 1), 1 + op.amount % 4
        sample(answer, pool, plan.block_size, prompt_len, n, op.amount // 4 % (plan.block_size + 2))
    return pool


def sample(answer, pool, block_size, prompt_len, n, steps):
    copies = len(pool.copies)
    texts = answer.parallel_sample(pool, block_size, prompt_len, n, steps)
    answer.count("samples", n)
    answer.count("copies_on_write", len(pool.copies) - copies)
    return texts


# --- one step of a beam search ---


def play_step(answer, plan):
    take_the_rest(answer, step(answer, blocks_for(step, plan) + plan.slack, plan), plan.block_size)


def step(answer, num_blocks, plan):
    """Nothing has been copied before the step: texts that part do so after a full block."""
    pool = answer.BlockPool(num_blocks)
    extra = plan.extra if plan.prompt_len % plan.block_size == 0 else 0
    beams = start(answer, pool, plan, extra)
    take_step(answer, pool, beams, [op.pick % len(beams) for op in plan.ops])
    return pool


def start(answer, pool, plan, extra):
    """Beams that share a prompt and have `extra` tokens each, and who is there beside them (`beside`).

    "first" and "prompt": somebody who isn't a beam shares the first beam's blocks, or the prompt's. "stranger": a beam
    that came from another search and shares nothing.
    """
    prompt = answer.Sequence(pool, plan.block_size)
    prompt.append(plan.prompt_len)
    if plan.beside == "prompt":
        prompt.fork()
    beams = [prompt] + [prompt.fork() for _ in range(plan.width - 1)]
    for beam in beams if extra else []:
        beam.append(extra)
    if plan.beside == "first":
        beams[0].fork()
    if plan.beside == "stranger":
        beams.append(answer.Sequence(pool, plan.block_size))
        beams[-1].append(plan.prompt_len + extra)
    return beams


def take_step(answer, pool, beams, parents):
    copies = len(pool.copies)
    answer.count("beam_steps")
    children = answer.beam_step(beams, parents)
    answer.count("children", len(parents))
    answer.count("beams_freed", len(beams) - len(set(parents)))
    answer.count("copies_on_write", len(pool.copies) - copies)
    return children


# --- a search of many steps ---


def play_texts(answer, plan):
    search(answer, PLENTY, plan)


def play_search(answer, plan):
    search(answer, blocks_for(search, plan) + plan.slack, plan)


def search(answer, num_blocks, plan):
    pool = answer.BlockPool(num_blocks)
    beams, finished = start(answer, pool, plan, plan.extra), []
    for op in plan.ops:
        if op.kind == "finish" and len(finished) < MOST_FINISHED:
            finished.append(beams[op.pick % len(beams)].fork())
        elif op.kind == "drop" and finished:
            finished.pop(0).free()
        elif op.kind == "step":
            count = 1 + op.amount % 5
            parents = [op.pick // len(beams) ** k % len(beams) for k in range(count)]
            beams = take_step(answer, pool, beams, parents)
    take_step(answer, pool, beams, [])


# --- what is refused ---


def play_refused(answer, plan):
    """One block is missing; then blocks that were held for somebody else come back, and the call is made again.

    Where it is refused at least one block is free, so that whoever doesn't count gets half-way.
    """
    held = 1 + plan.held
    needed = max(blocks_for(refused, plan, 0) - 1, blocks_for(refused, plan, None) + 1)
    refused(answer, held + needed, plan, held)


def refused(answer, num_blocks, plan, held):
    """held: blocks that somebody else has at first; None: the call is not made at all."""
    pool = answer.BlockPool(num_blocks)
    blocks = pool.allocate(held) if held else []
    if plan.what == "beams":
        beams = start(answer, pool, plan, plan.extra)
        parents = [op.pick % len(beams) for op in plan.ops]
    if held is None:
        return

    def call():
        if plan.what == "beams":
            take_step(answer, pool, beams, parents)
        else:
            sample(answer, pool, plan.block_size, plan.prompt_len, plan.width, plan.extra)

    try:
        call()
    except MemoryError:
        answer.count("refused_calls")
        pool.free(blocks)
        call()
        take_the_rest(answer, pool, plan.block_size)
