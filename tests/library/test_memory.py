"""Bytes per token and concurrency, against numbers worked out by hand."""

import pytest

from paged import memory


def test_qwen_2_5_7b_on_80_gib():
    per_token = memory.bytes_per_token(num_layers=28, num_kv_heads=4, head_dim=128, dtype_bytes=2)
    assert per_token == 56 * 1024
    budget = (80 - 15 - 10) * 1024**3
    assert memory.max_requests(budget, 3000, per_token, 16) == 342
    assert memory.max_requests(budget, 32768, per_token, 16) == 31


def test_k_and_v_both_count():
    assert memory.bytes_per_token(1, 1, 1, 1) == 2


@pytest.mark.parametrize(("tokens", "requests"), [(1, 25), (4, 25), (5, 12), (8, 12), (9, 8), (100, 1), (101, 0)])
def test_a_request_takes_whole_blocks(tokens, requests):
    """100 tokens of one byte each, blocks of 4."""
    assert memory.max_requests(100, tokens, 1, 4) == requests


def test_an_empty_budget_holds_nobody_and_a_fractional_one_counts_whole_requests():
    assert memory.max_requests(0, 1, 1, 1) == 0
    count = memory.max_requests(0.9 * 1024, 100, 2, 4)
    assert (count, type(count)) == (4, int)


@pytest.mark.parametrize("name", ["num_layers", "num_kv_heads", "head_dim", "dtype_bytes"])
@pytest.mark.parametrize("size", [0, -2])
def test_sizes_below_one_are_refused(name, size):
    sizes = {"num_layers": 1, "num_kv_heads": 1, "head_dim": 1, "dtype_bytes": 1, name: size}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got {size}"):
        memory.bytes_per_token(**sizes)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("budget_bytes", -1, "budget_bytes must not be negative, got -1"),
        ("tokens", 0, "tokens must be at least 1, got 0"),
        ("bytes_per_token", 0, "bytes_per_token must be at least 1, got 0"),
        ("block_size", 0, "block_size must be at least 1, got 0"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(name, value, message):
    plan = {"budget_bytes": 100, "tokens": 1, "bytes_per_token": 1, "block_size": 1, name: value}
    with pytest.raises(ValueError, match=message):
        memory.max_requests(**plan)
