"""Hidden tests of 132: which steps are drawn, how often, and on what sizes. The play files say what a step does."""

from practice.judging import Group, Op, Plan, plans

from . import oracle
from .play_rows import play_rows
from .play_server import play_server

WATCH = {"ReqToTokenPool": ("available_size()", "req_to_token"), "TokenAllocator": ("available_size()",)}
NAMES = {"ReqToTokenPool": ["pool", "pool2"], "TokenAllocator": ["allocator", "allocator2"]}


def explain(state):
    """Which rule of the table a state breaks, in words of both languages; None where these rules hold."""
    for pool in ("pool", "pool2"):
        table = state.get(f"{pool}.req_to_token")
        if type(table) is not list or any(type(row) is not list for row in table) or not table:
            continue
        if any(table[0]):
            return {
                "en": f"{pool}.req_to_token[0] has entries, but row 0 is for padding",
                "zh": f"{pool}.req_to_token[0] 里写了东西，而第 0 行是留给填充的",
            }
        widths = [len(row) for row in table]
        if min(widths) < max(widths):
            return {
                "en": f"the rows of {pool}.req_to_token have {min(widths)} to {max(widths)} entries",
                "zh": f"{pool}.req_to_token 各行长短不一：{min(widths)} 到 {max(widths)} 项",
            }
    return None


def _every_size():
    """From one page on, for small pages and large ones: fill, go round, fill again."""
    script = [("admit", 1, 2), ("decode", 0, 1), ("finish", 0, 0), ("admit", 2, 4), ("overflow", 0, 0), ("full", 0, 0)]
    for pages in range(1, 13):
        for page_size in (1, 2, 4):
            yield _plan(pages, page_size, *script, ("finish", 1, 1), ("brim", 0, 0))


def _large():
    """Many pages, and large ones: what is right on a small scale must stay right."""
    for pages, page_size in ((300, 4), (40, 64), (1000, 1)):
        yield _plan(pages, page_size, ("admit", 2, 4), ("interleave", 0, 0), ("finish", 0, 0), ("admit", 2, 3))


def _whole_pages():
    """Requests that end exactly with a page, one slot before and one after, and then decode."""
    for page_size in (1, 2, 3, 4, 16):
        for number in range(6):
            yield _plan(8, page_size, ("admit", 1, number), ("decode", 0, 2), ("decode", 0, 2))


def _plan(pages, page_size, *steps):
    choices = {"pages": pages, "page_size": page_size, "rows": 0, "max_context_len": 0}
    return Plan(choices, [Op(*step) for step in steps])


COMMON = {"oracle": oracle, "watch": WATCH, "names": NAMES, "explain": explain}
ROWS = {"alloc": 5, "alloc_all": 1, "alloc_too_many": 2, "write": 5, "rewrite": 2, "free": 4, "second": 1}
PAGES = {"admit": 5, "extend": 5, "mix": 3, "finish": 6, "interleave": 3, "share": 4, "brim": 2, "overflow": 2}
PAGES |= {"decode": 3, "rewind": 2, "full": 1, "second": 1}
SERVER = {
    "admit": 5,
    "decode": 6,
    "extend": 2,
    "mix": 2,
    "finish": 5,
    "share": 6,
    "full": 2,
    "overflow": 1,
    "rewind": 1,
}
PAGE_SIZES = [4, 2, 3, 1, 2, 8, 16]

GROUPS = [
    Group(
        name="rows",
        title={"en": "ReqToTokenPool: rows taken, written, given back", "zh": "ReqToTokenPool：取行、写行、还行"},
        points=20,
        play=play_rows,
        plans=plans(ROWS, (3, 12), rows=[3, 2, 4, 1, 6], max_context_len=[4, 6, 3, 1, 9]),
        programs=25,
        hint={
            "en": "“The table”: which rows there are, who gets the next one, and what a freed row still holds.",
            "zh": "“表”一节：有哪些行，下一个轮到哪行，还回来的行里还剩什么。",
        },
        **COMMON,
    ),
    Group(
        name="pages",
        title={"en": "TokenAllocator: batches that grow and end", "zh": "TokenAllocator：批次增长与结束"},
        points=45,
        play=play_server,
        plans=plans(
            PAGES, (6, 20), pages=[6, 8, 4, 12, 3, 16, 2, 1], page_size=PAGE_SIZES, rows=[0], max_context_len=[0]
        ),
        programs=60,
        always=[*_every_size(), *_whole_pages(), *_large()],
        hint={
            "en": "“The slots”: what fills the last page, what takes a new one, and how pages come back.",
            "zh": "“槽位”一节：什么时候接着写最后一页，什么时候取新页，页怎样还回来。",
        },
        **COMMON,
    ),
    Group(
        name="server",
        title={"en": "both levels: a server at work", "zh": "两级合在一起：一台运行中的服务器"},
        points=25,
        play=play_server,
        plans=plans(
            SERVER, (5, 18), pages=[6, 8, 4, 12, 3], page_size=PAGE_SIZES, rows=[3, 4, 2], max_context_len=[12, 9]
        ),
        programs=25,
        hint={
            "en": "“A step of a server”: which slot is the last of a request, and when a batch is refused.",
            "zh": "“服务器的一步”一节：一个请求的最后一个槽位是哪个，什么时候整批拒绝。",
        },
        **COMMON,
    ),
]
