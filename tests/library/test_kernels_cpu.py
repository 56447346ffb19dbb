"""Backends "batched" and "native" against float64, and what no backend may look at or touch."""

from contextlib import suppress

import pytest

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch
    from kernel_cases import LAYOUTS, NAN, SHAPES, STAGES, TOLERANCE, batch, contiguous_attention, error

    from paged.attention import attention_over

pytestmark = [
    pytest.mark.needs("torch"),
    pytest.mark.parametrize("backend", ["batched", pytest.param("native", marks=pytest.mark.needs("compiler"))]),
]


@pytest.fixture(autouse=True)
def one_thread():
    """Threads that wait for a busy machine's cores would take minutes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def attend(b, backend):
    return attention_over(b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.starts, b.scale, backend=backend)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("stage", ["decode", "prompt", "mixed"])
def test_every_shape_agrees_with_float64(backend, stage, dtype):
    dtype = getattr(torch, dtype)
    assert stage in STAGES
    for name, shape in SHAPES.items():
        b = batch(*shape, stage=stage, dtype=dtype)
        out = attend(b, backend)
        assert out.dtype == dtype
        assert error(out, b.expected) < TOLERANCE[dtype], name


def test_float64_stays_float64_or_is_refused(backend):
    b = batch(4, 16, 2, 2, stage="mixed", dtype=torch.float64)
    if backend == "batched":
        assert error(attend(b, backend), b.expected) < TOLERANCE[torch.float64]
    else:
        with pytest.raises(RuntimeError, match=r"knows float32, bfloat16, float16; q is torch\.float64: use 'batched'"):
            attend(b, backend)


def test_queries_in_float32_over_a_cache_in_half_precision(backend):
    b = batch(4, 40, 3, 2, stage="mixed", dtype=torch.float16)
    b.q = b.q.float()
    out = attend(b, backend)
    assert out.dtype == torch.float32
    assert error(out, b.expected) < 1e-5


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_how_k_and_v_lie_in_memory_does_not_matter(backend, dtype):
    for stage in STAGES:
        plain = attend(batch(4, 48, 3, 2, stage=stage, dtype=getattr(torch, dtype)), backend)
        for layout in LAYOUTS:
            moved = batch(4, 48, 3, 2, stage=stage, dtype=getattr(torch, dtype), layout=layout)
            assert layout == "contiguous" or not (moved.k_cache.is_contiguous() and moved.v_cache.is_contiguous())
            assert torch.equal(attend(moved, backend), plain), layout


def test_queries_need_not_be_contiguous(backend):
    b = batch(4, 24, 3, 2, stage="mixed")
    expected = attend(b, backend)
    wide = torch.full((len(b.q), 6, 3 * 24), NAN)
    wide[..., 24:48] = b.q
    b.q = wide[..., 24:48]
    assert torch.equal(attend(b, backend), expected)


@pytest.mark.parametrize("name", ["q", "k_cache", "v_cache"])
def test_a_tensor_may_be_negated_without_its_memory_knowing(backend, name):
    b = batch(4, 24, 3, 2, stage="mixed")
    expected = attend(b, backend)
    setattr(b, name, torch._neg_view(-getattr(b, name)))
    assert getattr(b, name).is_neg()
    assert torch.equal(attend(b, backend), expected)


def test_what_nobody_owns_does_not_change_one_bit(backend):
    for stage in STAGES:
        nans, large = (batch(16, 64, 4, 2, stage=stage, poison=poison) for poison in (NAN, 1e4))
        assert nans.k_cache[~nans.owned()].isnan().all()
        assert torch.equal(attend(nans, backend), attend(large, backend))


def test_where_blocks_lie_does_not_change_one_bit(backend):
    for stage in STAGES:
        here, there = (batch(4, 80, 3, 2, stage=stage, order_seed=seed) for seed in (0, 1))
        assert not torch.equal(here.block_tables, there.block_tables)
        assert torch.equal(attend(here, backend), attend(there, backend))


@pytest.mark.parametrize("factor", [300.0, -300.0])
def test_huge_scores_in_half_precision(backend, factor):
    """Products of hundreds times dozens of elements: infinite in float16, and e to the score in float32."""
    b = batch(16, 64, 5, 1, stage="mixed", dtype=torch.float16, q_factor=factor)
    assert b.q.abs().max() > 1000
    assert error(attend(b, backend), b.expected) < TOLERANCE[torch.float16]


def test_equal_scores_far_below_zero_share_the_weight(backend):
    """Case at-15: a scaled score of -46341 for each of two keys; a finite mask would let others win."""
    cache = torch.full((2, 4, 1, 128), NAN)
    cache[1, :2] = -64.0
    values = torch.full((2, 4, 1, 128), NAN)
    values[1, 0], values[1, 1] = 1.0, 3.0
    out = attention_over(torch.full((1, 1, 128), 64.0), cache, values, [[1]], [2], [0, 1], 128**-0.5, backend=backend)
    assert torch.equal(out, torch.full((1, 1, 128), 2.0))


def test_one_key_takes_all_and_the_rest_underflow(backend):
    """Position 70 scores 900, all others -900: the maximum grows by 1800 in the middle of the walk."""
    k, v = torch.full((1, 100, 1, 16), -15.0), torch.arange(100.0).reshape(1, 100, 1, 1).repeat(1, 1, 1, 16)
    k[0, 70] = 15.0
    out = attention_over(torch.full((1, 1, 16), 15.0), k, v, [[0]], [100], [0, 1], 0.25, backend=backend)
    assert torch.equal(out, torch.full((1, 1, 16), 70.0))


@pytest.mark.parametrize("num_requests", [0, 2])
def test_a_batch_without_queries_has_no_rows(backend, num_requests):
    cache = torch.zeros(4, 4, 2, 8)
    starts = [0] * (num_requests + 1)
    q = torch.empty(0, 4, 8)
    out = attention_over(q, cache, cache, [[0]] * num_requests, [3] * num_requests, starts, 1.0, backend=backend)
    assert out.shape == (0, 4, 8)


def test_requests_without_queries_add_no_rows(backend):
    b = batch(4, 16, 2, 2, stage="mixed")
    asks = b.starts.diff() > 0
    assert not asks.all()
    expected = attend(b, backend)
    b.block_tables, b.seq_lens = b.block_tables[asks], b.seq_lens[asks]
    b.starts = b.starts[torch.cat([torch.tensor([True]), asks])]
    assert torch.equal(attend(b, backend), expected)


def test_a_batch_does_not_change_what_one_request_gets(backend):
    b = batch(16, 64, 4, 2, stage="mixed")
    together = attend(b, backend)
    for i, table in enumerate(b.block_tables):
        rows = slice(*b.starts[i : i + 2].tolist())
        starts = [0, rows.stop - rows.start]
        alone = attention_over(
            b.q[rows], b.k_cache, b.v_cache, table[None], b.seq_lens[i : i + 1], starts, b.scale, backend=backend
        )
        assert error(alone, together[rows].double()) < 1e-6


def test_one_long_context_among_short_ones(backend):
    """More than the batched backend gathers at once, in groups of unlike length."""
    generator = torch.Generator().manual_seed(0)
    contexts = [5, 3000, 6, 2900, 11, 12]
    k, v = torch.randn(2, 400, 16, 4, 64, generator=generator)
    free = torch.randperm(400, generator=generator).tolist()
    tables = [[free.pop() for _ in range(-(-length // 16))] for length in contexts]
    q = torch.randn(6, 8, 64, generator=generator)
    out = attention_over(q, k, v, tables, contexts, range(7), 0.125, backend=backend)
    for i, (table, seq_len) in enumerate(zip(tables, contexts, strict=True)):
        keys, values = (cache[torch.tensor(table)].flatten(0, 1)[:seq_len] for cache in (k, v))
        assert error(out[i : i + 1], contiguous_attention(q[i : i + 1], keys, values, 0.125)) < 1e-5


@pytest.mark.parametrize("threads_of", ["torch", "the kernel"])
def test_one_thread_and_many_come_to_the_same(backend, threads_of, monkeypatch):
    """300 queries of 8 heads: work enough for several threads, and for those that the native kernel starts itself where
    torch's are not GNU OpenMP's."""
    if threads_of == "the kernel":
        monkeypatch.setattr("paged.kernels.native._team", lambda: 0)
    b = batch(64, 96, 4, 2, stage="prompt")
    for threads in (1, 2, 7):
        torch.set_num_threads(threads)
        assert error(attend(b, backend), b.expected) < 1e-5


def test_block_tables_may_lie_in_any_way_and_hold_anything_past_a_context(backend):
    b = batch(16, 64, 4, 2, stage="mixed")
    expected = attend(b, backend)
    junk = torch.tensor([10**9, -7], dtype=torch.int32).expand(len(b.block_tables), 2)
    wide = torch.cat([b.block_tables.where(b.block_tables >= 0, 10**6), junk], dim=1)
    for tables in (wide, wide.long(), wide.T.contiguous().T, torch.stack([wide, wide], dim=2)[..., 0]):
        b.block_tables = tables
        assert torch.equal(attend(b, backend), expected)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ([[2, 0], [1, -1]], r"blocks are 0\.\.3, the table has -1\.\.1"),
        ([[2, 0], [4, 1]], r"blocks are 0\.\.3, the table has 1\.\.4"),
        ([[2], [1]], "5 tokens need 2 blocks, the block table has 1"),
    ],
)
def test_a_table_that_names_no_block_is_refused_by_every_backend(backend, tables, said):
    q, cache = torch.zeros(2, 4, 16), torch.zeros(4, 4, 2, 16)
    for given in (tables, torch.tensor(tables), torch.tensor(tables, dtype=torch.int32)):
        with pytest.raises(ValueError, match=said):
            attention_over(q, cache, cache, given, [5, 5], [0, 1, 2], 1.0, backend=backend)


@pytest.mark.parametrize("scale", [0.0, -0.0, -0.7])
def test_a_scale_need_not_be_positive(backend, scale):
    for num_new, context in ((1, 9), (9, 9), (3, 9), (600, 600)):
        q, k, v = batch_of_one(num_new, context)
        assert error(attend_to_one(q, k, v, scale, backend), contiguous_attention(q, k, v, scale)) < 1e-5


@pytest.mark.parametrize("num_new", [2, 9, 300])
def test_a_key_that_is_nan_is_nan_for_those_that_see_it(backend, num_new):
    q, k, v = batch_of_one(num_new, num_new)
    k[-1, 0] = NAN
    out, expected = attend_to_one(q, k, v, 0.3, backend), contiguous_attention(q, k, v, 0.3)
    assert torch.equal(out.isnan(), expected.isnan()) and out.isnan().any(2).sum() == 2
    assert error(out[:-1], expected[:-1]) < 1e-5


@pytest.mark.parametrize("num_new", [1, 3, 9])
def test_a_query_none_of_whose_scores_is_a_number_gives_nan(backend, num_new):
    for spoil in range(3):
        q, k, v = batch_of_one(num_new, 9)
        (q[-1, 2], k[:, 1], k[0, 0])[spoil][:] = NAN
        out, expected = attend_to_one(q, k, v, 0.3, backend), contiguous_attention(q, k, v, 0.3)
        assert expected.isnan().any() and torch.equal(out.isnan(), expected.isnan())
    q, k, v = batch_of_one(num_new, 9)
    assert attend_to_one(q, k, v, NAN, backend).isnan().all()
    assert not attend_to_one(q, k, torch.zeros_like(v), 0.3, backend).any()


@pytest.mark.parametrize(
    ("num_new", "context"), [(256, 256), (300, 300), (512, 512), (700, 700), (600, 900), (257, 513)]
)
def test_long_prompts_and_chunks(backend, num_new, context):
    """About the sizes that the batched backend gives SDPA in parts."""
    q, k, v = batch_of_one(num_new, context)
    assert error(attend_to_one(q, k, v, 0.3, backend), contiguous_attention(q, k, v, 0.3)) < 1e-5


def batch_of_one(num_new, context):
    generator = torch.Generator().manual_seed(context)
    k, v = torch.randn(2, context, 2, 8, generator=generator)
    return torch.randn(num_new, 4, 8, generator=generator), k, v


def attend_to_one(q, k, v, scale, backend):
    """Blocks of one token, all in order."""
    tables, caches = [list(range(len(k)))], (x[:, None] for x in (k, v))
    return attention_over(q, *caches, tables, [len(k)], [0, len(q)], scale, backend=backend)


def test_inputs_are_left_alone_and_the_result_is_new(backend):
    b = batch(4, 16, 2, 2, stage="mixed")
    inputs = (b.q, b.k_cache, b.v_cache, b.block_tables, b.seq_lens, b.starts)
    before = [tensor.clone() for tensor in inputs]
    out = attend(b, backend)
    out.fill_(7.0)
    for now, then in zip(inputs, before, strict=True):
        assert torch.equal(now.nan_to_num(nan=-1.0), then.nan_to_num(nan=-1.0))
    assert error(attend(b, backend), b.expected) < 1e-5


def test_nan_that_a_request_owns_is_passed_on(backend):
    """An engine that computes NaN must see NaN, in that request's rows only."""
    b = batch(4, 16, 2, 2, stage="decode")
    b.k_cache[b.block_tables[3, 0], 0] = NAN
    out = attend(b, backend)
    assert out[3].isnan().all()
    assert not out[[0, 1, 2, 4, 5]].isnan().any()
