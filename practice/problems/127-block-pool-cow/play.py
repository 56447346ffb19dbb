"""What the steps of a drawn plan do: legal calls, many of them where mistakes live."""

from practice.judging import peek

MOST_SEQUENCES = 8
MOST_TOKENS = 512  # that are appended to fill a pool


class Run:
    """One run in progress: the pool, the live sequences and the blocks taken from the pool by hand.

    taken: those blocks, each as often as the run owns it.
    """

    def __init__(self, answer, num_blocks, block_size):
        self.answer, self.block_size = answer, block_size
        self.pool = answer.BlockPool(num_blocks)
        self.sequences = []
        self.taken = []
        sizes = "1_to_64" if num_blocks <= 64 else "65_to_999" if num_blocks < 1000 else "1000_or_more"
        answer.count(f"pools_of_{sizes}")

    def newcomer(self):
        self.sequences.append(self.answer.Sequence(self.pool, self.block_size))
        return self.sequences[-1]

    def choose(self, op):
        return self.sequences[op.pick % len(self.sequences)] if self.sequences else self.newcomer()

    def choose_taken(self, op):
        """Some of the taken blocks, from any place on, forwards or backwards; repeats where a block is owned twice."""
        start = op.pick % len(self.taken)
        blocks = (self.taken[start:] + self.taken[:start])[: 1 + op.amount // 2 % len(self.taken)]
        return blocks[::-1] if op.amount % 2 else blocks

    def append(self, sequence, n):
        """Append, and count what was going on."""
        table = sequence.block_table
        shared = bool(table) and self.pool.ref_cnt[table[-1]] > 1
        full = sequence.num_tokens % self.block_size == 0
        copies = len(self.pool.copies)
        self.answer.count("appends")
        try:
            sequence.append(n)
        except MemoryError:
            self.answer.count("refused_appends")
            if shared and not full:
                self.answer.count("refused_copies")
            return
        self.answer.count("copies_on_write", len(self.pool.copies) - copies)
        if shared and full:
            self.answer.count("appends_onto_shared_full_block")

    def room(self, sequence):
        """How many tokens this sequence can still take."""
        spare = -sequence.num_tokens % self.block_size
        free = peek(self.pool).num_free()
        if spare and self.pool.ref_cnt[sequence.block_table[-1]] > 1:
            free -= 1
            if free < 0:
                return 0
        return spare + free * self.block_size

    def fork(self, sequence):
        self.answer.count("forks")
        if not sequence.num_tokens:
            self.answer.count("forks_of_an_empty_sequence")
        twin = sequence.fork()
        self.sequences.append(twin)
        return twin

    # --- the steps of a plan ---

    def step_append(self, op):
        self.append(self.choose(op), 1 + op.amount % (2 * self.block_size + 1))

    def step_write(self, op):
        self.append(self.choose(op), 1)

    def step_fill(self, op):
        """Up to the end of the last block, fork, and write on: nothing may be copied."""
        sequence = self.choose(op)
        self.append(sequence, -sequence.num_tokens % self.block_size or self.block_size)
        if len(self.sequences) < MOST_SEQUENCES:
            self.append(self.fork(sequence), 1)

    def step_brim(self, op):
        """Exactly as much as fits."""
        sequence = self.choose(op)
        if 0 < self.room(sequence) <= MOST_TOKENS:
            self.append(sequence, self.room(sequence))

    def step_overflow(self, op):
        """One token too many, then what fits after all."""
        sequence = self.choose(op)
        if self.room(sequence) <= MOST_TOKENS:
            self.append(sequence, self.room(sequence) + 1)
            if op.amount % 2 and self.room(sequence):
                self.append(sequence, 1)

    def step_newcomer(self, op):
        """One more sequence on the same pool."""
        if len(self.sequences) < MOST_SEQUENCES:
            self.append(self.newcomer(), 1 + op.amount % (2 * self.block_size))

    def step_rotate(self, op):
        """Two newcomers take all blocks between them and go again, the second one first."""
        blocks = peek(self.pool).num_free()
        if blocks > 1 and len(self.sequences) <= MOST_SEQUENCES - 2:
            first, second = self.newcomer(), self.newcomer()
            self.append(first, blocks // 2 * self.block_size)
            self.append(second, (blocks - blocks // 2) * self.block_size)
            for sequence in (second, first):
                self.sequences.remove(sequence)
                sequence.free()

    def step_fork(self, op):
        if len(self.sequences) < MOST_SEQUENCES:
            self.fork(self.choose(op))

    def step_branch(self, op):
        """Fork in the middle of a block, once or twice, write on all sides, give the twins up."""
        parent = self.choose(op)
        if len(self.sequences) > MOST_SEQUENCES - 2 or not self.room(parent):
            self.step_retire(op)
            return
        if parent.num_tokens % self.block_size == 0:
            self.append(parent, 1)
        twins = [self.fork(parent) for _ in range(1 + op.pick // 8 % 2)]
        for sequence in (*twins, parent) if op.amount % 2 else (parent, *twins):
            self.append(sequence, 1 + op.amount // 2 % 3)
        if op.amount % 5:
            for twin in twins:
                self.sequences.remove(twin)
                twin.free()

    def step_branch_too_far(self, op):
        """Fork in the middle of a block and ask for more than fits; what fits must then find the queue as it was."""
        parent = self.choose(op)
        if len(self.sequences) < MOST_SEQUENCES and 0 < self.room(parent) <= MOST_TOKENS:
            if parent.num_tokens % self.block_size == 0:
                self.append(parent, 1)
            twin = self.fork(parent)
            self.append(twin, self.room(twin) + 1)
            self.append(twin, 1)

    def step_retire(self, op):
        if len(self.sequences) > 1:
            self.sequences.pop(op.pick % len(self.sequences)).free()

    def step_restart(self, op):
        """Free, free again, and start afresh with the same object."""
        sequence = self.choose(op)
        sequence.free()
        if op.amount % 3 == 0:
            sequence.free()
        if op.amount % 2:
            self.append(sequence, 1 + op.amount % 5)

    def step_slots(self, op):
        """The last few positions; all; all backwards with a repeat; some, or none."""
        sequence = self.choose(op)
        positions = list(range(sequence.num_tokens))
        if op.amount % 4 == 0:
            positions = positions[-3:]
        elif op.amount % 4 == 2:
            positions = positions[::-1] + positions[-1:]
        elif op.amount % 4 == 3:
            positions = positions[:: 1 + op.amount // 4 % 4][: op.amount // 4 % 7]
        sequence.slot_mapping(positions)

    def step_take(self, op):
        self.taken += self.pool.allocate((op.amount + 1) % 5) or []

    def step_take_all(self, op):
        """All that are free, and then none more: that is no refusal."""
        self.taken += self.pool.allocate(peek(self.pool).num_free())
        if op.amount % 2:
            self.pool.allocate(0)

    def step_take_too_many(self, op):
        self.pool.allocate(peek(self.pool).num_free() + 1 + op.amount % 3)

    def step_give(self, op):
        if self.taken:
            blocks = self.choose_taken(op)
            for block in blocks:
                self.taken.remove(block)
            self.pool.free(blocks)

    def step_share(self, op):
        if self.taken:
            blocks = self.choose_taken(op)
            self.taken += blocks
            self.pool.share(blocks)

    # --- steps that are long or large, for a few plans of their own ---

    def step_crowd(self, op):
        """Many owners of one half-full block; each of them writes."""
        everyone = [self.newcomer()]
        self.append(everyone[0], self.block_size // 2)
        everyone += [self.fork(everyone[0]) for _ in range(op.amount)]
        for sequence in everyone:
            self.append(sequence, 1)
        for sequence in everyone:
            self.sequences.remove(sequence)
            sequence.free()

    def step_churn(self, op):
        """Blocks taken and given back, many times."""
        for n in range(op.amount):
            blocks = self.pool.allocate(1 + n % 3)
            self.pool.free(blocks)

    def step_copy_again_and_again(self, op):
        """One block, copied by fork after fork."""
        parent = self.newcomer()
        self.append(parent, 1)
        for _ in range(op.amount):
            twin = self.fork(parent)
            self.append(twin, 1)
            self.sequences.remove(twin)
            twin.free()

    def step_long(self, op):
        """A long sequence, forked in the middle of its last block; both sides write, and the slots of all positions."""
        sequence = self.newcomer()
        self.append(sequence, op.amount * self.block_size + 1)
        twin = self.fork(sequence)
        for one in (twin, sequence):
            self.append(one, 1)
            one.slot_mapping(list(range(one.num_tokens)))

    def step_second_pool(self, op):
        """A pool beside the first: what one does must not show in the other."""
        if isinstance(self, SecondPool):
            return
        second = SecondPool(self.answer, 1 + op.pick % 6, self.block_size % 4 + 1)
        self.answer.count("runs_with_two_pools")
        for kind in ("append", "branch", "retire", "take")[: 1 + op.amount % 4]:
            getattr(second, f"step_{kind}")(op)
        self.step_write(op)


class SecondPool(Run):
    """The same steps on another pool of the same run."""


def play(answer, plan):
    run = Run(answer, plan.num_blocks, plan.block_size)
    for op in plan.ops:
        getattr(run, f"step_{op.kind}")(op)
