"""Whoever computes the answer without a kernel that reads the cache gets no AC, however it is dressed up."""

import pytest
from kernel_attacks import ATTACKS, QUICK

from practice.judging import catalogue
from practice.judging.verdict import judge

pytestmark = [pytest.mark.needs("triton"), pytest.mark.needs("bubblewrap")]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in ATTACKS]
)
def test_an_answer_that_does_not_do_the_work_is_caught(name, children):
    source, caught_by = ATTACKS[name]
    found = judge(catalogue.find("136"), source.encode(), children=children, shrink_seconds=0, diagnose_seconds=0)
    assert found.verdict in ("WA", "RE"), (found.verdict, found.reason)
    assert caught_by in [check.name for check in found.failed], [(c.name, c.verdict, c.failure) for c in found.checks]
