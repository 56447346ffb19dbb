"""Whatever bytes a child sends, the judge comes to a failure that can be shown: it never raises and never hangs."""

import io
import json
import struct

import pytest
from fake_child import outcome_of
from forgery import DUE, PROGRAM, forged_answers, mangled_bytes
from hypothesis import HealthCheck, given, settings
from rich.console import Console

from practice.judging import show
from practice.judging.failure import Failure
from practice.judging.verdict import Check


def rows_in(sent: bytes) -> list:
    """The rows of the one program in a whole and well-formed frame."""
    head, size = struct.unpack("<II", sent[:8])
    return json.loads(sent[8 + head : 8 + head + size])["answers"][0]["rows"]


def show_everywhere(failure: Failure) -> None:
    """A failure must come out in every form, whatever is in it."""
    check = Check("hidden", {"en": "t", "zh": "t"}, False, 10, failure.verdict, failure, {"en": "h", "zh": "h"})
    for lang in ("en", "zh"):
        json.dumps(check.as_json(lang), ensure_ascii=False).encode()
        console = Console(file=io.StringIO(), width=100)
        console.print(*show.failure_parts(check, lang))
        console.file.getvalue().encode()


def check(sent: bytes) -> None:
    failure = outcome_of(sent, PROGRAM)
    if failure is None:
        assert rows_in(sent)[: len(DUE)] == DUE
        return
    assert failure.verdict in ("WA", "RE", "TLE", "MLE", "OLE", "CE")
    show_everywhere(failure)


QUICK = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
THOROUGH = settings(QUICK, max_examples=2000)


@given(forged_answers)
@QUICK
def test_any_answer_gives_a_failure_that_can_be_shown(sent):
    check(sent)


@given(mangled_bytes)
@QUICK
def test_any_bytes_give_a_failure_that_can_be_shown(sent):
    check(sent)


@pytest.mark.slow
@given(forged_answers | mangled_bytes)
@THOROUGH
def test_two_thousand_frames_give_failures_that_can_be_shown(sent):
    check(sent)
