"""Hidden tests of 139: which runs are drawn. play.py says what a run does, explain.py what a state gives away."""

from itertools import product

from practice.judging import Group, Op, Plan, plans

from . import explain, oracle
from .play import play_refused, play_samples, play_search, play_step, play_texts

POOL = {"BlockPool": ("num_free()", "ref_cnt", "copies")}
SEQUENCE = {"Sequence": ("num_tokens", "block_table")}
NAMES = {"BlockPool": ["pool"], "Sequence": list("abcdefghijklmnopqrstuvwxyz")}
START = {
    "block_size": [4, 2, 3, 1, 5],
    "prompt_len": [2, 4, 3, 1, 5, 6, 8, 7, 9],
    "width": [2, 1, 3, 4],
    "extra": [0, 1, 2, 3],
    "beside": ["nobody", "first", "prompt", "stranger"],
}
SLACK = [2, 0, 1]


def _samples():
    """Each prompt around the end of a block, each number of texts and steps, in a pool that they just fill."""
    for prompt_len, n, steps in product(range(1, 6), (1, 2, 3), range(4)):
        yield Plan({"block_size": 2, "slack": 0}, [Op("sample", prompt_len - 1, n - 1 + 4 * steps)])
    yield Plan({"block_size": 50, "slack": 1}, [Op("sample", 70, 3 + 4 * 51)])


def _steps():
    """Two beams and every generation of up to three children; half-filled and full, sharing and apart."""
    for prompt_len, beside, extra in (
        (3, "nobody", 0),
        (3, "first", 0),
        (2, "nobody", 0),
        (2, "nobody", 1),
        (2, "first", 1),
        (2, "nobody", 2),
        (2, "prompt", 2),
    ):
        for size in range(4):
            for parents in product(range(2), repeat=size):
                yield _step(2, prompt_len, 2, extra, beside, parents)
    for parents in ((2,), (2, 2), (2, 2, 2), (0, 2), (2, 1, 2)):
        for prompt_len in (2, 3, 4, 6):
            yield _step(2, prompt_len, 2, 0, "stranger", parents)
    yield _step(16, 100, 8, 0, "first", (7, 7, 0, 3, 0, 0, 5, 1))
    yield _step(16, 96, 8, 20, "nobody", (7, 7, 0, 3, 0, 0, 5, 1))


def _step(block_size, prompt_len, width, extra, beside, parents, **choices):
    start = zip(START, (block_size, prompt_len, width, extra, beside), strict=True)
    return Plan(dict(start) | (choices or {"slack": 0}), [Op("child", parent, 0) for parent in parents])


def _refused():
    """Beams that share a half-filled block, dead ones that share what they would give back, and bystanders."""
    for prompt_len, beside, extra in (
        (3, "nobody", 0),
        (3, "first", 0),
        (4, "nobody", 0),
        (4, "first", 0),
        (4, "prompt", 1),
        (6, "nobody", 1),
        (5, "stranger", 2),
        (8, "stranger", 0),
    ):
        for parents in ((0, 1), (0, 0), (1, 1, 1), (2, 2, 2), (0, 1, 2), (2, 1, 2, 1), (0, 0, 0, 0), (3, 3, 3, 3)):
            yield _step(4, prompt_len, 3, extra, beside, parents, what="beams", held=2)
    for prompt_len, n, steps in product((2, 3, 4), (1, 2, 3), range(4)):
        yield _step(2, prompt_len, n, steps, "nobody", (), what="samples", held=2)


COMMON = {"oracle": oracle, "names": NAMES, "uses_up": ("beam_step",)}

GROUPS = [
    Group(
        name="samples",
        title={"en": "parallel_sample: tables and copies", "zh": "parallel_sample：块表与复制"},
        points=20,
        play=play_samples,
        plans=plans({"sample": 1}, (1, 2), block_size=START["block_size"], slack=SLACK),
        programs=30,
        always=list(_samples()),
        watch=POOL | SEQUENCE,
        explain=explain.of_texts,
        hint={
            "en": "“Parallel sampling”: what is stored once, and in which order the texts grow.",
            "zh": "“并行采样”一节：什么只存一份，各个回答按什么次序增长。",
        },
        **COMMON,
    ),
    Group(
        name="texts",
        title={
            "en": "beam_step: one child per parent, one token longer",
            "zh": "beam_step：孩子不多不少，各长一个 token",
        },
        points=10,
        play=play_texts,
        plans=plans({"step": 8, "finish": 1, "drop": 1}, (1, 8), **START),
        programs=30,
        watch={"BlockPool": (), "Sequence": ("num_tokens",)},
        hint={
            "en": "“A step of a beam search”: what `parents` says.",
            "zh": "“束搜索的一步”一节：`parents` 说的是什么。",
        },
        **COMMON,
    ),
    Group(
        name="step",
        title={"en": "beam_step: no copy and no block too many", "zh": "beam_step：不多复制、不多占块"},
        points=25,
        play=play_step,
        plans=plans({"child": 1}, (1, 6), **START, slack=SLACK),
        programs=40,
        always=list(_steps()),
        watch=POOL | SEQUENCE,
        explain=explain.thrift,
        hint={
            "en": "“As few as possible”: who gives back, who forks, who copies, and in which order.",
            "zh": "“能省则省”一节：谁归还、谁 fork、谁复制，按什么次序。",
        },
        **COMMON,
    ),
    Group(
        name="search",
        title={"en": "a whole search in as few blocks as it needs", "zh": "在刚好够用的块里完成整个搜索"},
        points=15,
        play=play_search,
        plans=plans({"step": 8, "finish": 1, "drop": 1}, (2, 8), **START, slack=[2, 0]),
        programs=30,
        watch={"BlockPool": ("num_free()",), "Sequence": ("num_tokens",)},
        hint={
            "en": "“As few as possible”: how many blocks are in use at once.",
            "zh": "“能省则省”一节：同一时刻占用多少块。",
        },
        **COMMON,
    ),
    Group(
        name="refused",
        title={"en": "all or nothing", "zh": "要么全做，要么不动"},
        points=20,
        play=play_refused,
        plans=plans({"child": 1}, (1, 6), **START, held=[0, 2, 1], what=["beams", "samples"]),
        programs=40,
        always=list(_refused()),
        watch=POOL | SEQUENCE,
        explain=explain.owners,
        hint={
            "en": "“All or nothing”: what must be counted before anything changes.",
            "zh": "“要么全做，要么不动”一节：动手之前要数清什么。",
        },
        **COMMON,
    ),
]
