"""Bytes per token and concurrency, against numbers worked out by hand."""

import numpy as np
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


def test_kv_heads_set_the_price():
    """32 query heads of 128 in 32 layers at BF16: multi-head, grouped-query with 8 and multi-query attention."""
    prices = [memory.bytes_per_token(32, num_kv_heads, 128, 2) for num_kv_heads in (32, 8, 1)]
    assert prices == [524288, 131072, 16384]


def test_one_byte_numbers_halve_the_price():
    assert memory.bytes_per_token(28, 4, 128, 1) == 28672


def test_mla_keeps_one_latent_and_one_rope_key_per_layer():
    """DeepSeek-V3, and sizes that show each factor."""
    assert memory.mla_bytes_per_token(num_layers=61, latent_dim=512, rope_dim=64, dtype_bytes=2) == 70272
    assert memory.mla_bytes_per_token(61, 512, 64, 1) == 35136
    assert memory.mla_bytes_per_token(3, 10, 4, 1) == 42


@pytest.mark.parametrize(("spare", "requests"), [(-1, 2**50 - 1), (0, 2**50), (1023, 2**50), (1024, 2**50 + 1)])
def test_large_budgets_are_counted_exactly(spare, requests):
    """2**60 bytes hold 2**50 requests of one KiB; a float can't tell these budgets apart."""
    assert memory.max_requests(2**60 + spare, 1, 64, 16) == requests


@pytest.mark.parametrize(("tokens", "requests"), [(1, 25), (4, 25), (5, 12), (8, 12), (9, 8), (100, 1), (101, 0)])
def test_a_request_takes_whole_blocks(tokens, requests):
    """100 tokens of one byte each, blocks of 4."""
    assert memory.max_requests(100, tokens, 1, 4) == requests


def test_an_empty_budget_holds_nobody_and_a_fractional_one_counts_whole_requests():
    assert memory.max_requests(0, 1, 1, 1) == 0
    count = memory.max_requests(0.9 * 1024, 100, 2, 4)
    assert (count, type(count)) == (4, int)


@pytest.mark.parametrize("budget", [float("nan"), float("inf"), True, "100", None, np.int64(100)])
def test_a_budget_is_a_finite_number(budget):
    with pytest.raises(ValueError, match="budget_bytes must be a finite number, got "):
        memory.max_requests(budget, 1, 1, 1)


@pytest.mark.parametrize("name", ["num_layers", "num_kv_heads", "head_dim", "dtype_bytes"])
@pytest.mark.parametrize("size", [0, -2])
def test_sizes_below_one_are_refused(name, size):
    sizes = {"num_layers": 1, "num_kv_heads": 1, "head_dim": 1, "dtype_bytes": 1, name: size}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got {size}"):
        memory.bytes_per_token(**sizes)


@pytest.mark.parametrize("name", ["num_layers", "latent_dim", "rope_dim", "dtype_bytes"])
def test_mla_sizes_below_one_are_refused(name):
    sizes = {"num_layers": 1, "latent_dim": 1, "rope_dim": 1, "dtype_bytes": 1, name: 0}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        memory.mla_bytes_per_token(**sizes)


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
