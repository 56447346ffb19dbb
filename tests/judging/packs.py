"""Private packs for the house of house.py: files for a folder, and what is judged under it."""

import json
from pathlib import Path

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
