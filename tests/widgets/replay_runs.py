"""Runs to replay, written out by hand: what was expected after each call, and what came."""


def frame(call: str, result: object, state: dict, /, **got: object) -> dict:
    """A frame whose learner's values are the expected ones but for `got`; "__" stands for "." in a field's name."""
    expected = {"result": result} | state
    return {"call": call, "expected": expected, "got": expected | {k.replace("__", "."): v for k, v in got.items()}}


def pool(free: int, ref_cnt: list[int], copies: list, name: str = "pool") -> dict:
    return {f"{name}.num_free()": free, f"{name}.ref_cnt": ref_cnt, f"{name}.copies": copies}


def sequence(name: str, num_tokens: int, block_table: list[int]) -> dict:
    return {f"{name}.num_tokens": num_tokens, f"{name}.block_table": block_table}


# Four tokens per block. The fork writes into the shared block instead of copying it.
NEVER_COPIES = [
    frame("pool = BlockPool(6)", "a BlockPool", pool(6, [0] * 6, [])),
    frame("pool.allocate(1)", [0], pool(5, [1, 0, 0, 0, 0, 0], [])),
    frame("a = Sequence(pool, 4)", "a Sequence", pool(5, [1, 0, 0, 0, 0, 0], []) | sequence("a", 0, [])),
    frame("a.append(6)", None, pool(3, [1, 1, 1, 0, 0, 0], []) | sequence("a", 6, [1, 2])),
    frame(
        "b = a.fork()",
        "a Sequence",
        pool(3, [1, 2, 2, 0, 0, 0], []) | sequence("a", 6, [1, 2]) | sequence("b", 6, [1, 2]),
    ),
    frame(
        "b.append(1)",
        None,
        pool(2, [1, 2, 1, 1, 0, 0], [(2, 3)]) | sequence("a", 6, [1, 2]) | sequence("b", 7, [1, 3]),
        pool__ref_cnt=[1, 2, 2, 0, 0, 0],
        **{"pool.num_free()": 3},
        pool__copies=[],
        b__block_table=[1, 2],
    ),
]

# What one pool hands out shows in the other: their ref counts are one list.
TWO_POOLS = [
    frame("pool = BlockPool(4)", "a BlockPool", pool(4, [0, 0, 0, 0], [])),
    frame("pool2 = BlockPool(3)", "a BlockPool", pool(4, [0, 0, 0, 0], []) | pool(3, [0, 0, 0], [], "pool2")),
    frame(
        "a = Sequence(pool2, 2)",
        "a Sequence",
        pool(4, [0, 0, 0, 0], []) | pool(3, [0, 0, 0], [], "pool2") | sequence("a", 0, []),
    ),
    frame(
        "b = Sequence(pool, 2)",
        "a Sequence",
        pool(4, [0, 0, 0, 0], []) | pool(3, [0, 0, 0], [], "pool2") | sequence("a", 0, []) | sequence("b", 0, []),
    ),
    frame(
        "b.append(2)",
        None,
        pool(3, [1, 0, 0, 0], []) | pool(3, [0, 0, 0], [], "pool2") | sequence("a", 0, []) | sequence("b", 2, [0]),
    ),
    frame(
        "a.append(3)",
        None,
        pool(3, [1, 0, 0, 0], []) | pool(1, [1, 1, 0], [], "pool2") | sequence("a", 3, [0, 1]) | sequence("b", 2, [0]),
        **{"pool.ref_cnt": [2, 1, 0, 0], "pool2.ref_cnt": "a dict", "pool2.num_free()": 3},
    ),
]

# Functions and no objects; the last value is a list where a tuple is due.
RESULTS_ONLY = [
    frame("utilisation([100, 200], 16, 4096)", (0.03662109375, 0.9615384615384616), {}),
    frame("slot_mapping([5, 2], [0, 1, 4], 4)", [20, 21, 8], {}, result=[20, 21, 9]),
    frame("utilisation([1], 1, 2)", (0.5, 1.0), {}, result="raises ZeroDivisionError: division by zero (line 4)"),
]

# The child was killed in the last call, so nothing came back.
KILLED = [
    frame("pool = BlockPool(2)", "a BlockPool", pool(2, [0, 0], [])),
    {"call": "pool.allocate(2)", "expected": {"result": [0, 1]} | pool(0, [1, 1], [])},
]


def large(num_blocks: int = 4096, in_use: int = 5) -> list[dict]:
    """A pool of thousands of blocks: a takes the first ones, b one from the far end where the next one was due."""
    far = num_blocks - 3
    taken = [1] * in_use + [0] * (num_blocks - in_use)
    after = [*taken[:in_use], 1, *taken[in_use + 1 :]]
    table = list(range(in_use))
    return [
        frame(f"pool = BlockPool({num_blocks})", "a BlockPool", pool(num_blocks, [0] * num_blocks, [])),
        frame("a = Sequence(pool, 1)", "a Sequence", pool(num_blocks, [0] * num_blocks, []) | sequence("a", 0, [])),
        frame(f"a.append({in_use})", None, pool(num_blocks - in_use, taken, []) | sequence("a", in_use, table)),
        frame(
            "pool.allocate(1)",
            [in_use],
            pool(num_blocks - in_use - 1, after, []) | sequence("a", in_use, table),
            result=[far],
            pool__ref_cnt=[*taken[:far], 1, *taken[far + 1 :]],
        ),
    ]


def crowd(forks: int = 11) -> list[dict]:
    """A sequence of five blocks and its forks, each of which writes on; the last one loses a pair of `copies`."""
    names = "abcdefghijklmnopqrstuvwxyz"[: forks + 1]
    ref_cnt, copies, tables = [1] * 5 + [0] * 27, [], {"a": [0, 1, 2, 3, 4]}

    def state() -> dict:
        live = {k: v for name, table in tables.items() for k, v in sequence(name, 18, list(table)).items()}
        return pool(ref_cnt.count(0), list(ref_cnt), list(copies)) | live

    frames = [frame("a.append(18)", None, state())]
    for name in names[1:]:
        tables[name] = list(tables["a"])
        ref_cnt[:5] = [count + 1 for count in ref_cnt[:5]]
        frames.append(frame(f"{name} = a.fork()", "a Sequence", state()))
    for number, name in enumerate(names[1:]):
        block = 5 + number
        copies.append((4, block))
        tables[name][-1] = block
        ref_cnt[4] -= 1
        ref_cnt[block] = 1
        frames.append(frame(f"{name}.append(1)", None, state()))
    frames[-1]["got"]["pool.copies"] = [*copies[:-2], (4, 99)]
    return frames
