"""Parallel sampling and beam steps: literal tables, who owns what, and refusals that change nothing."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paged import BlockPool, Sequence, beam_step, memory_saved, parallel_sample


def owners(pool, sequences) -> list[int]:
    counts = Counter(block for sequence in sequences for block in sequence.block_table)
    return [counts[block] for block in range(pool.num_blocks)]


def test_samples_share_the_full_blocks_of_the_prompt_and_the_last_to_write_keeps_the_half_filled_one():
    pool = BlockPool(9)
    texts = parallel_sample(pool, block_size=4, prompt_len=6, n=3, steps=3)
    assert [text.block_table for text in texts] == [[0, 2, 4], [0, 3, 5], [0, 1, 6]]
    assert pool.copies == [(1, 2), (1, 3)]
    assert pool.ref_cnt == [3, 1, 1, 1, 1, 1, 1, 0, 0]


def test_a_prompt_that_fills_its_blocks_is_never_copied():
    pool = BlockPool(8)
    texts = parallel_sample(pool, 4, 8, 2, 5)
    assert [text.block_table for text in texts] == [[0, 1, 2, 4], [0, 1, 3, 5]]
    assert pool.copies == []


def test_before_the_first_step_all_is_shared():
    pool = BlockPool(2)
    texts = parallel_sample(pool, 4, 6, 5, 0)
    assert [text.block_table for text in texts] == [[0, 1]] * 5
    assert pool.ref_cnt == [5, 5]


def test_a_beam_without_children_makes_room_in_the_same_step():
    pool = BlockPool(2)
    dead, alive = Sequence(pool, 2), Sequence(pool, 2)
    dead.append(2)
    alive.append(2)
    [child] = beam_step([dead, alive], [1])
    assert child.block_table == [1, 0]
    assert (dead.num_tokens, dead.block_table) == (0, [])


def test_a_beam_with_one_child_goes_on_without_a_copy():
    pool = BlockPool(2)
    beam = Sequence(pool, 4)
    beam.append(5)
    [child] = beam_step([beam], [0])
    assert child is beam
    assert (child.num_tokens, child.block_table, pool.copies) == (6, [0, 1], [])


def test_children_stand_in_the_order_of_their_parents_and_the_last_of_a_beam_is_the_beam():
    pool = BlockPool(8)
    a, b = Sequence(pool, 4), Sequence(pool, 4)
    a.append(2)
    b.append(2)
    children = beam_step([a, b], [1, 0, 1, 0, 0])
    assert (children[2], children[4]) == (b, a)
    assert [child.block_table for child in children] == [[2], [3], [1], [4], [0]]
    assert pool.copies == [(1, 2), (0, 3), (0, 4)]


def test_whoever_else_owns_the_half_filled_block_keeps_it():
    pool = BlockPool(4)
    beam = Sequence(pool, 4)
    beam.append(2)
    finished = beam.fork()
    children = beam_step([beam], [0, 0])
    assert [child.block_table for child in children] == [[1], [2]]
    assert (finished.num_tokens, finished.block_table) == (2, [0])


def test_a_generation_without_children_ends_the_search():
    pool = BlockPool(4)
    texts = parallel_sample(pool, 2, 3, 2, 1)
    assert beam_step(texts, []) == []
    assert pool.num_free() == 4
    assert beam_step([], []) == []


# --- drawn runs ---


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 5), st.integers(0, 9), st.integers(1, 4), st.integers(0, 7))
def test_samples_fit_exactly_into_the_blocks_they_end_with(block_size, prompt_len, n, steps):
    roomy = BlockPool(60)
    texts = parallel_sample(roomy, block_size, prompt_len, n, steps)
    assert [text.num_tokens for text in texts] == [prompt_len + steps] * n
    assert roomy.ref_cnt == owners(roomy, texts)
    assert len(roomy.copies) == (n - 1 if steps and prompt_len % block_size else 0)
    needed = 60 - roomy.num_free()
    if needed:
        exact = BlockPool(needed)
        assert [text.block_table for text in parallel_sample(exact, block_size, prompt_len, n, steps)] == [
            text.block_table for text in texts
        ]


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.lists(st.lists(st.integers(0, 99), max_size=5), max_size=8), st.data())
def test_a_search_owns_what_its_beams_hold_and_a_refused_step_changes_nothing(block_size, prompt_len, steps, data):
    pool = BlockPool(data.draw(st.integers(6, 30)))
    beams, finished = parallel_sample(pool, block_size, prompt_len, 1, 0), []
    for choices in steps:
        parents = [choice % len(beams) for choice in choices] or [0]
        if choices[-1:] > [80]:
            finished.append(beams[0].fork())
        before = snapshot(pool, [*beams, *finished])
        lengths = [beams[parent].num_tokens for parent in parents]
        try:
            children = beam_step(beams, parents)
        except MemoryError:
            assert snapshot(pool, [*beams, *finished]) == before
            break
        assert [child.num_tokens for child in children] == [length + 1 for length in lengths]
        last_blocks = [child.block_table[-1] for child in children]
        assert len(set(last_blocks)) == len(children), "each child writes into a block of its own"
        beams = children
        assert pool.ref_cnt == owners(pool, [*beams, *finished])


def snapshot(pool, sequences):
    tables = [(sequence.num_tokens, list(sequence.block_table)) for sequence in sequences]
    return list(pool.ref_cnt), list(pool.free_queue), list(pool.copies), tables


def test_beams_of_different_lengths_are_counted_each_by_its_own():
    pool = BlockPool(5)
    full, half = Sequence(pool, 2), Sequence(pool, 2)
    full.append(2)
    half.append(1)
    children = beam_step([full, half], [0, 1, 1, 0])
    assert [child.block_table for child in children] == [[0, 2], [3], [1], [0, 4]]


# --- refusals ---


def test_samples_that_do_not_all_fit_are_refused_as_a_whole(refuses):
    pool = BlockPool(4)
    with refuses(MemoryError, "need 5 blocks, 4 are free", pool):
        parallel_sample(pool, 2, 3, 2, 2)
    assert [text.block_table for text in parallel_sample(pool, 2, 3, 2, 1)] == [[0, 2], [0, 1]]


def test_a_step_is_refused_when_a_copy_is_missing_and_says_what_freed_beams_would_give(refuses):
    pool = BlockPool(4)
    dead, beam = Sequence(pool, 2), Sequence(pool, 2)
    dead.append(2)
    beam.append(1)
    pool.allocate(2)
    with refuses(MemoryError, "need 2 blocks, 1 are free", pool, dead, beam):
        beam_step([dead, beam], [1, 1, 1])
    assert [child.block_table for child in beam_step([dead, beam], [1, 1])] == [[0], [1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, 3, 0, 1), "n must be at least 1, got 0"),
        ((4, -1, 1, 1), "must not be negative, got -1 and 1"),
        ((4, 1, 1, -2), "must not be negative, got 1 and -2"),
        ((0, 3, 1, 1), "block_size must be at least 1, got 0"),
    ],
)
def test_senseless_numbers_are_refused(refuses, arguments, message):
    pool = BlockPool(4)
    with refuses(ValueError, message, pool):
        parallel_sample(pool, *arguments)


@pytest.mark.parametrize("parent", [2, -1])
def test_a_parent_that_is_no_beam_is_refused(refuses, parent):
    pool = BlockPool(4)
    beams = parallel_sample(pool, 2, 3, 2, 0)
    with refuses(ValueError, f"child 1 continues beam {parent}, but the beams are 0..1", pool, *beams):
        beam_step(beams, [0, parent])


def test_a_beam_listed_twice_and_beams_of_two_pools_are_refused(refuses):
    pool, other = BlockPool(4), BlockPool(4)
    [beam], [stranger] = parallel_sample(pool, 2, 3, 1, 0), parallel_sample(other, 2, 3, 1, 0)
    with refuses(ValueError, "2 beams are listed, but only 1 of them are different", pool, beam):
        beam_step([beam, beam], [0])
    with refuses(ValueError, "the beams have 2 pools", pool, other, beam, stranger):
        beam_step([beam, stranger], [0])


def test_beams_and_parents_may_come_one_by_one():
    """A generator is empty after one look; the beams must not be freed for that."""
    pool = BlockPool(4)
    beams = parallel_sample(pool, 2, 3, 2, 0)
    children = beam_step((beam for beam in beams), (parent for parent in [0, 1]))
    assert [child.num_tokens for child in children] == [4, 4]
    assert [child.block_table for child in children] == [[0, 2], [0, 1]]


def test_a_parent_among_no_beams_is_refused():
    with pytest.raises(ValueError, match="child 0 continues beam 3, but there are no beams"):
        beam_step([], [3])


@pytest.mark.parametrize("parents", [[1], [0, 1]], ids=["freed", "written"])
def test_a_block_with_fewer_owners_than_beams_is_refused_before_anything_is_freed(refuses, parents):
    pool = BlockPool(6)
    beams = parallel_sample(pool, 2, 3, 3, 0)
    pool.ref_cnt[1] = 0 if parents == [1] else 1
    with refuses(ValueError, r"block 1 stands in the tables of \d beams, but has owners: [01]", pool, *beams):
        beam_step(beams, parents)


# --- what sharing saves ---


def test_memory_saved_is_the_part_of_the_blocks_that_are_not_there():
    texts = parallel_sample(BlockPool(20), 4, 8, 3, 4)
    assert [text.block_table for text in texts] == [[0, 1, 2], [0, 1, 3], [0, 1, 4]]
    assert memory_saved(texts) == pytest.approx(4 / 9)
    assert memory_saved(texts[:1]) == 0.0
    assert memory_saved(text.fork() for text in texts[:1] * 4) == pytest.approx(3 / 4)


def test_equal_numbers_in_two_pools_are_no_sharing():
    assert memory_saved([parallel_sample(BlockPool(4), 2, 4, 1, 0)[0] for _ in range(2)]) == 0.0


def test_without_a_block_there_is_nothing_to_save():
    with pytest.raises(ValueError, match="0 blocks"):
        memory_saved([Sequence(BlockPool(1), 4)])
