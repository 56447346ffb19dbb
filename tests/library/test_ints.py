"""What only looks like an int is refused everywhere in the bookkeeping, and nothing is changed by it."""

import numpy as np
import pytest

from paged import BlockPool, ReqToTokenPool, Sequence, TokenAllocator, beam_step, parallel_sample
from paged.contiguous import ContiguousMemory
from paged.memory import bytes_per_token, max_requests, mla_bytes_per_token
from paged.models import MODELS

NO_INTS = [1.5, 1.0, float("nan"), float("inf"), True, False, "1", None, np.int64(1), [1]]


def no_int() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("value", NO_INTS, ids=lambda value: f"{type(value).__name__}-{value}")


def pool_of_three() -> BlockPool:
    pool = BlockPool(8)
    pool.allocate(3)
    return pool


def sequence_of_six() -> Sequence:
    sequence = Sequence(BlockPool(8), 4)
    sequence.append(6)
    return sequence


def rows() -> ReqToTokenPool:
    pool = ReqToTokenPool(3, 4)
    pool.alloc(2)
    return pool


def pages() -> TokenAllocator:
    allocator = TokenAllocator(16, 4)
    allocator.alloc_extend([0], [6], [-1])
    return allocator


def pieces() -> ContiguousMemory:
    memory = ContiguousMemory(8)
    memory.allocate(1)
    memory.allocate(1)
    return memory


@no_int()
@pytest.mark.parametrize(
    "make",
    [
        BlockPool,
        lambda value: Sequence(BlockPool(4), value),
        ContiguousMemory,
        lambda value: ReqToTokenPool(value, 4),
        lambda value: ReqToTokenPool(4, value),
        lambda value: TokenAllocator(value, 1),
        lambda value: TokenAllocator(4, value),
        lambda value: bytes_per_token(value, 4, 128, 2),
        lambda value: bytes_per_token(28, value, 128, 2),
        lambda value: bytes_per_token(28, 4, value, 2),
        lambda value: bytes_per_token(28, 4, 128, value),
        lambda value: mla_bytes_per_token(61, value, 64, 2),
        lambda value: mla_bytes_per_token(61, 512, value, 2),
        lambda value: max_requests(100, value, 2, 4),
        lambda value: max_requests(100, 9, value, 4),
        lambda value: max_requests(100, 9, 2, value),
        MODELS["Qwen2.5-7B"].splits_over,
        MODELS["Qwen2.5-7B"].kv_heads_on_each,
        MODELS["Qwen2.5-7B"].bytes_per_token,
    ],
    ids=[
        *["pool", "sequence", "contiguous", "rows", "row", "allocator", "page"],
        *["layers", "kv-heads", "head-dim", "dtype", "latent", "rope", "tokens", "per-token", "block"],
        *["splits", "heads-on-each", "model-dtype"],
    ],
)
def test_sizes(make, value):
    with pytest.raises(ValueError, match="must be an int, got"):
        make(value)


@no_int()
@pytest.mark.parametrize(
    ("subject", "call"),
    [
        (pool_of_three, lambda it, value: it.allocate(value)),
        (pool_of_three, lambda it, value: it.share([0, value])),
        (pool_of_three, lambda it, value: it.free([0, value])),
        (sequence_of_six, lambda it, value: it.append(value)),
        (sequence_of_six, lambda it, value: it.slot_mapping([0, value])),
        (pieces, lambda it, value: it.allocate(value)),
        (pieces, lambda it, value: it.free(value)),
        (rows, lambda it, value: it.alloc(value)),
        (rows, lambda it, value: it.free([2, value])),
        (rows, lambda it, value: it.write(value, 0, [5])),
        (rows, lambda it, value: it.write(1, value, [5])),
        (rows, lambda it, value: it.write(1, 0, [5, value])),
        (pages, lambda it, value: it.alloc_extend([6, value], [7, 1], [9, -1])),
        (pages, lambda it, value: it.alloc_extend([6, 0], [7, value], [9, -1])),
        (pages, lambda it, value: it.alloc_extend([6, 1], [7, 1], [9, value])),
        (pages, lambda it, value: it.alloc_decode([7, value], [9, -1])),
        (pages, lambda it, value: it.alloc_decode([7, 1], [9, value])),
        (pages, lambda it, value: it.free([4, value])),
        (pool_of_three, lambda it, value: parallel_sample(it, value, 1, 1, 1)),
        (pool_of_three, lambda it, value: parallel_sample(it, 4, value, 1, 1)),
        (pool_of_three, lambda it, value: parallel_sample(it, 4, 1, value, 1)),
        (pool_of_three, lambda it, value: parallel_sample(it, 4, 1, 1, value)),
        (sequence_of_six, lambda it, value: beam_step([it], [0, value])),
    ],
)
def test_arguments(refuses, subject, call, value):
    it = subject()
    untouched = [it, it.pool] if isinstance(it, Sequence) else [it]
    with refuses(ValueError, ".", *untouched):
        call(it, value)


def test_arrays_of_positions_are_ints_too():
    assert sequence_of_six().slot_mapping(np.array([5, 0])) == [5, 0]
    with pytest.raises(ValueError, match=r"position True is outside this sequence of 6 tokens"):
        sequence_of_six().slot_mapping(np.array([True]))


def test_beams_of_different_block_sizes_are_refused(refuses):
    pool = BlockPool(8)
    two, four = Sequence(pool, 2), Sequence(pool, 4)
    two.append(3)
    four.append(3)
    with refuses(ValueError, r"blocks of one pool have one size, the beams have \[2, 4\]", pool, two, four):
        beam_step([two, four], [1, 1])
