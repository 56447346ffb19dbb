"""Batches with a paged cache, as plans describe them: who asks, where tokens lie, and what belongs to nobody."""

import pytest

pytestmark = pytest.mark.needs("torch")  # numpy comes with it


@pytest.fixture(scope="module")
def batch():
    """batch(*requests, **choices): of a plan by hand."""
    from practice.judging.paged_inputs import Batch
    from practice.judging.paged_runs import plan_of

    return lambda *requests, **choices: Batch(plan_of(*requests, **choices))


def drawn(kind, pick=0, amount=0, **choices):
    """The batch of one drawn step, blocks of 4."""
    from practice.judging import Op, Plan
    from practice.judging.paged_inputs import Batch
    from practice.judging.paged_runs import plan_of

    return Batch(Plan(plan_of(**choices).choices, [Op(kind, pick, amount)]))


def test_a_request_by_hand_asks_with_its_last_token_or_with_as_many_as_are_said(batch):
    made = batch(5, (6, 6), (300, 0), (9, 2))
    assert made.seq_lens == [5, 6, 300, 9]
    assert made.queries == [1, 6, 0, 2]
    assert made.query_start_loc().tolist() == [0, 1, 7, 7, 9]
    assert made.arrays()[0].shape == (9, 1, 16)


def test_more_queries_than_context_are_no_request(batch):
    with pytest.raises(ValueError, match="3 queries of a context of 2"):
        batch((2, 3))


def test_tables_name_each_block_once_and_are_filled_up(batch):
    """Three blocks and one to spare, in an order of their own, so that block 0 is in use."""
    assert batch(5, 3).block_tables().tolist() == [[3, 2], [1, -1]]
    assert batch(5, 3, wide=2).block_tables().tolist() == [[3, 2, -1, -1], [1, -1, -1, -1]]
    assert sorted(batch(5, 3, order=1, spare=0).block_tables().flatten().tolist()) == [-1, 0, 1, 2]


def test_only_tokens_have_an_owner(batch):
    made = batch(5, 3)
    count = made.owned()[..., 0, 0]
    assert count.tolist() == [[0, 0, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
    k = made.arrays()[1]
    assert (k[count == 0] == 1e4).all() and (k[count == 1] != 1e4).all()


def test_a_sibling_owns_full_blocks_together_with_the_request_before_it():
    from practice.judging import Op, Plan
    from practice.judging.paged_inputs import Batch
    from practice.judging.paged_runs import plan_of

    made = Batch(Plan(plan_of().choices, [Op("exactly", 6, 0), Op("sibling", 1, 0)]))
    assert made.seq_lens == [6, 6]
    first, second = made.block_tables().tolist()
    assert first[0] == second[0] and first[1] != second[1]
    assert made.owned()[first[0], :, 0, 0].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("kind", "seq_lens", "queries", "tables"),
    [
        ("request", [5], [1], (1, 2)),
        ("prompt", [5], [5], (1, 2)),
        ("chunk", [5], [3], (1, 2)),
        ("silent", [2], [0], (1, 1)),
        ("hollow", [0], [1], (1, 0)),
        ("nobody", [], [], (0, 0)),
    ],
)
def test_the_kinds_of_a_step(kind, seq_lens, queries, tables):
    made = drawn(kind, pick=2, amount=2)
    assert (made.seq_lens, made.queries) == (seq_lens, queries)
    assert made.block_tables().shape == tables


def test_a_batch_of_nobody_has_a_pool_all_the_same():
    made = drawn("nobody", spare=0)
    assert made.num_blocks == 1
    assert made.query_start_loc().tolist() == [0]
    assert [array.shape[0] for array in made.arrays()] == [0, 1, 1, 1, 1]


def test_blocks_of_a_huge_cache_begin_past_two_to_the_31_elements_whatever_their_size(batch):
    made = batch(5, memory="huge", spare=0)
    assert made.block_tables().tolist() == [[2**25 + 3, 2**25]]
    assert [layout["at"] for layout in made.layouts()] == [[2**25, 2**25 + 3]] * 2
    for sizes in ({"head_dim": 80}, {"block_size": 1}, {"block_size": 272, "kv_heads": 2}):
        made = batch(5, memory="huge", **sizes)
        elements = made.shape[1] * made.shape[2] * made.shape[3]
        assert 2**31 <= made.huge(0) * elements < 2**31 + elements
        assert all(layout["shape"][0] == made.huge(made.num_blocks - 1) + 1 for layout in made.layouts())


def test_steps_are_cut_at_then_and_each_has_its_own_order_of_blocks():
    from practice.judging.paged_inputs import Batch
    from practice.judging.paged_runs import plan_of, steps

    first, second = steps(plan_of(5, "then", (6, 2), 7, order=2))
    assert (Batch(first).seq_lens, Batch(second).seq_lens, Batch(second).queries) == ([5], [6, 7], [2, 1])
    assert (first.order, second.order) == (2, 3)


def test_layouts_differ_between_k_and_v_and_leave_room(batch):
    strides = [layout["strides"] for layout in batch(5, memory="padded", kv_heads=2).layouts()]
    assert strides == [[4 * 2 * 16 + 8, 32, 16, 1], [4 * 2 * 24 + 24, 48, 24, 1]]
    assert [layout["strides"] for layout in batch(5, memory="heads", kv_heads=2).layouts()] == [[128, 16, 64, 1]] * 2
    assert list(batch(5).layouts()) == [None, None]
