"""What the steps of a drawn plan do to a table of rows: legal calls, many of them where mistakes live."""

from random import Random

from practice.judging import peek


class Rows:
    """The table alone. `held`: rows in use, in the order in which they came."""

    def __init__(self, answer, plan):
        self.answer, self.width = answer, plan.max_context_len
        self.pool = answer.ReqToTokenPool(plan.rows, plan.max_context_len)
        self.held, self.next_slot = [], 1

    def alloc(self, n):
        answer = self.pool.alloc(n)
        self.answer.count("refused_rows" if answer is None else "rows", 1 if answer is None else n)
        self.held += answer or []

    def write(self, row, start, count):
        """`count` slots that were never written before."""
        self.pool.write(row, start, list(range(self.next_slot, self.next_slot + count)))
        self.next_slot += count

    # --- the steps of a plan ---

    def step_alloc(self, op):
        self.alloc(op.amount % 3)

    def step_alloc_all(self, op):
        self.alloc(peek(self.pool).available_size())

    def step_alloc_too_many(self, op):
        self.alloc(peek(self.pool).available_size() + 1 + op.pick % 2)

    def step_write(self, op):
        """From the start, in the middle, or up to the end of a row."""
        if self.held:
            start = (0, op.pick % self.width, self.width - 1)[op.amount % 3]
            self.write(self.held[op.pick % len(self.held)], start, 1 + op.amount // 3 % (self.width - start))

    def step_rewrite(self, op):
        """A whole row, and then one entry or two of it: the rest must stay."""
        if self.held:
            row, start = self.held[op.pick % len(self.held)], op.amount % self.width
            self.write(row, 0, self.width)
            self.write(row, start, min(1 + op.amount % 2, self.width - start))

    def step_free(self, op):
        """Some rows, in any order."""
        rows = Random(op.pick).sample(self.held, min(len(self.held), 1 + op.amount % 3))
        self.held = [row for row in self.held if row not in rows]
        self.pool.free(rows)

    def step_second(self, op):
        """A table beside the first: what happens in one must not show in the other."""
        second = self.answer.ReqToTokenPool(2, self.width)
        [row] = second.alloc(1)
        second.write(row, 0, [90 + op.pick % 10])
        self.answer.count("runs_with_two_tables")


def play_rows(answer, plan):
    run = Rows(answer, plan)
    for op in plan.ops:
        getattr(run, f"step_{op.kind}")(op)
    run.step_alloc_all(None)
