"""BlockPool: order of hand-out, all or nothing, owners, and refusals that leave no trace."""

import pytest

from paged import BlockPool


def test_handbook_session():
    pool = BlockPool(num_blocks=8)
    assert pool.allocate(3) == [0, 1, 2]
    assert pool.num_free() == 5
    assert pool.allocate(2) == [3, 4]
    pool.free([0, 1, 2])
    assert pool.allocate(4) == [5, 6, 7, 0]
    assert pool.ref_cnt == [1, 0, 0, 1, 1, 1, 1, 1]
    assert list(pool.free_queue) == [1, 2]


def test_allocating_nothing_gives_nothing_and_freeing_nothing_is_allowed():
    pool = BlockPool(1)
    assert pool.allocate(0) == []
    pool.free([])
    pool.share([])
    assert (pool.num_free(), pool.ref_cnt, pool.copies) == (1, [0], [])


def test_freed_blocks_join_the_tail_in_the_order_given():
    """Case fq-02."""
    pool = BlockPool(6)
    pool.allocate(6)
    counts = []
    for batch in ([], [0], [4, 5], [1, 2, 3]):
        pool.free(batch)
        counts.append(pool.num_free())
    assert counts == [0, 1, 3, 6]
    assert pool.allocate(6) == [0, 4, 5, 1, 2, 3]


@pytest.mark.parametrize("n", [1, 2, 16])
def test_pool_is_usable_after_a_full_drain(n):
    """Case fq-05."""
    pool = BlockPool(n)
    first = pool.allocate(n)
    assert pool.allocate(0) == []
    assert pool.num_free() == 0
    pool.free(first)
    assert pool.allocate(n) == first == list(range(n))


def test_too_many_blocks_is_none_and_takes_nothing():
    """Case bp-02."""
    pool = BlockPool(8)
    assert pool.allocate(9) is None
    assert pool.num_free() == 8
    assert pool.allocate(8) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_the_last_block_can_be_had():
    """Case bp-03."""
    pool = BlockPool(8)
    assert len(pool.allocate(8)) == 8
    assert pool.num_free() == 0
    assert pool.allocate(1) is None


def test_need_three_with_two_free_takes_none_of_the_two():
    """Case b-35."""
    pool = BlockPool(5)
    pool.allocate(3)
    assert pool.allocate(3) is None
    assert (list(pool.free_queue), pool.ref_cnt) == ([3, 4], [1, 1, 1, 0, 0])


def test_a_full_pool_recycles_the_one_block_that_comes_back():
    """Case bp-06."""
    pool = BlockPool(4)
    pool.allocate(4)
    for round_ in range(100):
        block = round_ % 4
        pool.free([block])
        assert pool.allocate(1) == [block]
        assert pool.allocate(1) is None


def test_scattered_free_blocks_are_as_good_as_neighbours():
    """Case b-52."""
    pool = BlockPool(10)
    pool.allocate(10)
    pool.free([1, 3, 5, 7])
    assert pool.allocate(4) == [1, 3, 5, 7]


def test_each_share_is_one_owner_and_each_free_takes_one(refuses):
    """Case bp-14."""
    pool = BlockPool(2)
    pool.allocate(1)
    for owners in (2, 3, 4):
        pool.share([0])
        assert pool.ref_cnt[0] == owners
    for owners in (3, 2, 1):
        pool.free([0])
        assert pool.ref_cnt[0] == owners
        assert pool.num_free() == 1
    pool.free([0])
    assert (pool.ref_cnt[0], list(pool.free_queue)) == (0, [1, 0])
    with refuses(ValueError, "block 0: owners needed 1, owners 0", pool):
        pool.free([0])


def test_a_block_with_two_owners_may_be_listed_twice_in_one_call():
    pool = BlockPool(2)
    pool.allocate(2)
    pool.share([0, 0])
    assert pool.ref_cnt == [3, 1]
    pool.free([0, 1, 0])
    assert (pool.ref_cnt, list(pool.free_queue)) == ([1, 0], [1])


def test_one_block_listed_twice_is_a_double_free_found_before_any_change(refuses):
    """Case bp-09."""
    pool = BlockPool(4)
    pool.allocate(4)
    pool.free([2])
    with refuses(ValueError, "block 1: owners needed 2, owners 1", pool):
        pool.free([0, 1, 3, 1])


def test_a_free_block_in_the_list_spoils_the_whole_call(refuses):
    pool = BlockPool(4)
    pool.allocate(2)
    with refuses(ValueError, "cannot free block 3", pool):
        pool.free([0, 3])
    with refuses(ValueError, "cannot share block 2", pool):
        pool.share([0, 2, 1])


@pytest.mark.parametrize("block", [-1, 4, True, 0.0, "0", None])
@pytest.mark.parametrize("verb", ["free", "share"])
def test_what_is_no_block_of_the_pool_is_refused(refuses, verb, block):
    pool = BlockPool(4)
    pool.allocate(4)
    with refuses(ValueError, rf"cannot {verb} .*the pool's blocks are 0\.\.3", pool):
        getattr(pool, verb)([2, block])


def test_a_negative_number_of_blocks_is_refused(refuses):
    """Case bp-15: nobody may ask for less than nothing."""
    pool = BlockPool(4)
    with refuses(ValueError, "cannot allocate -1 blocks", pool):
        pool.allocate(-1)


@pytest.mark.parametrize("num_blocks", [0, -3])
def test_a_pool_has_at_least_one_block(num_blocks):
    with pytest.raises(ValueError, match=f"num_blocks must be at least 1, got {num_blocks}"):
        BlockPool(num_blocks)


def test_blocks_may_come_from_an_iterator():
    pool = BlockPool(3)
    blocks = pool.allocate(3)
    pool.share(iter(blocks))
    assert pool.ref_cnt == [2, 2, 2]
    pool.free(reversed(blocks))
    pool.free(reversed(blocks))
    assert list(pool.free_queue) == [2, 1, 0]
