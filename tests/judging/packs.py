"""Private packs for the house of house.py: files for a folder, and what is judged under it."""

import json
import shutil
from pathlib import Path

from practice.judging import catalogue

SEED = 20261129
PRIVATE = {  # more tests for 901: numbers below zero
    "901-double/tests.py": """
from practice.judging import Group, plans

from . import oracle


def play(answer, plan):
    for op in plan.ops:
        answer.double(-op.pick)
        answer.count("negative")


GROUPS = [
    Group("negative", {"en": "below zero", "zh": "负数"}, 20, plans({"any": 1}, (2, 4)), play, oracle, programs=4)
]
""",
    "901-double/oracle.py": "def double(x):\n    return x + x\n",
}


NEWEST_FIRST = {
    "problem.toml": """
title = { en = "Block pool, newest first", zh = "块池（后还先用）" }
chapter = 2
difficulty = "easy"
entry = ["BlockPool"]

[reference]
files = ["{folder}/reference.py"]
""",
    "oracle.py": """
class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.free_since = [-block for block in range(num_blocks)]
        self.now = 0

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        free = [block for block, owners in enumerate(self.ref_cnt) if owners == 0]
        if n > len(free):
            return None
        taken = sorted(free, key=lambda block: -self.free_since[block])[:n]
        for block in taken:
            self.ref_cnt[block] = 1
        return taken

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            self.now += 1
            self.free_since[block] = self.now
""",
    "examples.txt": """>>> pool = BlockPool(8)
>>> pool.allocate(3)
[0, 1, 2]
>>> pool.free([0, 1, 2])
>>> pool.allocate(4)
[2, 1, 0, 3]
""",
    "reference.py": """
class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.stack = list(range(num_blocks))[::-1]

    def num_free(self):
        return len(self.stack)

    def allocate(self, n):
        if n > len(self.stack):
            return None
        blocks = [self.stack.pop() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = 1
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] = 0
            self.stack.append(block)
""",
}


def newest_first_pack(folder: Path) -> Path:
    """A pack in which 123 has another policy: the block that came back last goes first."""
    variant = folder / "123-block-pool"
    shutil.copytree(catalogue.PROBLEMS / "123-block-pool", variant, ignore=shutil.ignore_patterns("wrong", "right"))
    for name, text in NEWEST_FIRST.items():
        (variant / name).write_text(text.replace("{folder}", str(variant)), encoding="utf-8")
    return folder


def pack(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A pack in `folder` that holds these files, by their path in it."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def verdict(house, source: str, *args, **environment) -> dict:
    """What `judge.py test 901 --json` says of an answer, and its exit status."""
    result = house.judge("test", "901", house.answer(source), "--json", *args, **environment)
    return json.loads(result.stdout) | {"status": result.returncode}
