"""Grading one answer, in a worker process. Children stay warm from one answer to the next."""

import hashlib
import json
import os
import time
import traceback
from functools import cache
from pathlib import Path

from practice.judging import catalogue, pack
from practice.judging.card import Card
from practice.judging.verdict import Verdict, failed, judge
from practice.judging.warm import Children

CHILDREN = Children()
JUDGED_BY = ("practice", "paged")


def grade(number: str, source: bytes, options: dict) -> dict:
    """The row of an answer to problem `number`, as plain data. options: of `judge`, and "lang" for the texts."""
    began, lang = time.perf_counter(), options["lang"]
    problem = catalogue.find(number)
    limits = {name: value for name, value in options.items() if name != "lang"}
    try:
        verdict = judge(problem, source, children=CHILDREN, **limits)
    except Exception as error:
        if os.environ.get("JUDGE_DEBUG"):
            traceback.print_exc()
        verdict = failed(problem, error)
    return {
        "verdict": verdict.verdict,
        "score": verdict.score,
        "max_score": verdict.max_score,
        "reason": verdict.reason or failed_at(verdict, lang),
        "sandbox": verdict.sandbox,
        "seconds": round(time.perf_counter() - began, 3),
        "card": repr(Card(verdict, lang, [])),
        "details": json.dumps(verdict.as_json(lang), ensure_ascii=False),
    }


def failed_at(verdict: Verdict, lang: str) -> str:
    """Which checks failed, and the belief that explains it best."""
    checks = ", ".join(check.title[lang] for check in verdict.failed)
    return ": ".join([checks, *(belief[lang] for belief in verdict.beliefs[:1])])


@cache
def edition() -> str:
    """A hash over what decides a verdict: the judge, the problems, the library and the private pack of this process."""
    digest = hashlib.sha256()
    folders = [catalogue.ROOT / name for name in JUDGED_BY] + [path for path in [pack.folder()] if path]
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".toml", ".txt") and "workspace" not in path.parts:
                digest.update(str(path.relative_to(folder)).encode() + b"\0" + Path(path).read_bytes() + b"\0")
    return digest.hexdigest()
