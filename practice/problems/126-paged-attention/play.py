"""What a drawn plan does: one call, or several on caches that change between them."""

import numpy as np

from practice.judging import Op, Plan

from .batch import Batch


def play(answer, plan):
    """One call. A plan without steps has one request of the kind `least`, or none where that is None."""
    batch = Batch(plan if plan.ops or plan.least is None else Plan(plan.choices, [Op(plan.least, 0, 0)]))
    count(answer, batch)
    names = ("q", "k_cache", "v_cache")
    q, k_cache, v_cache = (answer.given(*pair) for pair in zip(names, batch.arrays(), strict=True))
    lists = (batch.block_tables, batch.seq_lens, batch.query_start_loc)
    answer.paged_attention(q, k_cache, v_cache, *lists, plan.scale)


def play_again(answer, plan):
    """A batch on one layer of a model after another, while caches are written and contexts get shorter; or on another
    model, whose blocks are larger."""
    requests = [Op("exactly", *request) for request in plan.requests]
    layer, batch = 0, Batch(Plan(plan.choices, requests))
    q, *caches = batch.arrays()
    caches = given(answer, layer, caches)
    attend(answer, batch, q, caches, plan.scale)
    for op in plan.ops:
        layer += 1
        if op.kind == "written":  # one slot of both caches
            place = batch.tokens[op.pick % len(batch.tokens)]
            for cache, number in zip(caches, (op.amount % 5 - 2, layer * 200), strict=True):
                row = np.full((plan.kv_heads, plan.head_dim), number)
                cache.__setitem__(place, row.astype(plan.dtype))
        elif op.kind == "shorter":
            batch.seq_lens = [max(1, seq_len - 1 - op.pick % 2) for seq_len in batch.seq_lens]
            used = [-(-seq_len // batch.plan.block_size) for seq_len in batch.seq_lens]
            batch.tables = [table[:blocks] for table, blocks in zip(batch.tables, used, strict=True)]
            batch.num_new = [min(pair) for pair in zip(batch.num_new, batch.seq_lens, strict=True)]
        else:
            larger = {"block_size": plan.block_size + (op.kind == "model")}
            batch = Batch(Plan(plan.choices | larger, requests))
            q, *caches = batch.arrays(layer)
            caches = given(answer, layer, caches)
        scale = plan.scale * (1, 1, 2, -1)[op.amount % 4]
        attend(answer, batch, q[: sum(batch.num_new)], caches, scale)


def given(answer, layer, caches):
    """The caches of a layer; the names of the first one's have no number."""
    number = layer + 1 if layer else ""
    return [answer.given(f"{name}_cache{number}", cache) for name, cache in zip("kv", caches, strict=True)]


def attend(answer, batch, q, caches, scale):
    count(answer, batch)
    answer.paged_attention(q, *caches, batch.block_tables, batch.seq_lens, batch.query_start_loc, scale)


def count(answer, batch):
    """What a run is about, for the coverage."""
    answer.count("requests", len(batch.seq_lens))
    answer.count("queries", sum(batch.num_new))
    answer.count("decodes", batch.num_new.count(1))
    answer.count("whole_prompts", sum(n == s > 1 for n, s in zip(batch.num_new, batch.seq_lens, strict=True)))
    answer.count("chunks", sum(1 < n < s for n, s in zip(batch.num_new, batch.seq_lens, strict=True)))
    answer.count("requests_without_queries", batch.num_new.count(0))
    answer.count("contexts_that_end_with_a_block", sum(s % batch.plan.block_size == 0 for s in batch.seq_lens))
    answer.count("runs_with_nan", int(batch.plan.poison == "nan"))
