"""Whoever computes the answer without a kernel that reads and writes the cache gets no AC, however it is dressed up."""

import kernel_attacks
import kernel_host_attacks
import kernel_language_attacks
import kernel_listen_attacks
import kernel_split_attacks
import kernel_write_attacks
import pytest

from practice.judging import catalogue
from practice.judging.verdict import judge

pytestmark = [pytest.mark.needs("triton"), pytest.mark.needs("bubblewrap")]
ATTACKS = kernel_split_attacks.ATTACKS
ATTACKS |= {"136": kernel_attacks.ATTACKS | ATTACKS["136"]}
ATTACKS |= {"134": kernel_write_attacks.SLOT_ATTACKS, "135": kernel_write_attacks.WRITE_ATTACKS}
for more in (kernel_host_attacks.ATTACKS, kernel_language_attacks.ATTACKS, kernel_listen_attacks.ATTACKS):
    ATTACKS = {number: attacks | more.get(number, {}) for number, attacks in ATTACKS.items()}
MODULES = (kernel_attacks, kernel_write_attacks, kernel_split_attacks)
MODULES += (kernel_host_attacks, kernel_language_attacks, kernel_listen_attacks)
QUICK = [name for module in MODULES for name in module.QUICK]


@pytest.mark.parametrize(
    ("number", "name"),
    [
        pytest.param(number, name, id=f"{number}-{name}", marks=[] if name in QUICK else [pytest.mark.slow])
        for number, attacks in ATTACKS.items()
        for name in attacks
    ],
)
def test_an_answer_that_does_not_do_the_work_is_caught(number, name, children):
    source, caught_by = ATTACKS[number][name]
    found = judge(catalogue.find(number), source.encode(), children=children, shrink_seconds=0, diagnose_seconds=0)
    assert found.verdict in ("WA", "RE"), (found.verdict, found.reason)
    assert caught_by in [check.name for check in found.failed], [(c.name, c.verdict, c.failure) for c in found.checks]


@pytest.mark.slow
@pytest.mark.parametrize("name", kernel_host_attacks.WRAPPERS)
def test_a_wrapper_that_only_handles_memory_is_accepted(name, children):
    source = kernel_host_attacks.wrapper(name)
    found = judge(catalogue.find("134"), source.encode(), children=children)
    assert found.verdict == "AC", [(check.name, check.failure) for check in found.failed]
