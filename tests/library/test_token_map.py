"""Rows and pages against literal slots, invariants on drawn requests, and refusals that change nothing."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paged import ReqToTokenPool, TokenAllocator


def state(thing) -> dict:
    return copy.deepcopy(vars(thing))


def test_a_batch_fills_its_last_pages_first_and_then_takes_pages_in_turn():
    allocator = TokenAllocator(size=32, page_size=4)
    assert allocator.alloc_extend([0, 0], [6, 3], [-1, -1]) == [4, 5, 6, 7, 8, 9, 12, 13, 14]
    assert allocator.alloc_extend([6, 3], [11, 4], [9, 14]) == [10, 11, 16, 17, 18, 15]
    assert allocator.available_size() == 16


def test_decode_takes_a_page_only_where_the_last_one_is_full():
    allocator = TokenAllocator(16, 4)
    assert allocator.alloc_extend([0, 0], [4, 2], [-1, -1]) == [4, 5, 6, 7, 8, 9]
    assert allocator.alloc_decode([5, 3], [7, 9]) == [12, 10]
    assert allocator.alloc_decode([6, 4], [12, 10]) == [13, 11]
    assert allocator.available_size() == 4


def test_pages_of_one_slot_are_single_tokens():
    allocator = TokenAllocator(5, 1)
    assert allocator.alloc_extend([0], [3], [-1]) == [1, 2, 3]
    allocator.free([2, 1])
    assert allocator.alloc_decode([4], [3]) == [4]
    assert allocator.alloc_extend([4], [7], [4]) == [5, 2, 1]


def test_a_shared_prefix_takes_no_pages():
    """The second request begins with the first four tokens of the first, and goes on in a page of its own."""
    allocator = TokenAllocator(16, 4)
    first = allocator.alloc_extend([0], [6], [-1])
    assert allocator.alloc_extend([4], [6], [first[3]]) == [12, 13]


def test_freed_pages_come_back_once_each_in_order_of_first_mention():
    allocator = TokenAllocator(12, 2)
    slots = allocator.alloc_extend([0], [11], [-1])
    assert slots == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    allocator.free([8, 12, 9, 4, 8])
    assert allocator.available_size() == 6
    assert allocator.alloc_extend([0], [6], [-1]) == [8, 9, 12, 13, 4, 5]


def test_a_batch_that_needs_too_many_pages_gets_none_of_them():
    allocator = TokenAllocator(12, 4)
    assert allocator.alloc_extend([0], [2], [-1]) == [4, 5]
    before = state(allocator)
    assert allocator.alloc_extend([2, 0, 0], [4, 4, 5], [5, -1, -1]) is None
    assert state(allocator) == before
    assert allocator.alloc_extend([2, 0, 0], [4, 4, 4], [5, -1, -1]) == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def test_room_in_the_last_page_is_there_when_no_page_is_free():
    allocator = TokenAllocator(4, 4)
    assert allocator.alloc_extend([0], [2], [-1]) == [4, 5]
    assert allocator.available_size() == 0
    assert allocator.alloc_decode([3], [5]) == [6]
    assert allocator.alloc_extend([3], [5], [6]) is None
    assert allocator.alloc_extend([], [], []) == []
    assert allocator.alloc_extend([3], [3], [6]) == []


def test_rows_go_round_in_a_queue_and_row_0_is_never_handed_out():
    pool = ReqToTokenPool(size=3, max_context_len=4)
    assert pool.alloc(2) == [1, 2]
    assert pool.alloc(0) == []
    pool.free([2, 1])
    assert pool.alloc(4) is None
    assert pool.available_size() == 3
    assert pool.alloc(3) == [3, 2, 1]


def test_write_enters_slots_from_start_and_free_leaves_them():
    pool = ReqToTokenPool(2, 4)
    [row] = pool.alloc(1)
    pool.write(row, 0, [8, 9])
    pool.write(row, 2, [17])
    pool.write(row, 4, [])
    pool.free([row])
    assert pool.req_to_token == [[0, 0, 0, 0], [8, 9, 17, 0], [0, 0, 0, 0]]


@settings(max_examples=60, deadline=None)
@given(
    page_size=st.sampled_from([1, 2, 3, 4, 8]),
    steps=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=30),
)
def test_no_two_tokens_share_a_slot_and_pages_are_neither_lost_nor_doubled(page_size, steps):
    """Four requests that grow by any number of tokens, or end where they are chosen with 0."""
    allocator = TokenAllocator(12 * page_size, page_size)
    requests = [[], [], [], []]
    for which, n in steps:
        slots = requests[which]
        if n == 0:
            allocator.free(slots[::-1])
            slots.clear()
        else:
            last = slots[-1] if slots else -1
            got = allocator.alloc_extend([len(slots)], [len(slots) + n], [last])
            pages_left = 12 - sum(len({slot // page_size for slot in request}) for request in requests)
            room = -len(slots) % page_size + pages_left * page_size
            assert (got is None) == (n > room)
            slots += got or []
        tokens = [slot for request in requests for slot in request]
        assert len(set(tokens)) == len(tokens)
        assert all(slot % page_size == i % page_size for request in requests for i, slot in enumerate(request))
        used = {slot // page_size for slot in tokens}
        assert all(1 <= page <= 12 for page in used)
        assert allocator.available_size() == (12 - len(used)) * page_size


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 4), "size must be at least 1, got 0"),
        ((4, 0), "page_size must be at least 1, got 0"),
        ((10, 4), "size 10 is no multiple of page_size 4"),
    ],
)
def test_allocators_of_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        TokenAllocator(*sizes)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [((0, 4), "size must be at least 1, got 0"), ((4, -1), "max_context_len must be at least 1, got -1")],
)
def test_pools_of_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        ReqToTokenPool(*sizes)


@pytest.mark.parametrize(
    ("verb", "args", "message"),
    [
        ("alloc_extend", ([0], [1, 1], [-1]), "a batch of 1 prefixes, 2 lengths and 1 last slots"),
        ("alloc_extend", ([3], [2], [6]), "cannot extend 3 tokens to 2"),
        ("alloc_extend", ([0, -1], [5, 2], [-1, -2]), "cannot extend -1 tokens to 2"),
        ("alloc_decode", ([0], [-1]), "cannot extend -1 tokens to 0"),
        ("alloc_extend", ([0, 6], [1, 7], [-1, 8]), "slot 8 can't be the last of 6, 4 to a page"),
        ("alloc_extend", ([0], [1], [3]), "slot 3 can't be the last of 0"),
        ("alloc_extend", ([4], [5], [-1]), "slot -1 can't be the last of 4"),
        ("alloc_extend", ([0, 2], [1, 3], [-1, 13]), "cannot extend page 3: it is free"),
        ("alloc_extend", ([0, 2], [1, 3], [-1, 1]), "cannot extend page 0: there are pages 1 to 4"),
        ("alloc_extend", ([6, 6], [7, 7], [9, 9]), "two requests go on after slot 9, in the same page"),
        ("free", ([4, 13],), "cannot free page 3: it is free"),
        ("free", ([4, 2],), "cannot free page 0: there are pages 1 to 4"),
        ("free", ([4, 20],), "cannot free page 5: there are pages 1 to 4"),
        ("free", ([4, -1],), "cannot free page -1"),
    ],
)
def test_refused_calls_leave_the_allocator_as_it_was(verb, args, message):
    """Six tokens lie in pages 1 and 2 of four."""
    allocator = TokenAllocator(16, 4)
    allocator.alloc_extend([0], [6], [-1])
    before = state(allocator)
    with pytest.raises(ValueError, match=message):
        getattr(allocator, verb)(*args)
    assert state(allocator) == before


def test_a_page_cannot_be_freed_twice():
    allocator = TokenAllocator(8, 4)
    slots = allocator.alloc_extend([0], [3], [-1])
    allocator.free(slots)
    with pytest.raises(ValueError, match="cannot free page 1: it is free"):
        allocator.free(slots)
    assert allocator.available_size() == 8


@pytest.mark.parametrize(
    ("verb", "args", "message"),
    [
        ("alloc", (-1,), "cannot allocate -1 rows"),
        ("free", ([1, 0],), "cannot free row 0: requests have the rows 1 to 3"),
        ("free", ([1, 4],), "cannot free row 4: requests have the rows 1 to 3"),
        ("free", ([1, 3],), "cannot free row 3: no request has it"),
        ("free", ([1, 2, 1],), r"cannot free row 1 2 times: \[1, 2, 1\]"),
        ("write", (0, 0, [7]), "cannot write to row 0: requests have the rows 1 to 3"),
        ("write", (3, 0, [7]), "cannot write to row 3: no request has it"),
        ("write", (1, 3, [7, 8]), "entries 3 to 4 do not lie in a row of 4"),
        ("write", (1, -1, [7]), "entries -1 to -1 do not lie in a row of 4"),
        ("write", (1, 0, [7, -1]), "slots must not be negative, got -1"),
    ],
)
def test_refused_calls_leave_the_pool_as_it_was(verb, args, message):
    pool = ReqToTokenPool(3, 4)
    pool.alloc(2)
    pool.write(1, 0, [5, 6])
    before = state(pool)
    with pytest.raises(ValueError, match=message):
        getattr(pool, verb)(*args)
    assert state(pool) == before
