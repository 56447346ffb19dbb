"""Grading one answer, in a worker process. Children stay warm from one answer to the next."""

import hashlib
import json
import os
import time
import traceback
from functools import cache
from pathlib import Path

from classroom.words import say
from practice.judging import catalogue, pack, show
from practice.judging.card import Card
from practice.judging.failure import Failure, Raised
from practice.judging.messages import say as judge_says
from practice.judging.verdict import Verdict, failed, judge
from practice.judging.warm import Children

CHILDREN = Children()
JUDGED_BY = ("practice", "paged")
MOST_DIFFERENCES, MOST_LETTERS = 3, 120  # that a reason tells, and of each value


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
        "reason": reason(verdict, lang),
        "sandbox": verdict.sandbox,
        "seconds": round(time.perf_counter() - began, 3),
        "card": repr(Card(verdict, lang, [])),
        "details": json.dumps(verdict.as_json(lang), ensure_ascii=False),
    }


def reason(verdict: Verdict, lang: str) -> str:
    """Why an answer lacks points, in the words of its card and on one line; empty where it lacks none."""
    if verdict.verdict == "AC":
        return ""
    if verdict.shortest is None:
        return one_line(show.reason(verdict, lang))
    failure = verdict.shortest.failure
    checks = " · ".join(check.title[lang] for check in verdict.failed)
    parts = [] if verdict.reason else [say(lang, "not_passed", checks=checks)]  # what can't be loaded fails all checks
    parts.append(show.why(failure, lang) or say(lang, "and_also").join(differences(failure, lang)))
    parts += [judge_says(lang, "flaky")] if failure.flaky else []
    parts += [judge_says(lang, "rule", rule=failure.rule[lang])] if failure.rule else []
    parts += [one_line(" ".join(show.beliefs(verdict, lang)))]
    return say(lang, "and_also").join(one_line(part).rstrip(".。") for part in parts if part)


def differences(failure: Failure, lang: str) -> list[str]:
    """The first of the things that differ: what was due, and what came."""
    return [
        say(
            lang,
            "raised" if isinstance(failure.got[name], Raised) else "differs",
            what=show.label(name, lang),
            expected=short(show.value_text(due, failure.got[name], lang)),
            got=short(show.value_text(failure.got[name], due, lang)),
        )
        for name, due in list(failure.expected.items())[:MOST_DIFFERENCES]
    ]


def one_line(text: str) -> str:
    return " ".join(text.split())


def short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


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
