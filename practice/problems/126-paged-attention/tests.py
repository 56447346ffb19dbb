"""Hidden tests of 126: which batches are drawn, and how often. batch.py says what they are made of, play.py what is
done with them.
"""

from practice.judging import Group, Op, Plan, plans

from . import oracle
from .play import play, play_again


def plan_of(steps, **choices):
    """A plan by hand: what is not named is as simple as it can be."""
    return Plan({name: values[0] for name, values in EVERYTHING.items()} | choices, [Op(*step) for step in steps])


def _every_length():
    """A decode at every length that three blocks can have."""
    for block_size in (2, 1, 3, 4):
        for poison in ("1e4", "nan"):
            steps = [("exactly", length, 1) for length in range(1, 3 * block_size + 1)]
            yield plan_of(steps, block_size=block_size, poison=poison, content="quarters")


def _every_chunk():
    """Six tokens in blocks of 2: all of them as queries, the last five, and so on."""
    for num_new in range(1, 7):
        yield plan_of([("exactly", 6, num_new)], content="even" if num_new % 2 else "quarters")


def _groups():
    """Heads as in models: 28 on 4 (Qwen2.5-7B), 8 on 1, 5 on 5."""
    for kv_heads, group in ((4, 7), (1, 8), (5, 1)):
        steps = [("exactly", 5, 3), ("exactly", 2, 1)]
        yield plan_of(steps, kv_heads=kv_heads, group=group, head_dim=2, content="quarters", order=kv_heads)


def _real():
    """The chapter's batch; one in blocks of 16 with heads of 128; a long context."""
    steps = [("exactly", 37, 1), ("exactly", 5, 5), ("exactly", 20, 8)]
    sizes = {"block_size": 4, "kv_heads": 2, "group": 4, "head_dim": 64, "scale": 0.125}
    yield plan_of(steps, content="normal", poison="nan", order=4, wide=1, **sizes)
    steps = [("exactly", 33, 2), ("exactly", 0, 0), ("exactly", 16, 1)]
    sizes = {"block_size": 16, "kv_heads": 2, "group": 7, "head_dim": 128, "scale": 128**-0.5}
    yield plan_of(steps, content="normal", poison="nan", order=3, **sizes)
    yield plan_of([("exactly", 1000, 2), ("exactly", 3, 1)], content="normal", block_size=16, head_dim=4, order=2)
    yield plan_of([("long", 0, 0)], content="normal", head_dim=2, order=2)


def _nothing():
    """No request at all; requests, but no query."""
    yield plan_of([])
    yield plan_of([("exactly", 3, 0)])
    yield plan_of([("exactly", 0, 0), ("exactly", 2, 0)], wide=1)


def _extremes():
    """Each kind of extreme score: one query that sees one key, then more."""
    for content in ("large", "peaks", "abyss", "trench"):
        for order in (0, 1):
            yield plan_of([("exactly", 3, 3)], content=content, order=order, head_dim=4, scale=1.0, spare=0)


def _scales():
    """A scale that is 0, or below it."""
    for scale in (0.0, -0.5, -1.0):
        yield plan_of([("exactly", 3, 3)], content="quarters", scale=scale, head_dim=2, order=1)


def _again():
    """Each kind of a second call, twice."""
    sizes = {name: values[0] for name, values in AGAIN.items()} | {"content": "quarters", "order": 1}
    for kind in ("layer", "written", "shorter", "model"):
        for requests in AGAIN["requests"]:
            yield Plan(sizes | {"requests": requests}, [Op(kind, 0, 0), Op(kind, 1, 0)])


def _half():
    """Products that overflow float16 although the scores don't, above and below zero."""
    for order in (0, 1):
        sizes = {"head_dim": 2, "dtype": "float16", "content": "middle", "scale": 2**-11}
        yield plan_of([("exactly", 5, 2), ("exactly", 2, 1)], order=order, **sizes)


PLACES = {"block_size": [2, 1, 3, 4, 16], "order": [0, 1, 2, 3, 4], "spare": [1, 0, 2], "wide": [0, 1]}
PLACES |= {"poison": ["1e4", "nan"]}
ONE_HEAD = {"kv_heads": [1], "group": [1], "head_dim": [1, 2, 4, 7]}
HEADS = {"kv_heads": [1, 2, 3], "group": [1, 3, 7, 2], "head_dim": [1, 2, 5, 8]}
FEW_HEADS = {"kv_heads": [1, 2], "group": [1, 2], "head_dim": [1, 2]}
NUMBERS = {"content": ["even", "quarters", "normal"], "dtype": ["float32"], "scale": [0.5, 1.0, 0.25, 0.3, -0.5, 0.0]}
EXTREME = {"content": ["abyss", "peaks", "large", "trench"], "dtype": ["float32"], "scale": [1.0, 0.25]}
HALF = {"content": ["middle", "quarters"], "dtype": ["float16"], "scale": [2**-11]}
EVERYTHING = PLACES | HEADS | NUMBERS | {"least": [None]}
MIXED = {"decode": 2, "prefill": 1, "chunk": 2, "sibling": 1, "idle": 4}
REQUESTS = {"requests": [((4, 1),), ((4, 3),), ((2, 1), (5, 1)), ((5, 2), (3, 3))]}  # (context, queries) of each
AGAIN = REQUESTS | {"block_size": [2, 1, 3, 4], "order": [0, 1, 2], "spare": [0, 1], "wide": [0], "poison": ["1e4"]}
AGAIN |= FEW_HEADS | NUMBERS | {"content": ["quarters", "normal"], "scale": [0.5, 1.0]}
COMMON = {"play": play, "oracle": oracle}

GROUPS = [
    Group(
        name="decode",
        title={"en": "one query each: blocks and lengths", "zh": "每个请求一个 query：块与长度"},
        points=20,
        plans=plans({"decode": 4, "sibling": 1}, (1, 4), **PLACES, **ONE_HEAD, **NUMBERS, least=["decode"]),
        programs=20,
        always=[*_every_length(), *_scales()],
        hint={
            "en": "“One query” and “Where the context lies”: all that a query reads, and nothing else.",
            "zh": "“一个 query”和“上下文在哪里”两节：query 要读到的都读到，别的都不读。",
        },
        **COMMON,
    ),
    Group(
        name="prefill",
        title={"en": "prompts and chunks: the causal mask", "zh": "整段与分块的提示词：因果掩码"},
        points=20,
        plans=plans({"prefill": 2, "chunk": 3}, (1, 3), **PLACES, **ONE_HEAD, **NUMBERS, least=["decode"]),
        programs=20,
        always=list(_every_chunk()),
        hint={
            "en": "“Several queries”: which positions the queries have, and what each of them sees.",
            "zh": "“多个 query”一节：各个 query 在什么位置，看得到什么。",
        },
        **COMMON,
    ),
    Group(
        name="heads",
        title={"en": "many query heads on few KV heads", "zh": "多个 query 头共用 KV 头"},
        points=15,
        plans=plans({"decode": 2, "chunk": 1, "prefill": 1}, (1, 2), **PLACES, **HEADS, **NUMBERS, least=["decode"]),
        programs=20,
        always=list(_groups()),
        hint={
            "en": "“Heads”: which KV head a query head reads.",
            "zh": "“头”一节：哪个 query 头读哪个 KV 头。",
        },
        **COMMON,
    ),
    Group(
        name="batch",
        title={"en": "mixed batches, requests without queries", "zh": "混合批次、没有 query 的请求"},
        points=15,
        plans=plans(MIXED, (2, 5), **PLACES, **FEW_HEADS, **NUMBERS, least=[None]),
        programs=20,
        always=[*_nothing(), *_real()],
        hint={
            "en": "“Several queries”: whose rows are whose, also where a request has none.",
            "zh": "“多个 query”一节：哪几行是谁的；有的请求一行都没有。",
        },
        **COMMON,
    ),
    Group(
        name="extremes",
        title={"en": "scores of any size", "zh": "任意大小的分数"},
        points=8,
        plans=plans({"chunk": 1}, (1, 2), **PLACES, **FEW_HEADS, **EXTREME, least=["chunk"]),
        programs=10,
        always=list(_extremes()),
        hint={
            "en": "“Numbers”: how large and how small a score may be.",
            "zh": "“数值”一节：分数可以有多大、多小。",
        },
        **COMMON,
    ),
    Group(
        name="float16",
        title={"en": "float16", "zh": "float16"},
        points=7,
        plans=plans({"chunk": 1}, (1, 2), **PLACES, **FEW_HEADS, **HALF, least=["chunk"]),
        programs=8,
        always=list(_half()),
        hint={
            "en": "“Numbers”: what is computed in float32, and what comes back.",
            "zh": "“数值”一节：哪些要用 float32 算，返回什么。",
        },
        **COMMON,
    ),
    Group(
        name="again",
        title={"en": "one call after another", "zh": "一次调用接着一次"},
        points=5,
        play=play_again,
        oracle=oracle,
        watch={"ndarray": ("",)},
        names={"ndarray": ["out", "out2", "out3", "out4"]},
        plans=plans({"layer": 2, "written": 2, "shorter": 1, "model": 1}, (1, 3), **AGAIN),
        programs=10,
        always=list(_again()),
        hint={
            "en": "“What you write”: a new tensor each time, from what is in the cache now.",
            "zh": "“要写什么”一节：每次都按缓存里此刻的内容，返回一个新的张量。",
        },
    ),
]
