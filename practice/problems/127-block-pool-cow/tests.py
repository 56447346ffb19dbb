"""Hidden tests of 127: which steps are drawn, how often, and on what pools. play.py says what a step does."""

from practice.judging import Group, Op, Plan, plans

from . import oracle
from .play import play

WATCH = {"BlockPool": ("num_free()", "ref_cnt", "copies"), "Sequence": ("num_tokens", "block_table")}
NAMES = {"BlockPool": ["pool", "pool2"], "Sequence": list("abcdefghijklmnopqrstuvwxyz")}
BLOCK_SIZES = [4, 2, 3, 1, 5, 8, 16, 7]


def explain(state):
    """Which rule of the pool a state breaks, in words of both languages; None where these rules hold."""
    counts, free = state.get("pool.ref_cnt"), state.get("pool.num_free()")
    if type(counts) is not list or any(type(count) is not int for count in counts):
        return None
    for block, count in enumerate(counts):
        if count < 0:
            return {
                "en": f"ref_cnt[{block}] is {count}: more owners have left than there were",
                "zh": f"ref_cnt[{block}] 是 {count}：退出的所有者比原有的还多",
            }
    if type(free) is int and free != counts.count(0):
        return {
            "en": f"num_free() is {free}, but the number of blocks without owners is {counts.count(0)}",
            "zh": f"num_free() 是 {free}，而没有所有者的块有 {counts.count(0)} 个",
        }
    if "pool2.ref_cnt" in state:
        return None  # whose blocks a table has, the state does not tell
    tables = [value for name, value in state.items() if name.endswith(".block_table") and type(value) is list]
    for block, count in enumerate(counts):
        entries = sum(table.count(block) for table in tables)
        if entries > count:
            where = f"{entries} tables" if entries > 1 else "a table"
            return {
                "en": f"block {block} stands in {where}, but ref_cnt[{block}] is {count}",
                "zh": f"块 {block} 出现在 {entries} 张块表里，ref_cnt[{block}] 却是 {count}",
            }
    return None


def _always():
    """A short script for every pool size from 1 to 64; for some large ones another, in which the queue goes round."""
    script = [("append", 0, 2), ("branch", 0, 1), ("branch", 8, 4), ("fill", 0, 0)]
    for num_blocks in range(1, 65):
        steps = [*script, ("brim", 0, 0), ("overflow", 1, 1), ("retire", 0, 0), ("take", 0, 1)]
        yield Plan({"num_blocks": num_blocks, "block_size": 2 + num_blocks % 7}, [Op(*step) for step in steps])
    for num_blocks in (65, 100, 128, 257, 1000, 4096):
        steps = [("rotate", 0, 0), *script, ("take", 0, 3), ("give", 0, 3), ("rotate", 0, 0), ("append", 0, 4)]
        yield Plan({"num_blocks": num_blocks, "block_size": 2 + num_blocks % 3}, [Op(*step) for step in steps])


def _large():
    """Many owners, many copies, long sequences, large blocks: what is right on a small scale must stay right."""
    for num_blocks, block_size, steps in (
        (60, 4, [("crowd", 0, 40)]),
        (16, 4, [("copy_again_and_again", 0, 120)]),
        (600, 3, [("rotate", 0, 0), ("long", 0, 255)]),
        (30, 48, [("long", 0, 12), ("branch", 0, 1)]),
    ):
        yield Plan({"num_blocks": num_blocks, "block_size": block_size}, [Op(*step) for step in steps])


def _churn():
    yield Plan({"num_blocks": 6, "block_size": 4}, [Op("churn", 0, 220)])


COMMON = {"play": play, "oracle": oracle, "watch": WATCH, "names": NAMES, "explain": explain}
POOL = {"take": 5, "take_all": 1, "take_too_many": 2, "give": 4, "share": 3}
GROWTH = {"append": 5, "write": 3, "brim": 2, "overflow": 3, "restart": 2, "rotate": 1, "slots": 2}
GROWTH |= {"take": 2, "give": 2}
SHARING = {"append": 4, "write": 4, "fork": 4, "retire": 7, "fill": 3, "branch": 20, "branch_too_far": 2, "overflow": 2}
SHARING |= {"brim": 1, "slots": 2, "restart": 2, "newcomer": 2, "take": 1, "give": 1, "second_pool": 2}
SIZES = [8, 16, 4, 24, 3, 32, 2, 12, 64, 6, 5, 1]

GROUPS = [
    Group(
        name="pool",
        title={"en": "the pool: allocate, free, share", "zh": "块池：allocate、free、share"},
        points=20,
        plans=plans(POOL, (6, 24), num_blocks=[8, 4, 16, 3, 5, 2, 1], block_size=[4]),
        programs=20,
        always=list(_churn()),
        hint={
            "en": "the pool: who waits in the queue, and in which order.",
            "zh": "“块池”一节：谁在队列里、按什么次序。",
        },
        **COMMON,
    ),
    Group(
        name="growth",
        title={"en": "one sequence grows, is refused, starts again", "zh": "单个序列：增长、被拒绝、重新开始"},
        points=25,
        plans=plans(GROWTH, (6, 20), num_blocks=SIZES, block_size=BLOCK_SIZES),
        programs=25,
        hint={
            "en": "the sequence: how many blocks a table has, and what a refused append leaves behind.",
            "zh": "“序列”一节：块表有几项，以及被拒绝的 append 留下什么。",
        },
        **COMMON,
    ),
    Group(
        name="sharing",
        title={"en": "fork and copy-on-write", "zh": "fork 与写时复制"},
        points=45,
        plans=plans(SHARING, (12, 30), num_blocks=[8, 16, 24, 32, 12, 48, 6, 64, 40, 4, 3, 2], block_size=BLOCK_SIZES),
        programs=36,
        always=[*_always(), *_large()],
        hint={
            "en": "fork and copy-on-write: when a block is copied, and when not.",
            "zh": "“fork 与写时复制”一节：什么时候复制块，什么时候不复制。",
        },
        **COMMON,
    ),
]
