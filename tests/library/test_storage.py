"""One tensor in blocks: written by slot, read by table, and several tensors written together or not at all."""

from contextlib import suppress

import pytest

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch

    from paged.storage import gather, used_blocks, write, write_together

pytestmark = pytest.mark.needs("torch")


def cache_of(*slots: float) -> "torch.Tensor":
    """Blocks of two slots, one head of one number."""
    return torch.tensor(slots).reshape(-1, 2, 1, 1)


def column(*numbers: float) -> "torch.Tensor":
    return torch.tensor(numbers).reshape(-1, 1, 1)


@pytest.mark.parametrize("as_tensor", [False, True])
def test_each_row_goes_to_its_slot_and_padding_nowhere(as_tensor):
    cache, slots = cache_of(10.0, 11, 12, 13, 14, 15), [5, -1, 0]
    write(cache, torch.tensor(slots) if as_tensor else slots, column(1.0, 2, 3))
    assert cache.flatten().tolist() == [3, 11, 12, 13, 14, 1]


def test_a_slice_of_a_larger_tensor_is_written_in_place():
    both = torch.zeros(3, 2, 2, 1, 1)  # [num_blocks, K or V, block_size, num_kv_heads, head_dim]
    write(both[:, 1], [4, 1], column(7.0, 8))
    assert both[:, 0].flatten().tolist() == [0, 0, 0, 0, 0, 0]
    assert both[:, 1].flatten().tolist() == [0, 8, 0, 0, 7, 0]


def test_a_pair_that_does_not_fit_keeps_the_others_from_being_written():
    first, second = cache_of(0.0, 0), cache_of(0.0, 0)
    with pytest.raises(ValueError, match=r"new must be \[1, 1, 1\], got \[2, 1, 1\]"):
        write_together([1], old=(first, column(5.0)), new=(second, column(5.0, 6)))
    assert first.flatten().tolist() == second.flatten().tolist() == [0, 0]


def test_values_of_another_dtype_are_refused():
    with pytest.raises(ValueError, match=r"values must be torch.float32 on cpu, got torch.float16 on cpu"):
        write(cache_of(0.0, 0), [0], column(1.0).half())


def test_gather_reads_in_table_order_up_to_the_length_and_copies():
    cache = cache_of(10.0, 11, 12, 13, 14, 15)
    read = gather(cache, [2, 0, -1], 3)
    assert read.flatten().tolist() == [14, 15, 10]
    assert read.shape == (3, 1, 1)
    read.fill_(0)
    assert cache.flatten().tolist() == [10, 11, 12, 13, 14, 15]


@pytest.mark.parametrize(("seq_len", "blocks"), [(0, []), (1, [2]), (2, [2]), (3, [2, 0]), (4, [2, 0])])
def test_a_block_is_used_from_its_first_token_on(seq_len, blocks):
    assert used_blocks(cache_of(0.0, 1, 2, 3, 4, 5), [2, 0, -1], seq_len) == blocks


def test_padding_within_the_context_is_refused():
    with pytest.raises(ValueError, match=r"blocks are 0\.\.2, the table has -1\.\.2"):
        used_blocks(cache_of(0.0, 1, 2, 3, 4, 5), [2, 0, -1], 5)


@pytest.mark.parametrize(("blocks", "size"), [(1, 2), (2, 1), (1, 4)])
def test_caches_in_which_a_slot_means_something_else_are_refused_before_anything_is_written(blocks, size):
    k, v = torch.zeros(2, 2, 1, 1), torch.zeros(blocks, size, 1, 1)
    with pytest.raises(ValueError, match=f"that of k has 2 blocks of 2, that of v {blocks} of {size}"):
        write_together([0, -1], k=(k, column(5.0, 6)), v=(v, column(7.0, 8)))
    with pytest.raises(ValueError, match=f"that of v has {blocks} blocks of {size}, that of k 2 of 2"):
        write_together([0], v=(v, column(7.0)), k=(k, column(5.0)))
    assert k.abs().sum() == v.abs().sum() == 0


def test_caches_may_differ_in_their_heads():
    k, v = torch.zeros(2, 2, 1, 1), torch.zeros(2, 2, 3, 2)
    write_together([3], k=(k, column(5.0)), v=(v, torch.full((1, 3, 2), 7.0)))
    assert k.flatten().tolist() == [0, 0, 0, 5]
    assert v[1, 1].flatten().tolist() == [7.0] * 6
