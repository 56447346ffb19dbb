"""to_layout and transfer_plan: every order of the axes, the fewest copies, the right tokens, refusals."""

from contextlib import suppress
from itertools import pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paged import slot_mapping_for, to_layout, transfer_plan

with suppress(ModuleNotFoundError):  # the marks below take these tests out where torch is missing
    import torch

    from paged import PagedKVCache

SIZES = {"L": 2, "B": 3, "H": 4, "N": 5, "C": 6}


def numbered() -> "torch.Tensor":
    """[L, B, H, N, C]: every element has a number of its own."""
    return torch.arange(2 * 3 * 4 * 5 * 6).reshape(2, 3, 4, 5, 6)


@pytest.mark.needs("torch")
def test_every_order_puts_every_element_in_its_place():
    kv = numbered()
    for order in map("".join, permutations("LBHNC")):
        moved = to_layout(kv, order)
        assert list(moved.shape) == [SIZES[axis] for axis in order]
        assert moved.is_contiguous()
        for index in product(range(2), (0, 2), (0, 3), (0, 1, 4), (0, 5)):
            place = dict(zip("LBHNC", index, strict=True))
            assert moved[tuple(place[axis] for axis in order)] == kv[index]


@pytest.mark.needs("torch")
def test_nhd_has_the_heads_of_a_token_side_by_side_and_hnd_the_tokens_of_a_head():
    """One block of two heads and three tokens; K is 1x, V is 2x, then the head, then the token."""
    kv = torch.tensor([[[[100 * c + 10 * h + n for c in (1, 2)] for n in range(3)] for h in range(2)]]).unsqueeze(0)
    nhd, hnd = to_layout(kv, "LBNHC"), to_layout(kv, "LBHNC")
    assert nhd.flatten().tolist() == [100, 200, 110, 210, 101, 201, 111, 211, 102, 202, 112, 212]
    assert hnd.flatten().tolist() == [100, 200, 101, 201, 102, 202, 110, 210, 111, 211, 112, 212]


@pytest.mark.needs("torch")
def test_a_view_is_read_as_what_it_shows():
    physical = numbered().permute(1, 2, 0, 3, 4).contiguous()  # BHLNC
    moved = to_layout(physical.permute(2, 0, 1, 3, 4), "LBNHC")
    assert torch.equal(moved, numbered().transpose(2, 3)) and moved.is_contiguous()


@pytest.mark.needs("torch")
def test_what_is_in_order_already_is_not_copied():
    kv = numbered()
    assert to_layout(kv, "LBHNC").data_ptr() == to_layout(kv.transpose(2, 3), "LBNHC").data_ptr() == kv.data_ptr()
    assert to_layout(kv, "LBNHC").data_ptr() != kv.data_ptr()


@pytest.mark.needs("torch")
def test_dtype_and_device_stay():
    kv = torch.zeros(1, 2, 3, 4, 5, dtype=torch.float8_e4m3fn, device="meta")
    assert (to_layout(kv, "BLNHC").dtype, to_layout(kv, "BLNHC").device.type) == (torch.float8_e4m3fn, "meta")


@pytest.mark.parametrize("order", ["NHD", "LBNH", "LBNHCC", "LBNHH", "lbnhc", "2BNHC", ""])
@pytest.mark.needs("torch")
def test_an_order_names_each_axis_once(order):
    with pytest.raises(ValueError, match=f"order must name each of L, B, H, N and C once, got '{order}'"):
        to_layout(numbered(), order)


@pytest.mark.needs("torch")
def test_kv_of_other_shapes_is_refused():
    with pytest.raises(ValueError, match=r"kv must be \[L, B, H, N, C\], got 4 axes: \[3, 4, 5, 6\]"):
        to_layout(numbered()[0], "LBNHC")


@pytest.mark.parametrize(
    ("args", "plan"),
    [
        ((8, [3, 4], 4, [7, 2], 4), [(12, 28, 4), (16, 8, 4)]),
        ((8, [3, 4], 4, [7, 8], 4), [(12, 28, 8)]),
        ((8, [4, 3], 4, [8, 7], 4), [(16, 32, 4), (12, 28, 4)]),
        ((8, [3, 5], 4, [7, 9], 4), [(12, 28, 4), (20, 36, 4)]),
        ((7, [2, 5, 0, 8], 2, [6, 1], 4), [(4, 24, 2), (10, 26, 2), (0, 4, 2), (16, 6, 1)]),
        ((7, [2, 3, 4, 5], 2, [6, 1], 4), [(4, 24, 4), (8, 4, 3)]),
        ((10, [4, 1, 2], 4, [5, 0, 3, 9], 3), [(16, 15, 3), (19, 0, 1), (4, 1, 2), (6, 9, 3), (9, 27, 1)]),
        ((5, [9, 8], 4, [30, 31, 32, 3, 4], 1), [(36, 30, 3), (39, 3, 1), (32, 4, 1)]),
        ((1, [6], 16, [2], 128), [(96, 256, 1)]),
        ((4, [6, 7], 4, [2, 3], 4), [(24, 8, 4)]),
        ((0, [], 4, [], 2), []),
        ((0, [5], 4, [-1], 2), []),
        ((3, [6, -1, -1], 4, [2, 3, -1], 2), [(24, 4, 3)]),
    ],
)
def test_plans_by_hand(args, plan):
    assert transfer_plan(*args) == plan


def test_a_long_prompt_that_lies_in_one_piece_is_one_copy():
    assert transfer_plan(32_000, range(5, 2005), 16, range(300, 550), 128) == [(80, 38_400, 32_000)]


@st.composite
def tables(draw, num_blocks: int) -> list[int]:
    """Blocks 0..num_blocks - 1, cut into stretches of neighbours that lie in any order."""
    cuts = draw(st.sets(st.integers(1, num_blocks - 1), max_size=4)) if num_blocks > 1 else ()
    stretches = [range(*ends) for ends in pairwise([0, *sorted(cuts), num_blocks])]
    return [block for stretch in draw(st.permutations(stretches)) for block in stretch]


@st.composite
def transfers(draw) -> tuple[int, list[int], int, list[int], int]:
    num_tokens = draw(st.integers(0, 40))
    sides = []
    for _ in range(2):
        block_size = draw(st.integers(1, 9))
        sides += [draw(tables(-(-num_tokens // block_size) + draw(st.integers(1, 2)))), block_size]
    return (num_tokens, *sides)


@given(transfers())
def test_applying_the_plan_moves_exactly_the_tokens(transfer):
    num_tokens, src_table, src_block_size, dst_table, dst_block_size = transfer
    src = [f"slot {slot}" for slot in range(len(src_table) * src_block_size)]
    dst = [None] * (len(dst_table) * dst_block_size)
    for src_slot, dst_slot, length in transfer_plan(*transfer):
        assert dst[dst_slot : dst_slot + length] == [None] * length
        dst[dst_slot : dst_slot + length] = src[src_slot : src_slot + length]
    sent = [src[slot] for slot in slot_mapping_for(src_table, range(num_tokens), src_block_size)]
    assert [dst[slot] for slot in slot_mapping_for(dst_table, range(num_tokens), dst_block_size)] == sent
    assert dst.count(None) == len(dst) - num_tokens


@given(transfers())
def test_a_copy_begins_only_where_one_side_does_not_go_on(transfer):
    num_tokens, src_table, src_block_size, dst_table, dst_block_size = transfer
    src = slot_mapping_for(src_table, range(num_tokens), src_block_size)
    dst = slot_mapping_for(dst_table, range(num_tokens), dst_block_size)
    leaps = sum(b != a + 1 or d != c + 1 for (a, b), (c, d) in zip(pairwise(src), pairwise(dst), strict=True))
    assert len(transfer_plan(*transfer)) == (leaps + 1 if num_tokens else 0)


@pytest.mark.needs("torch")
def test_a_plan_moves_a_request_between_two_caches():
    src, dst = PagedKVCache(1, 6, 2, num_kv_heads=2, head_dim=1), PagedKVCache(1, 4, 3, num_kv_heads=2, head_dim=1)
    k = torch.arange(1.0, 15.0).reshape(7, 2, 1)
    src.write(0, slot_mapping_for([4, 5, 0, 2], range(7), 2), k, -k)
    for src_slot, dst_slot, length in transfer_plan(7, [4, 5, 0, 2], 2, [1, 3, 0], 3):
        for stored, arriving in ((src.k[0], dst.k[0]), (src.v[0], dst.v[0])):
            piece = stored.flatten(0, 1)[src_slot : src_slot + length]
            arriving.flatten(0, 1)[dst_slot : dst_slot + length] = piece
    assert [side.tolist() for side in dst.gather(0, [1, 3, 0], 7)] == [k.tolist(), (-k).tolist()]
    assert dst.k[0].count_nonzero() == 14


@pytest.mark.needs("torch")
def test_tables_may_be_tensors_and_plans_are_plain_ints():
    plan = transfer_plan(3, torch.tensor([1, 0]), 2, torch.tensor([4, 2], dtype=torch.int32), 2)
    assert plan == [(2, 8, 2), (0, 4, 1)]
    assert {type(number) for copy in plan for number in copy} == {int}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((-1, [0], 4, [0], 4), "cannot move -1 tokens"),
        ((1, [0], 0, [0], 4), "source block_size must be at least 1, got 0"),
        ((1, [0], 4, [0], -2), "destination block_size must be at least 1, got -2"),
        ((9, [0, 1], 4, [0, 1, 2], 4), "9 tokens need 3 blocks of 4, the source has 2"),
        ((9, [0, 1, 2], 4, [0], 8), "9 tokens need 2 blocks of 8, the destination has 1"),
        ((9, [0, 1, -1], 4, [0, 1], 8), "source entry 2 is -1, but holds tokens"),
        ((9, [0, 1, 2], 4, [-1, 1], 8), "destination entry 0 is -1, but holds tokens"),
        ((9, [0, 1, 0], 4, [0, 1], 8), "block 0 is in the source table 2 times"),
        ((9, [0, 1, 2], 4, [7, 7], 8), "block 7 is in the destination table 2 times"),
    ],
)
def test_what_cannot_be_moved_is_refused(args, message):
    with pytest.raises(ValueError, match=message):
        transfer_plan(*args)
