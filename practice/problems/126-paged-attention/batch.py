"""A batch as a plan describes it: requests, scattered blocks, and caches in which all that nobody owns is poison."""

from random import Random

import numpy as np

from practice.judging import Plan


class Batch:
    """Requests in the making. Step after step adds one, with a context that ends around the end of a block.

    Plans name: block_size, kv_heads, group (query heads per KV head), head_dim, dtype; content (see `contents`);
    poison: what is in slots without owner; order: of the blocks in the pool; spare: blocks that nobody owns; wide:
    columns of padding behind the longest table.
    """

    def __init__(self, plan):
        if any(op.kind == "long" for op in plan.ops):  # few entries to read where such a run goes wrong
            plan = Plan(plan.choices | {"block_size": 256}, plan.ops)
        self.plan = plan
        self.seq_lens, self.num_new, self.tables = [], [], []
        self.tokens = []  # (block, offset) of each, request after request
        self.taken = 0
        for op in plan.ops:
            getattr(self, op.kind)(op)
        self._number_the_blocks()

    # --- the kinds of a step ---

    def decode(self, op):
        """One query, the last token of its context."""
        self.add(self.length(op), 1)

    def prefill(self, op):
        """A whole prompt: as many queries as context."""
        length = self.length(op)
        self.add(length, length)

    def chunk(self, op):
        """The last part of a prompt, behind what is in the cache already."""
        length = self.length(op) + 1
        self.add(length, 1 + op.amount % min(length - 1, 5) + (length > 2))

    def idle(self, op):
        """No query in this step; perhaps no context either."""
        self.add(self.length(op) if op.amount % 3 else 0, 0)

    def sibling(self, op):
        """One query; shares the full blocks of the request before it, and goes on in blocks of its own."""
        shared = self.tables[-1][: self.seq_lens[-1] // self.plan.block_size] if self.tables else []
        self.add(len(shared) * self.plan.block_size + 1 + op.pick % (self.plan.block_size + 1), 1, shared)

    def exactly(self, op):
        """A context of `pick` tokens, `amount` of them queries: for a few plans of their own."""
        self.add(op.pick, op.amount)

    def long(self, op):
        """One query, and more context than anything else here has."""
        self.add(4100, 1)

    def length(self, op):
        size = self.plan.block_size
        blocks = op.pick % (3 if size < 16 else 2)
        return blocks * size + ([1, size, size - 1, 1 + op.amount % size][op.pick // 3 % 4] or 1)

    def add(self, seq_len, num_new, shared=()):
        size = self.plan.block_size
        own = -(-seq_len // size) - len(shared)
        table = [*shared, *range(self.taken, self.taken + own)]
        self.taken += own
        self.tokens += [(table[p // size], p % size) for p in range(len(shared) * size, seq_len)]
        self.seq_lens.append(seq_len)
        self.num_new.append(num_new)
        self.tables.append(table)

    def _number_the_blocks(self):
        """Blocks were counted as they were taken; here they get their places in the pool, the last one first."""
        self.num_blocks = max(1, self.taken + self.plan.spare)
        pool = list(range(self.num_blocks))[::-1]
        if self.plan.order:
            pool = Random(self.plan.order).sample(pool, len(pool))
        self.tables = [[pool[block] for block in table] for table in self.tables]
        self.tokens = [(pool[block], offset) for block, offset in self.tokens]

    @property
    def query_start_loc(self):
        return [sum(self.num_new[:i]) for i in range(len(self.num_new) + 1)]

    @property
    def block_tables(self):
        """Rows of the same length, filled up with -1."""
        width = max(map(len, self.tables), default=0) + self.plan.wide
        return [table + [-1] * (width - len(table)) for table in self.tables]

    def arrays(self, layer=0):
        """q, k_cache, v_cache; in every layer other numbers."""
        plan = self.plan
        num_rows, num_tokens = sum(self.num_new), len(self.tokens)
        q, k, v = contents(plan, layer, (num_rows, plan.kv_heads * plan.group), (num_tokens, plan.kv_heads))
        shape = (self.num_blocks, plan.block_size, plan.kv_heads, plan.head_dim)
        poison = np.nan if plan.poison == "nan" else 1e4
        k_cache, v_cache = np.full(shape, poison), np.full(shape, poison)
        for n, place in enumerate(self.tokens):
            k_cache[place], v_cache[place] = k[n], v[n]
        return [array.astype(plan.dtype) for array in (q, k_cache, v_cache)]


def contents(plan, layer, rows, tokens):
    """q [*rows, head_dim], k and v [*tokens, head_dim]. Values count the tokens, 50 apart from KV head to KV head
    and 200 from layer to layer.

    even: every key is 0, so that a result is the mean of the values that its query sees. quarters, normal: random, with
    and without round numbers. large: scores of 131072 (or as far below zero), a few apart. middle: the same, 64 apart,
    for a scale that makes them small. abyss, trench: all scores equal, -2**30 or -2**100 for each of head_dim. peaks:
    thousands apart.
    """
    random = np.random.default_rng(plan.order + 100 * layer)
    q, k = (random.standard_normal((*shape, plan.head_dim)) for shape in (rows, tokens))
    count = np.arange(1.0, tokens[0] + 1).reshape(-1, 1, 1)
    v = count + 200 * layer + 50 * np.arange(tokens[1]).reshape(1, -1, 1) + np.arange(plan.head_dim) / 4
    if plan.content == "even":
        q, k = np.ones(q.shape), np.zeros(k.shape)
    elif plan.content == "quarters":
        q, k = np.round(q * 4) / 4, np.round(k * 4) / 4
    elif plan.content == "normal":
        v = random.standard_normal(k.shape)
    elif plan.content in ("large", "middle"):
        q[...], q[..., 0] = 1.0 if plan.content == "large" else 64.0, 256.0
        k[...] = np.arange(tokens[0]).reshape(-1, 1, 1) * 3 % 5
        k[..., 0] = 512.0 if plan.order % 2 else -512.0
    elif plan.content in ("abyss", "trench"):
        height = 2.0**15 if plan.content == "abyss" else 2.0**50
        q[...], k[...] = height, -height
    elif plan.content == "peaks":
        q[...], k[...] = 64.0, 64.0 * (count % 7)
    return q, k, v
