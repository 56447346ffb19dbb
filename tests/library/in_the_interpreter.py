"""The Triton kernels in Triton's interpreter, against float64.

test_kernels_triton.py runs this file in a process of its own with TRITON_INTERPRET=1, which counts only while Triton is
imported.
"""

from collections.abc import Callable

import numpy as np
import pytest
import torch
import triton.runtime.interpreter as interpreter
from kernel_cases import LAYOUTS, NAN, SHAPES, TOLERANCE, Batch, batch, error

from paged.attention import attention_over
from paged.kernels import BackendUnavailable, triton_decode, triton_slots, triton_split_kv, triton_varlen, triton_write


def decode(b: Batch) -> torch.Tensor:
    return triton_decode.paged_decode(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.scale)


def split(num_splits: int) -> Callable[[Batch], torch.Tensor]:
    return lambda b: triton_split_kv.paged_decode(
        b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.scale, num_splits
    )


def varlen(b: Batch) -> torch.Tensor:
    return triton_varlen.paged_attention(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.starts, b.scale)


DECODERS = {"decode": decode, "1 split": split(1), "3 splits": split(3), "16 splits": split(16), "varlen": varlen}
slow = pytest.mark.slow


class Loads:
    """While it is entered, counts the loads of each element of some tensors."""

    def __init__(self, *tensors: torch.Tensor) -> None:
        self.tensors = tensors
        self.counts = [np.zeros(len(t.untyped_storage()) // t.element_size(), np.int64) for t in tensors]

    def __enter__(self) -> "Loads":
        builder = type(interpreter.interpreter_builder)
        self.original = original = builder.create_masked_load

        def load(builder_self: object, pointers: object, mask: object, *others: object) -> object:
            self.note(np.asarray(pointers.data)[np.broadcast_to(mask.data, pointers.data.shape)].astype(np.int64))
            return original(builder_self, pointers, mask, *others)

        builder.create_masked_load = load
        return self

    def __exit__(self, *error: object) -> None:
        type(interpreter.interpreter_builder).create_masked_load = self.original

    def note(self, addresses: np.ndarray) -> None:
        for tensor, counts in zip(self.tensors, self.counts, strict=True):
            offset = addresses - tensor.untyped_storage().data_ptr()
            inside = (offset >= 0) & (offset < len(tensor.untyped_storage()))
            np.add.at(counts, offset[inside] // tensor.element_size(), 1)

    def of_elements(self) -> list[np.ndarray]:
        """The counts, in the tensors' shapes."""
        return [
            np.lib.stride_tricks.as_strided(counts[t.storage_offset() :], t.shape, [8 * s for s in t.stride()])
            for t, counts in zip(self.tensors, self.counts, strict=True)
        ]


def check(kernel: Callable[[Batch], torch.Tensor], b: Batch, each_once: bool = True) -> None:
    """Right numbers, and of K and V each owned element is loaded, exactly once if so asked, and no other."""
    with Loads(b.k_cache, b.v_cache) as loads:
        out = kernel(b)
    assert type(out) is torch.Tensor
    assert out.dtype == b.q.dtype
    assert error(out, b.expected) < TOLERANCE[b.q.dtype]
    owned = b.owned()[..., None, None].expand(b.k_cache.shape).numpy()
    for counts in loads.of_elements():
        assert counts[~owned].sum() == 0
        assert counts[owned].min() >= 1 or not each_once
        assert counts[owned].max() == 1 or not each_once


@pytest.mark.parametrize("kernel", DECODERS)
def test_decode_reads_each_owned_element_once(kernel):
    check(DECODERS[kernel], batch(*SHAPES["block4-dim80-ratio3"], dtype=torch.float16))


def test_mixed_batch():
    check(varlen, batch(*SHAPES["block16-dim64-ratio5"], stage="mixed"), each_once=False)


@slow
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("kernel", DECODERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_decode_of_every_shape(shape, kernel, dtype):
    check(DECODERS[kernel], batch(*SHAPES[shape], dtype=getattr(torch, dtype)))


@slow
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("stage", ["prompt", "mixed"])
@pytest.mark.parametrize("shape", SHAPES)
def test_varlen_of_every_shape(shape, stage, dtype):
    check(varlen, batch(*SHAPES[shape], stage=stage, dtype=getattr(torch, dtype)), each_once=False)


@slow
@pytest.mark.parametrize("kernel", DECODERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_how_k_and_v_lie_in_memory(layout, kernel):
    check(DECODERS[kernel], batch(4, 48, 3, 2, layout=layout))


@slow
@pytest.mark.parametrize("kernel", DECODERS)
@pytest.mark.parametrize("factor", [300.0, -300.0])
def test_huge_scores_in_half_precision(factor, kernel):
    check(DECODERS[kernel], batch(16, 64, 5, 1, dtype=torch.float16, q_factor=factor))


@pytest.mark.parametrize("kernel", DECODERS)
def test_poison_and_placement_do_not_change_one_bit(kernel):
    shape = (4, 24, 2, 1)
    expected = DECODERS[kernel](batch(*shape))
    for changed in ({"poison": 1e4}, {"order_seed": 1}):
        assert torch.equal(DECODERS[kernel](batch(*shape, **changed)), expected)


@pytest.mark.parametrize("kernel", DECODERS)
def test_an_empty_batch_has_no_rows(kernel):
    b = batch(4, 16, 2, 1)
    b.q, b.block_tables, b.seq_lens, b.starts = b.q[:0], b.block_tables[:0], b.seq_lens[:0], b.starts[:1]
    assert DECODERS[kernel](b).shape == (0, 2, 16)


def test_empty_parts_add_nothing_in_the_merge():
    """Case at-03: one part with maximum -1000 and result 3 among 15 empty ones; then all empty."""
    highest, total, summed = torch.full((2, 1, 16), -torch.inf), torch.zeros(2, 1, 16), torch.zeros(2, 1, 16, 8)
    highest[0, 0, 5], total[0, 0, 5], summed[0, 0, 5] = -1000.0, 2.0, 6.0
    out = triton_split_kv.merge(highest, total, summed, torch.float32)
    assert out[:, 0].tolist() == [[3.0] * 8, [0.0] * 8]


def test_split_scores_far_below_zero_keep_their_weights():
    """Scores of -46341 and their sum in one float32 would leave no digits: [1, 2] would not average to 1.5."""
    k = torch.full((1, 128, 1, 128), -64.0)
    v = torch.ones(1, 128, 1, 128)
    v[:, 64:] = 2.0
    table, seq_lens = torch.tensor([[0]], dtype=torch.int32), torch.tensor([96], dtype=torch.int32)
    out = triton_split_kv.paged_decode(torch.full((1, 1, 128), 64.0), k, v, table, seq_lens, 128**-0.5, 2)
    assert torch.equal(out, torch.full((1, 1, 128), (64 + 2 * 32) / 96))


def test_slots_of_a_batch():
    """The handbook's 14 positions on blocks 5, 6, 7, 0; a request without tokens; one that starts in mid-context."""
    tables = torch.tensor([[5, 6, 7, 0], [-1, -1, -1, -1], [9, 2, -1, -1]], dtype=torch.int32)
    starts = torch.tensor([0, 14, 14, 17], dtype=torch.int32)
    positions = torch.tensor([*range(14), 3, 4, 5])
    slots = triton_slots.slot_mapping(tables, starts, positions, 4, 20)
    assert slots.dtype == torch.int64
    assert slots.tolist() == [*range(20, 32), 0, 1, 39, 8, 9, -1, -1, -1]


def test_slots_past_32_bits_columns_of_a_wider_table_and_no_requests():
    wide = torch.tensor([[7, 2**28, 3, 2**31 - 1, 7]], dtype=torch.int32)
    starts = torch.tensor([0, 2], dtype=torch.int32)
    slots = triton_slots.slot_mapping(wide[:, 1:4:2], starts, torch.tensor([15, 16]), 16, 2)
    assert slots.tolist() == [2**32 + 15, 2**35 - 16]
    none = torch.empty(0, 4, dtype=torch.int32)
    nothing = triton_slots.slot_mapping(none, starts[:1], torch.empty(0, dtype=torch.int64), 16, 3)
    assert nothing.tolist() == [-1, -1, -1]


def test_more_tokens_than_one_step_takes():
    table, count = torch.arange(200, dtype=torch.int32).flip(0)[None], 2500
    slots = triton_slots.slot_mapping(
        table, torch.tensor([0, count], dtype=torch.int32), torch.arange(count), 16, count
    )
    assert slots.tolist() == [(199 - position // 16) * 16 + position % 16 for position in range(count)]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8"])
@pytest.mark.parametrize("heads", ["contiguous", "slice"])
def test_write_puts_values_where_the_slots_say_and_skips_padding(dtype, heads):
    """3 KV heads of 24; the cache is a slice of one with other blocks, slots and heads between."""
    whole = torch.full((6, 7, 4, 24), 99.0).to(getattr(torch, dtype))
    cache = whole[::2, :5, 1:] if heads == "slice" else whole[:3, :5, 1:].contiguous()
    values = torch.arange(4 * 3 * 48).remainder(90).reshape(4, 3, 48).to(cache.dtype)[..., :24]
    expected = cache.clone()
    expected[2, 4], expected[0, 0], expected[1, 2] = values[0], values[2], values[3]
    before = whole.clone()
    triton_write.write(cache, torch.tensor([14, -1, 0, 7]), values)
    assert torch.equal(cache, expected)
    if heads == "slice":
        before[::2, :5, 1:] = expected
        assert torch.equal(whole, before)


def test_write_of_more_than_one_program_takes_and_of_nothing():
    cache, values = torch.zeros(2, 1, 9, 160), torch.arange(1440.0).reshape(1, 9, 160)
    triton_write.write(cache, torch.tensor([1]), values)
    assert torch.equal(cache[1, 0], values[0])
    triton_write.write(cache, torch.empty(0, dtype=torch.int64), values[:0])
    assert cache[0].abs().max() == 0


@pytest.mark.parametrize("stage", ["decode", "mixed"])
def test_the_backend(stage):
    b = batch(4, 24, 2, 2, stage=stage)
    out = attention_over(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.starts, b.scale, backend="triton")
    assert error(out, b.expected) < 1e-5


@pytest.mark.parametrize("num_requests", [0, 2])
def test_the_backend_without_queries(num_requests):
    cache, starts = torch.full((4, 4, 2, 8), NAN), [0] * (num_requests + 1)
    out = attention_over(
        torch.empty(0, 4, 8), cache, cache, [[0]] * num_requests, [3] * num_requests, starts, 1.0, backend="triton"
    )
    assert out.shape == (0, 4, 8)


def test_bfloat16_is_refused_in_the_interpreter():
    cache = torch.zeros(2, 4, 1, 16, dtype=torch.bfloat16)
    with pytest.raises(BackendUnavailable, match="computes bfloat16 wrongly"):
        attention_over(torch.zeros(1, 1, 16).bfloat16(), cache, cache, [[0]], [1], [0, 1], 1.0, backend="triton")
