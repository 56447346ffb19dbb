"""Sequence: growth, fork, copy-on-write, freeing; every count as a literal."""

import pytest

from paged import BlockPool, Sequence


def sequence_of(num_tokens: int, block_size: int, num_blocks: int) -> tuple[BlockPool, Sequence]:
    pool = BlockPool(num_blocks)
    sequence = Sequence(pool, block_size)
    sequence.append(num_tokens)
    return pool, sequence


def test_a_sequence_takes_blocks_only_when_the_last_one_is_full():
    """Case bp-15: growing inside the last block asks for nothing."""
    pool, sequence = sequence_of(9, block_size=4, num_blocks=8)
    assert (sequence.num_tokens, sequence.block_table) == (9, [0, 1, 2])
    for _ in range(3):
        sequence.append(1)
        assert pool.num_free() == 5
    sequence.append(1)
    assert (sequence.num_tokens, sequence.block_table) == (13, [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("block_size", "prompt", "appended", "consumed"),
    [(8, 7, 1, 0), (8, 8, 1, 1), (8, 7, 129 + 10, 18), (1, 1, 1 + 10, 11), (8, 1, 8, 1)],
)
def test_blocks_consumed_by_an_append(block_size, prompt, appended, consumed):
    """Case cow-09, its lookahead tokens counted as appended."""
    pool, sequence = sequence_of(prompt, block_size, num_blocks=40)
    free = pool.num_free()
    sequence.append(appended)
    assert free - pool.num_free() == consumed


@pytest.mark.parametrize("who", ["parent", "fork"])
def test_one_append_to_a_shared_half_filled_block_costs_one_copy(who):
    """Case cow-02."""
    pool, parent = sequence_of(129, block_size=8, num_blocks=20)
    fork = parent.fork()
    assert pool.num_free() == 20 - 17
    writer, reader = (parent, fork) if who == "parent" else (fork, parent)
    writer.append(1)
    assert pool.num_free() == 20 - 18
    assert pool.copies == [(16, 17)]
    assert reader.block_table == list(range(17))
    assert writer.block_table == [*range(16), 17]
    assert pool.ref_cnt == [2] * 16 + [1, 1, 0, 0]
    parent.free()
    fork.free()
    assert pool.num_free() == 20


def test_full_blocks_stay_shared():
    """Case cow-03."""
    pool, parent = sequence_of(16, block_size=8, num_blocks=8)
    fork = parent.fork()
    fork.append(1)
    assert pool.copies == []
    assert (parent.block_table, fork.block_table) == ([0, 1], [0, 1, 2])
    assert pool.ref_cnt == [2, 2, 1, 0, 0, 0, 0, 0]


def test_the_copy_is_taken_before_the_growth():
    """Case cow-05."""
    pool, parent = sequence_of(1, block_size=8, num_blocks=8)
    fork = parent.fork()
    fork.append(16)
    assert pool.copies == [(0, 1)]
    assert (parent.block_table, fork.block_table) == ([0], [1, 2, 3])
    assert pool.num_free() == 4


def test_the_copys_block_replaces_the_last_entry_and_growth_follows():
    pool = BlockPool(8)
    pool.allocate(8)
    pool.free([6, 2, 7, 1, 4])  # a queue in an order of its own
    parent = Sequence(pool, 2)
    parent.append(3)
    fork = parent.fork()
    parent.append(3)
    assert (parent.block_table, fork.block_table) == ([6, 7, 1], [6, 2])
    assert pool.copies == [(2, 7)]
    assert list(pool.free_queue) == [4]


def test_the_last_owner_writes_in_place():
    """Case cow-11: three forks of a half-filled block need two copies."""
    pool, first = sequence_of(5, block_size=4, num_blocks=8)
    second, third = first.fork(), first.fork()
    for sequence in (first, second, third):
        sequence.append(1)
    assert pool.copies == [(1, 2), (1, 3)]
    assert [s.block_table for s in (first, second, third)] == [[0, 2], [0, 3], [0, 1]]
    assert pool.ref_cnt[:4] == [3, 1, 1, 1]


def test_block_size_one_never_copies():
    pool, parent = sequence_of(3, block_size=1, num_blocks=8)
    fork = parent.fork()
    fork.append(2)
    assert (pool.copies, fork.block_table) == ([], [0, 1, 2, 3, 4])


def test_a_block_shared_by_hand_is_copied_too():
    pool, sequence = sequence_of(1, block_size=4, num_blocks=4)
    pool.share([0])
    sequence.append(1)
    assert (sequence.block_table, pool.copies, pool.ref_cnt) == ([1], [(0, 1)], [1, 1, 0, 0])


def test_copies_are_kept_in_order_with_duplicates_until_someone_clears_them():
    pool, parent = sequence_of(1, block_size=4, num_blocks=3)
    for _ in range(2):
        fork = parent.fork()
        fork.append(1)
        fork.free()
        pool.free(pool.allocate(1))  # turns the queue of two, so that the same block comes up
    assert pool.copies == [(0, 1), (0, 1)]


def test_an_append_that_does_not_fit_changes_nothing(refuses):
    pool, sequence = sequence_of(6, block_size=4, num_blocks=4)
    with refuses(MemoryError, "need 3 blocks, 2 are free", pool, sequence):
        sequence.append(11)
    sequence.append(10)
    assert sequence.block_table == [0, 1, 2, 3]


def test_a_copy_that_does_not_fit_changes_nothing(refuses):
    """Case cow-10."""
    pool, parent = sequence_of(6, block_size=4, num_blocks=2)
    fork = parent.fork()
    with refuses(MemoryError, "need 1 blocks, 0 are free", pool, parent, fork):
        fork.append(1)
    parent.free()
    fork.append(1)  # now the only owner: in place
    assert (fork.block_table, pool.copies) == ([0, 1], [])


def test_copy_and_growth_are_one_request(refuses):
    pool, parent = sequence_of(3, block_size=4, num_blocks=4)
    fork = parent.fork()
    pool.free(pool.allocate(2))  # the queue is 3, 1, 2 now
    with refuses(MemoryError, "need 4 blocks, 3 are free", pool, parent, fork):
        fork.append(10)
    fork.append(9)
    assert (fork.block_table, pool.copies) == ([3, 1, 2], [(0, 3)])


def test_appending_nothing_does_nothing_even_to_a_shared_block():
    pool, parent = sequence_of(1, block_size=4, num_blocks=4)
    fork = parent.fork()
    fork.append(0)
    assert (fork.num_tokens, fork.block_table, pool.copies, pool.num_free()) == (1, [0], [], 3)


def test_a_negative_append_is_refused(refuses):
    pool, sequence = sequence_of(5, block_size=4, num_blocks=4)
    with refuses(ValueError, "cannot append -1 tokens", pool, sequence):
        sequence.append(-1)


def test_fork_has_a_table_of_its_own():
    _, parent = sequence_of(8, block_size=4, num_blocks=8)
    fork = parent.fork()
    parent.append(1)
    assert (fork.num_tokens, fork.block_table) == (8, [0, 1])
    assert (parent.num_tokens, parent.block_table) == (9, [0, 1, 2])
    assert (fork.pool, fork.block_size) == (parent.pool, 4)


def test_fork_of_an_empty_sequence_is_empty_and_independent():
    pool = BlockPool(4)
    parent = Sequence(pool, 4)
    fork = parent.fork()
    assert (fork.num_tokens, fork.block_table) == (0, [])
    fork.append(1)
    assert (parent.num_tokens, parent.block_table, fork.block_table) == (0, [], [0])


def test_free_returns_blocks_in_table_order_and_a_second_time_does_nothing():
    pool, sequence = sequence_of(10, block_size=4, num_blocks=4)
    sequence.free()
    assert (sequence.num_tokens, sequence.block_table, list(pool.free_queue)) == (0, [], [3, 0, 1, 2])
    sequence.free()
    assert list(pool.free_queue) == [3, 0, 1, 2]
    sequence.append(5)
    assert (sequence.num_tokens, sequence.block_table) == (5, [3, 0])


def test_free_keeps_what_a_fork_still_owns():
    pool, parent = sequence_of(10, block_size=4, num_blocks=6)
    fork = parent.fork()
    fork.append(1)
    parent.free()
    assert (pool.ref_cnt, list(pool.free_queue)) == ([1, 1, 0, 1, 0, 0], [4, 5, 2])


def test_freeing_blocks_behind_the_sequences_back_is_noticed(refuses):
    pool, sequence = sequence_of(10, block_size=4, num_blocks=4)
    pool.free([1])
    with refuses(ValueError, "cannot free block 1", pool, sequence):
        sequence.free()


def test_slots_in_any_order_with_repeats():
    pool = BlockPool(8)
    pool.allocate(5)
    sequence = Sequence(pool, 4)
    sequence.append(10)
    assert sequence.slot_mapping([9, 0, 4, 4, 3]) == [29, 20, 24, 24, 23]
    assert sequence.slot_mapping(range(8, 10)) == [28, 29]
    assert sequence.slot_mapping([]) == []


def test_the_first_decoded_token_stands_at_the_prompts_length():
    """Case b-27: after a prompt of n tokens the next one has position n, not n + 1."""
    _, sequence = sequence_of(5, block_size=4, num_blocks=4)
    sequence.append(1)
    assert sequence.slot_mapping([sequence.num_tokens - 1]) == [5]


@pytest.mark.parametrize("position", [-1, 5, 7, 8])
def test_positions_without_a_token_have_no_slot(refuses, position):
    """Positions 5 to 7 would lie in the last block, but hold no token yet."""
    pool, sequence = sequence_of(5, block_size=4, num_blocks=4)
    with refuses(ValueError, f"position {position} is outside this sequence of 5 tokens", pool, sequence):
        sequence.slot_mapping([0, position])


@pytest.mark.parametrize("block_size", [0, -4])
def test_a_block_holds_at_least_one_token(block_size):
    with pytest.raises(ValueError, match=f"block_size must be at least 1, got {block_size}"):
        Sequence(BlockPool(1), block_size)
