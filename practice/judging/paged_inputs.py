"""A step of an engine as a plan describes it, for problems with a paged cache: requests that ask, scattered blocks, and
caches of which much belongs to nobody. paged_runs.py puts it before an answer."""

from random import Random

import numpy as np

POISON = {"nan": float("nan"), "1e4": 1e4}  # what is in slots without owner
WRAPS = 1 << 31  # elements: an offset of as many, or more, does not fit into 32 bits


def first_past_32_bits(shape):
    """The first block of a cache of such blocks that begins at an offset of more than 31 bits. shape: [num_blocks,
    block_size, num_kv_heads, head_dim]."""
    return -(-WRAPS // int(np.prod(shape[1:])))


class Batch:
    """Requests in the making; each step of the plan adds one, or says more about the one before it.

    Plans name: block_size, kv_heads, group (query heads per KV head), head_dim, dtype; content (see `contents`);
    poison; order: of the blocks in the pool; spare: blocks that nobody owns; wide: columns of padding behind the
    longest table; memory: how the caches lie (see `layouts`).
    """

    def __init__(self, plan):
        self.plan = plan
        self.seq_lens, self.queries, self.tables, self.taken = [], [], [], 0
        for op in plan.ops:
            getattr(self, op.kind)(op)
        if not plan.ops:
            self.add(1)
        pool = list(range(max(1, self.taken + plan.spare)))[::-1]
        if plan.order:
            pool = Random(plan.order).sample(pool, len(pool))
        self.tables = [[pool[block] for block in table] for table in self.tables]
        self.num_blocks = len(pool)

    # --- the kinds of a step ---

    def request(self, op):
        """A context that ends around the end of a block."""
        size = self.plan.block_size
        around = [1, size, size + 1, max(1, size - 1), 2 * size, 2 * size + 1]
        self.add(around[op.pick % 6] if size < 64 else around[op.pick % 4])

    def sibling(self, op):
        """Shares the full blocks of the request before it, and goes on in blocks of its own."""
        shared = self.tables[-1][: self.seq_lens[-1] // self.plan.block_size] if self.tables else []
        self.add(len(shared) * self.plan.block_size + 1 + op.pick % self.plan.block_size, shared)

    def exactly(self, op):
        """A context of `pick` tokens, and 256 more for each of `amount`: for plans by hand."""
        self.add(op.pick + 256 * op.amount)

    def prompt(self, op):
        """Asks with all of its tokens."""
        self.request(op)
        self.queries[-1] = self.seq_lens[-1]

    def chunk(self, op):
        """Asks with some of its tokens, the last ones."""
        self.request(op)
        self.queries[-1] = 1 + op.amount % self.seq_lens[-1]

    def silent(self, op):
        """Asks nothing; perhaps it has no context either."""
        self.add(op.pick % (self.plan.block_size + 2), queries=0)

    def hollow(self, op):
        """Asks, and has no context."""
        self.add(0)

    def nobody(self, op):
        """No request at all."""

    def asks(self, op):
        """The request before it asks with `pick` tokens, and 256 more for each of `amount`: for plans by hand."""
        self.queries[-1] = op.pick + 256 * op.amount
        if self.queries[-1] > self.seq_lens[-1]:
            raise ValueError(f"{self.queries[-1]} queries of a context of {self.seq_lens[-1]}")

    def add(self, seq_len, shared=(), queries=1):
        own = -(-seq_len // self.plan.block_size) - len(shared)
        self.tables.append([*shared, *range(self.taken, self.taken + own)])
        self.taken += own
        self.seq_lens.append(seq_len)
        self.queries.append(queries)

    # --- what it comes to ---

    @property
    def shape(self):
        return self.num_blocks, self.plan.block_size, self.plan.kv_heads, self.plan.head_dim

    def block_tables(self):
        """[B, max_blocks] int32, filled up with -1."""
        width = max(map(len, self.tables), default=0) + self.plan.wide
        tables = [table + [-1] * (width - len(table)) for table in self.tables]
        if self.plan.memory == "huge":
            tables = [[-1 if block < 0 else self.huge(block) for block in table] for table in tables]
        return np.array(tables, "int32").reshape(len(tables), width)

    def query_start_loc(self):
        """[B + 1] int32: where each request's queries begin, and where the last one's end."""
        return np.cumsum([0, *self.queries]).astype("int32")

    def places(self):
        """(block, offset) of each token, request after request."""
        size = self.plan.block_size
        for table, seq_len in zip(self.tables, self.seq_lens, strict=True):
            yield from ((table[p // size], p % size) for p in range(seq_len))

    def owned(self):
        """How many requests own each element of a cache."""
        count = np.zeros(self.shape, "uint8")
        for place in self.places():
            count[place] += 1
        return count

    def arrays(self):
        """q, k_cache and v_cache, and what is in the caches as long as no kernel runs."""
        plan, poison = self.plan, POISON[self.plan.poison]
        places = list(dict.fromkeys(self.places()))
        q, k, v = contents(plan, sum(self.queries), len(places))
        caches = [np.full(self.shape, poison) for _ in range(4)]
        for n, place in enumerate(places):
            for cache, token in zip(caches, (k[n], v[n], 0.5 - k[n] / 2, v[n] / 4 - 1), strict=True):
                cache[place] = token
        return [array.astype(plan.dtype) for array in (q, *caches)]

    def layouts(self):
        """How K and V lie in memory. dense: no room between elements; padded: room after each block, and in V after
        each head as well; heads: [num_blocks, num_kv_heads, block_size, head_dim], seen with two axes exchanged; huge:
        every third block of those that begin past 2^31 elements.
        """
        plan, size = self.plan, int(np.prod(self.shape[1:]))
        dense = [size, plan.kv_heads * plan.head_dim, plan.head_dim, 1]
        k, v = dense, dense
        if plan.memory == "heads":
            k = v = [size, plan.head_dim, plan.block_size * plan.head_dim, 1]
        if plan.memory == "padded":
            head = plan.head_dim + 8
            k, v = [size + 8, *dense[1:]], [plan.block_size * plan.kv_heads * head + 24, plan.kv_heads * head, head, 1]
        for strides in (k, v):
            layout = {"shape": self.shape, "strides": strides, "fill": POISON[plan.poison]}
            if plan.memory == "huge":
                at = [self.huge(block) for block in range(self.num_blocks)]
                layout |= {"shape": (at[-1] + 1, *self.shape[1:]), "at": at}
            yield layout if plan.memory != "dense" else None

    def huge(self, block):
        """Where a block lies in a huge cache."""
        return first_past_32_bits(self.shape) + 3 * block


class Spread:
    """A huge cache for the oracle: only some blocks are there."""

    def __init__(self, shape, at, array):
        self.shape, self._rows, self._array = shape, {block: row for row, block in enumerate(at)}, array

    def __getitem__(self, index):
        return self._array[self._rows[index[0]], *index[1:]]


def contents(plan, num_queries, num_tokens):
    """q [N, num_heads, head_dim], k and v [tokens, num_kv_heads, head_dim]. Values count the tokens, 50 apart from KV
    head to KV head.

    even: every key is 0, so that a result is the mean of its values. normal: random. large: scores of 2^17 or as far
    below zero, 64 apart, some of them equal; abyss: all scores far below zero, and equal; peaks: thousands apart. fine:
    scores of some tens, each the difference of products of tens of thousands. tall: every key is 0, and the sum of 44
    values is more than float16 holds.
    """
    random = np.random.default_rng(plan.order)
    q = random.standard_normal((num_queries, plan.kv_heads * plan.group, plan.head_dim))
    k = random.standard_normal((num_tokens, plan.kv_heads, plan.head_dim))
    count = np.arange(1.0, num_tokens + 1).reshape(-1, 1, 1)
    v = count + 50 * np.arange(plan.kv_heads).reshape(1, -1, 1) + np.arange(plan.head_dim) % 4 / 4
    if plan.content == "even":
        q[...], k[...] = 1, 0
    elif plan.content == "normal":
        v = random.standard_normal(k.shape)
    elif plan.content == "large":
        q[...], k[...] = 0, 0
        q[..., 0], k[..., 0] = 256.0, 512.0 if plan.order % 2 else -512.0
        q[..., 1], k[..., 1] = 8.0, 8.0 * (count[..., 0] * 3 % 5)
    elif plan.content == "abyss":
        q[...], k[...] = 64.0, -64.0
    elif plan.content == "tall":
        q[...], k[...], v = 1, 0, v + 1500
    elif plan.content == "fine":
        q[...], k[...] = 0, 0
        q[..., :2] = 101, -100
        k[..., :2] = count % 7 * (50, 50.5)
    elif plan.content == "peaks":
        q[...], k[...] = 8.0, 8.0 * (count % 7)
    return q, k, v
