"""slot_mapping_for and batch_slot_mapping: arithmetic, padding, refusals."""

import pytest

from paged import slot_mapping_for
from paged.slots import batch_slot_mapping

TABLES = [[5, 6], [7, -1], [0, 2]]


def test_handbook_positions():
    assert slot_mapping_for([5, 6, 7, 0], positions=range(14), block_size=4) == [
        *(20, 21, 22, 23),
        *(24, 25, 26, 27),
        *(28, 29, 30, 31),
        *(0, 1),
    ]


def test_large_blocks_are_exact():
    """Case sm-02: offsets beyond 16 bits."""
    assert slot_mapping_for([12], [153797, 165757], 262144) == [3299525, 3311485]


def test_block_size_one_is_the_table_itself():
    assert slot_mapping_for([4, 0, 9], [2, 0, 1], 1) == [9, 4, 0]


@pytest.mark.parametrize("position", [-1, 8])
def test_a_position_outside_the_table_is_refused(position):
    with pytest.raises(ValueError, match=f"position {position} is outside the 8 positions"):
        slot_mapping_for([3, 1], [0, position], 4)


def test_padding_in_the_table_is_never_mapped():
    with pytest.raises(ValueError, match="position 4 falls on table entry 1, which is -1"):
        slot_mapping_for([3, -1], [3, 4], 4)


@pytest.mark.parametrize("block_size", [0, -1])
def test_block_size_is_at_least_one(block_size):
    with pytest.raises(ValueError, match=f"block_size must be at least 1, got {block_size}"):
        slot_mapping_for([0], [0], block_size)


def test_a_fractional_position_is_refused():
    with pytest.raises(TypeError):
        slot_mapping_for([0], [1.0], 4)


def test_batch_concatenates_requests_and_pads_with_minus_one():
    slots = batch_slot_mapping(TABLES, [0, 3, 3, 5], [1, 2, 5, 7, 0], block_size=4, padded_to=8)
    assert slots == [21, 22, 25, 11, 0, -1, -1, -1]


def test_a_smaller_batch_leaves_nothing_of_the_larger_one_behind():
    """Case sm-06: five decodes, then three, padded to the same five entries."""
    tables = [[4], [3], [2], [1], [0]]
    assert batch_slot_mapping(tables, [0, 1, 2, 3, 4, 5], [1, 1, 1, 1, 1], 2, 5) == [9, 7, 5, 3, 1]
    assert batch_slot_mapping(tables[:3], [0, 1, 2, 3], [0, 0, 0], 2, 5) == [8, 6, 4, -1, -1]


def test_an_empty_batch_is_all_padding():
    assert batch_slot_mapping([], [0], [], 4, 3) == [-1, -1, -1]
    assert batch_slot_mapping([[]], [0, 0], [], 4, 0) == []


def test_exactly_full_needs_no_padding():
    assert batch_slot_mapping([[2]], [0, 2], [0, 1], 2, 2) == [4, 5]


@pytest.mark.parametrize(
    ("starts", "positions", "padded_to", "message"),
    [
        ([0, 1, 2], [0, 1], 4, "3 requests need 4 entries"),
        ([0, 1, 2, 3, 3], [0, 1, 2], 4, "3 requests need 4 entries"),
        ([1, 1, 2, 3], [0, 1, 2], 4, "must rise from 0 to the number of tokens, 3"),
        ([0, 2, 1, 3], [0, 1, 2], 4, "must rise from 0"),
        ([0, 1, 2, 2], [0, 1, 2], 4, "must rise from 0"),
        ([0, 1, 2, 4], [0, 1, 2], 4, "must rise from 0"),
        ([0, 1, 2, 3], [0, 1, 2], 2, "3 tokens do not fit into 2 entries"),
        ([0, 1, 2, 3], [0, 4, 2], 4, "table entry 1, which is -1"),
        ([0, 1, 2, 3], [0, 0, 8], 4, "position 8 is outside the 8 positions"),
    ],
)
def test_batches_that_do_not_add_up_are_refused(starts, positions, padded_to, message):
    with pytest.raises(ValueError, match=message):
        batch_slot_mapping(TABLES, starts, positions, 4, padded_to)


@pytest.mark.needs("torch")
def test_tables_may_be_strided_tensors_and_slots_are_plain_ints():
    """Case sm-03: three columns out of rows of eight."""
    import torch

    wide = torch.arange(24, dtype=torch.int32).reshape(3, 8)
    slots = slot_mapping_for(wide[1, 2:5], torch.tensor([0, 5, 3]), 2)
    assert slots == [20, 25, 23]
    assert {type(slot) for slot in slots} == {int}
    starts, positions = torch.tensor([0, 1, 1, 3]), torch.tensor([0, 3, 5])
    assert batch_slot_mapping(wide[:, 2:5], starts, positions, 2, 4) == [4, 39, 41, -1]
