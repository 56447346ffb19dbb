"""Runs of problems with a paged cache: what plans may choose, what an answer is given, and what counted reads mean."""

import numpy as np

from practice.judging.paged_inputs import Spread
from practice.judging.plan import Op, Plan
from practice.judging.wire import TensorData

PLACES = {"block_size": [4, 1, 16, 3], "order": [0, 1, 2, 3], "spare": [1, 0, 3], "wide": [0, 2]}
PLACES |= {"poison": ["1e4", "nan"]}
ONE_HEAD = {"kv_heads": [1], "group": [1], "head_dim": [16, 24]}
HEADS = {"kv_heads": [1, 2], "group": [1, 2, 3, 5], "head_dim": [16, 24, 80]}
NUMBERS = {"content": ["even", "normal"], "dtype": ["float32", "float16"], "scale": [0.5, 1.0, 0.3]}
EXTREME = {"content": ["abyss", "peaks", "large"], "dtype": ["float32", "float16"], "scale": [1.0, 0.25]}
DENSE = {"memory": ["dense"]}
ANYHOW = {"memory": ["padded", "heads"]}
SIMPLEST = {name: values[0] for name, values in (PLACES | HEADS | NUMBERS | DENSE).items()} | {"content": "normal"}


def plan_of(*requests, **choices):
    """A plan by hand: what is not named is as simple as it can be. A request is the length of its context, or that and
    how many of its tokens ask; "then" begins another step."""
    ops = []
    for request in requests:
        if request == "then":
            ops.append(Op("then", 0, 0))
            continue
        seq_len, *asking = (request,) if isinstance(request, int) else request
        ops += [Op("exactly", seq_len % 256, seq_len // 256)] + [Op("asks", n % 256, n // 256) for n in asking]
    return Plan(SIMPLEST | choices, ops)


def steps(plan):
    """The steps of a plan, each a plan whose blocks lie in another order."""
    found = [[]]
    for op in plan.ops:
        if op.kind == "then":
            found.append([])
        else:
            found[-1].append(op)
    return [Plan(plan.choices | {"order": plan.order + n}, ops) for n, ops in enumerate(found)]


def given(answer, batch, counted):
    """q, k_cache, v_cache, block_tables and seq_lens of a batch, as the answer is given them. The caches hold what they
    are to hold only while a kernel runs. counted: what is read of them is judged."""
    plan = batch.plan
    answer.count("requests", len(batch.seq_lens))
    answer.count("tokens", sum(batch.seq_lens))
    q, k, v, *before = batch.arrays()
    made, owned = [answer.input("q", q)], batch.owned() if sum(batch.seq_lens) else None
    for name, array, other, layout in zip(("k_cache", "v_cache"), (k, v), before, batch.layouts(), strict=True):
        known = Spread(layout["shape"], layout["at"], array) if plan.memory == "huge" else array
        about = {"values": array, "layout": layout, "owned": owned, "before": other, "counted": counted}
        made.append(answer.input(name, known, **about))
    made.append(answer.input("block_tables", batch.block_tables()))
    return [*made, answer.input("seq_lens", np.array(batch.seq_lens, "int32"))]


def for_gpu(answer, num_queries):
    """The same for a kernel that is only compiled: 28 query heads on 4 KV heads of 128, as in Qwen2.5-7B, 8 requests of
    up to 16,384 tokens in blocks of 16. What the tensors hold is not told."""
    shape = (8192, 16, 4, 128)
    layout = {"shape": shape, "strides": [16 * 4 * 128, 4 * 128, 128, 1]}
    whole, one_block = (TensorData("bfloat16", size, b"") for size in (shape, (1, *shape[1:])))
    q = answer.input("q", TensorData("bfloat16", (num_queries, 28, 128), b""))
    caches = [answer.input(name, whole, values=one_block, layout=layout) for name in ("k_cache", "v_cache")]
    tables = answer.input("block_tables", np.arange(8192, dtype="int32").reshape(8, 1024))
    return [q, *caches, tables, answer.input("seq_lens", np.arange(2048, 16385, 2048, dtype="int32"))]


def reads_explained(once):
    """The `explain` of a group that counts reads. once: who shares one read, in both languages."""

    def explain(state):
        for name in ("k_cache", "v_cache"):
            counts = ("read", "unread", "copies", "kept")
            read, unread, copies, kept = (state.get(f"{name}.{count}") for count in counts)
            if read == 0:
                return {
                    "en": f"no kernel reads {name}; what it holds is put there when a kernel starts",
                    "zh": f"没有 kernel 读过 {name}；kernel 启动时，里面才放进真正的内容",
                }
            if type(unread) is int and unread:
                return {
                    "en": f"{unread} elements of {name} that a request owns were not read",
                    "zh": f"{name} 里有 {unread} 个属于请求的元素没有被读到",
                }
            if type(copies) is float and copies > 1.0:
                return {
                    "en": f"{name} is read where it lies, not copied first and read from the copy",
                    "zh": f"{name} 放在哪里就在哪里读，不要先复制一份再从副本里读",
                }
            if type(kept) is float and kept > 0.5:
                return {
                    "en": f"kernels do the work and store its result; besides, they store {kept:g} times what {name} "
                    "has for the requests",
                    "zh": f"活由 kernel 干，存的是结果；除了结果，这里还存了 {kept:g} 份 {name} 里属于请求的内容",
                }
            if type(read) is float and read > 1.1:
                return {
                    "en": f"every key and every value is read once, {once['en']} ({name} was read {read:g} times over)",
                    "zh": f"每个 key、每个 value 只读一次，{once['zh']}（{name} 被读了 {read:g} 遍）",
                }
        return None

    return explain
