"""paged_attention against attention over contiguous K/V in float64, one query row and one head at a time."""

from contextlib import suppress
from random import Random

import pytest

from paged import BlockPool, slot_mapping_for

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch

    from paged import PagedKVCache, attention, paged_attention

pytestmark = pytest.mark.needs("torch")

NAN = float("nan")


def contiguous_attention(q, ks, vs, query_lens, scale):
    """The oracle: ks[i], vs[i] are [S, num_kv_heads, D] in order; softmax written out, float64 throughout."""
    out, row = [], 0
    for k, v, num_new in zip(ks, vs, query_lens, strict=True):
        heads_per_kv_head = q.shape[1] // k.shape[1]
        for j in range(num_new):
            sees = len(k) - num_new + j + 1
            for head in range(q.shape[1]):
                keys, values = (x[:sees, head // heads_per_kv_head].double() for x in (k, v))
                scores = (keys * q[row, head].double()).sum(-1) * scale
                weights = (scores - scores.max()).exp()
                out.append((weights[:, None] * values).sum(0) / weights.sum())
            row += 1
    return torch.stack(out).reshape(q.shape) if out else q.double()


def poisoned_cache(num_blocks, block_size, num_kv_heads, head_dim, dtype=None):
    """Every slot is NaN until it is written: whatever nobody owns must never reach an output."""
    kv = PagedKVCache(1, num_blocks, block_size, num_kv_heads, head_dim, dtype=dtype or torch.float32)
    kv.k[0].fill_(NAN)
    kv.v[0].fill_(NAN)
    return kv


class Batch:
    """Requests with scattered blocks in a poisoned cache."""

    def __init__(self, seq_lens, query_lens, heads, kv_heads, head_dim, block_size, dtype=None, seed=0):
        generator = torch.Generator().manual_seed(seed)
        num_blocks = sum(-(-s // block_size) for s in seq_lens) + 3
        order = Random(seed).sample(range(num_blocks), num_blocks)
        self.kv = poisoned_cache(num_blocks, block_size, kv_heads, head_dim, dtype)
        self.seq_lens, self.query_lens, self.scale = seq_lens, query_lens, head_dim**-0.5
        self.tables, self.ks, self.vs = [], [], []
        for seq_len in seq_lens:
            table = [order.pop() for _ in range(-(-seq_len // block_size))]
            k, v = torch.randn(2, seq_len, kv_heads, head_dim, generator=generator).to(self.kv.k[0].dtype)
            self.kv.write(0, slot_mapping_for(table, range(seq_len), block_size), k, v)
            self.tables.append(table)
            self.ks.append(k)
            self.vs.append(v)
        self.q = torch.randn(sum(query_lens), heads, head_dim, generator=generator).to(self.kv.k[0].dtype)
        self.starts = [sum(query_lens[:i]) for i in range(len(query_lens) + 1)]

    def run(self, kv=None, tables=None):
        return paged_attention(
            self.q, kv or self.kv, 0, self.tables if tables is None else tables, self.seq_lens, self.starts, self.scale
        )

    def oracle(self):
        return contiguous_attention(self.q, self.ks, self.vs, self.query_lens, self.scale)


def assert_close(found, expected, tolerance=1e-5):
    assert found.shape == expected.shape
    worst = (found.double() - expected.double()).abs().max().item() if found.numel() else 0.0
    assert worst < tolerance, f"largest error {worst:.1e}"


def test_handbook_batch():
    """Decode, whole prompt and second half of a chunked prefill, blocks handed out in turn."""
    seq_lens, query_lens, block_size = [37, 5, 20], [1, 5, 8], 4
    pool = BlockPool(32)
    tables = [[], [], []]
    while any(len(table) * block_size < seq_len for table, seq_len in zip(tables, seq_lens, strict=True)):
        for table, seq_len in zip(tables, seq_lens, strict=True):
            if len(table) * block_size < seq_len:
                table += pool.allocate(1)
    assert tables == [[0, 3, 6, 8, 10, 12, 13, 14, 15, 16], [1, 4], [2, 5, 7, 9, 11]]
    torch.manual_seed(0)
    kv = poisoned_cache(32, block_size, num_kv_heads=2, head_dim=64)
    ks = [torch.randn(seq_len, 2, 64) for seq_len in seq_lens]
    vs = [torch.randn(seq_len, 2, 64) for seq_len in seq_lens]
    for table, k, v in zip(tables, ks, vs, strict=True):
        kv.write(0, torch.tensor(slot_mapping_for(table, range(len(k)), block_size)), k, v)
    q = torch.randn(14, 8, 64)
    out = paged_attention(q, kv, 0, tables, seq_lens, [0, 1, 6, 14], scale=64**-0.5)
    assert_close(out, contiguous_attention(q, ks, vs, query_lens, 64**-0.5))


@pytest.mark.parametrize(
    ("seq_lens", "query_lens", "heads", "kv_heads", "block_size"),
    [
        ([1], [1], 1, 1, 16),
        ([1, 1, 1], [1, 0, 1], 4, 2, 1),
        ([16, 17, 15], [16, 1, 2], 4, 4, 16),
        ([5, 9, 0, 12], [5, 0, 0, 3], 8, 2, 4),
        ([33, 2], [20, 2], 6, 3, 8),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_any_batch_equals_contiguous_attention(seq_lens, query_lens, heads, kv_heads, block_size, seed):
    batch = Batch(seq_lens, query_lens, heads, kv_heads, 16, block_size, seed=seed)
    assert_close(batch.run(), batch.oracle())


@pytest.mark.parametrize("heads_per_kv_head", [5, 7])
@pytest.mark.parametrize("context", [0, 15, 16, 17])
def test_odd_group_sizes(heads_per_kv_head, context):
    """Cases at-20 and b-65: query lengths 1 to 7 behind contexts around a block's edge."""
    query_lens = list(range(1, 8))
    batch = Batch([context + n for n in query_lens], query_lens, 2 * heads_per_kv_head, 2, 8, 16)
    assert_close(batch.run(), batch.oracle())


def test_28_query_heads_on_4_kv_heads():
    """Case b-65."""
    batch = Batch([40, 9], [12, 9], 28, 4, 16, 16)
    assert_close(batch.run(), batch.oracle())


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 2e-3), ("bfloat16", 2e-2), ("float64", 1e-12)])
def test_dtypes_round_once_at_the_end(dtype, tolerance):
    """Half precisions are computed in float32, float64 stays float64."""
    batch = Batch([37, 6], [4, 6], 4, 2, 32, 4, dtype=getattr(torch, dtype))
    out = batch.run()
    assert out.dtype == getattr(torch, dtype)
    assert_close(out, batch.oracle(), tolerance)


def test_a_full_table_row_is_enough():
    """Case at-11: 4 columns of 32 for exactly 128 tokens, 99 of them queries; then a tensor that is wider."""
    batch = Batch([128], [99], 2, 1, 8, 32)
    assert len(batch.tables[0]) == 4
    assert_close(batch.run(), batch.oracle())
    wider = torch.tensor([[*batch.tables[0], -1, -1]], dtype=torch.int32)
    assert torch.equal(batch.run(tables=wider[:, :4]), batch.run(tables=wider))


@pytest.mark.parametrize(("batch_size", "length", "kv_heads"), [(3, 1025, 32), (5, 1027, 8)])
def test_page_1_and_page_16_over_the_same_memory(batch_size, length, kv_heads):
    """Case at-08."""
    batch = Batch([length] * batch_size, [1] * batch_size, 32, kv_heads, 16, 16)
    num_blocks = batch.kv.num_blocks
    tokens = poisoned_cache(num_blocks * 16, 1, kv_heads, 16)
    tokens.k[0] = batch.kv.k[0].view(num_blocks * 16, 1, kv_heads, 16)
    tokens.v[0] = batch.kv.v[0].view(num_blocks * 16, 1, kv_heads, 16)
    tables = [slot_mapping_for(table, range(length), 16) for table in batch.tables]
    assert torch.equal(batch.run(kv=tokens, tables=tables), batch.run())


def test_a_layers_view_of_one_tensor_is_bit_equal_to_its_copy():
    """Case at-09: [pages, layers, page, heads, dim], page stride three times the page."""
    batch = Batch([21, 9], [3, 9], 4, 2, 8, 4)
    expected = batch.run()
    for stored in (batch.kv.k, batch.kv.v):
        every_layer = torch.full((len(stored[0]), 3, *stored[0].shape[1:]), NAN)
        every_layer[:, 1] = stored[0]
        stored[0] = every_layer[:, 1]
        assert not stored[0].is_contiguous()
    assert torch.equal(batch.run(), expected)


def test_three_tokens_in_a_cache_of_nan():
    """Case b-10."""
    batch = Batch([3], [1], 2, 1, 8, 16)
    assert batch.kv.k[0].isnan().sum() == batch.kv.k[0].numel() - 3 * 8
    assert_close(batch.run(), batch.oracle())


def test_what_lies_past_the_context_does_not_change_one_bit():
    """Case b-13."""
    batch = Batch([18, 5], [2, 5], 4, 2, 8, 16)
    expected = batch.run()
    for stored in (batch.kv.k[0], batch.kv.v[0]):
        unowned = stored.isnan()
        assert unowned.any()
        stored[unowned] = torch.randn(int(unowned.sum())) * 1e4
    assert torch.equal(batch.run(), expected)


def test_a_context_shorter_than_one_block():
    """Case b-47: 64 tokens in a block of 128."""
    batch = Batch([64], [64], 2, 2, 8, 128)
    assert_close(batch.run(), batch.oracle())


def test_physical_placement_does_not_change_one_bit():
    """Case b-48."""
    batch = Batch([37, 20], [1, 8], 4, 2, 8, 4)
    expected = batch.run()
    permutation = torch.randperm(batch.kv.num_blocks, generator=torch.Generator().manual_seed(1))
    moved = poisoned_cache(batch.kv.num_blocks, 4, 2, 8)
    moved.k[0][permutation] = batch.kv.k[0]
    moved.v[0][permutation] = batch.kv.v[0]
    tables = [permutation[torch.tensor(table)] for table in batch.tables]
    assert torch.equal(batch.run(kv=moved, tables=tables), expected)


def test_very_low_equal_scores_share_the_weight():
    """Case at-04: 16 keys with a score of -1000 each have a weight of 1/16."""
    kv = poisoned_cache(4, 8, 1, 16)
    kv.write(0, range(16), torch.full((16, 1, 16), -10.0), torch.eye(16).unsqueeze(1))
    q = torch.full((1, 1, 16), 25.0)
    out = paged_attention(q, kv, 0, [[0, 1]], [16], [0, 1], scale=0.25)
    assert torch.equal(out, torch.full((1, 1, 16), 1 / 16))


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_scores_far_below_zero_still_add_up_to_one(dtype):
    """Case at-15: two keys with a scaled score of -46341."""
    kv = poisoned_cache(2, 4, 1, 128, getattr(torch, dtype))
    k, v = torch.full((2, 1, 128), -64.0), torch.ones(2, 1, 128)
    kv.write(0, [0, 1], k.to(kv.k[0].dtype), v.to(kv.k[0].dtype))
    q = torch.full((2, 1, 128), 64.0, dtype=kv.k[0].dtype)
    out = paged_attention(q, kv, 0, [[0]], [2], [0, 2], scale=128**-0.5)
    assert torch.equal(out, torch.ones_like(q))


def test_no_score_is_so_low_that_a_masked_key_wins():
    """Scores of -524288: a finite mask such as -5e4 (bug b-55) would hand the first row to the token after it."""
    kv = poisoned_cache(2, 4, 1, 128)
    kv.write(0, [0, 1], torch.full((2, 1, 128), -64.0), torch.tensor([1.0, 2.0]).reshape(2, 1, 1).expand(2, 1, 128))
    out = paged_attention(torch.full((2, 1, 128), 64.0), kv, 0, [[0]], [2], [0, 2], scale=1.0)
    assert out[:, 0, 0].tolist() == [1.0, 1.5]


def test_half_precision_scores_do_not_overflow():
    """Case b-74: 30 * 30 * 128 = 115200 is infinite in float16."""
    kv = poisoned_cache(2, 4, 1, 128, torch.float16)
    k = torch.full((3, 1, 128), 30.0, dtype=torch.float16)
    kv.write(0, [0, 1, 2], k, torch.arange(3, dtype=torch.float16).reshape(3, 1, 1).expand(3, 1, 128))
    out = paged_attention(k[:1], kv, 0, [[0]], [3], [0, 1], scale=128**-0.5)
    assert torch.equal(out, torch.ones_like(out))


@pytest.mark.parametrize("num_requests", [0, 2])
def test_a_batch_without_queries_has_no_rows(num_requests):
    """Case b-57."""
    kv = poisoned_cache(4, 4, 2, 8)
    starts = [0] * (num_requests + 1)
    out = paged_attention(torch.empty(0, 4, 8), kv, 0, [[0]] * num_requests, [3] * num_requests, starts, 1.0)
    assert out.shape == (0, 4, 8)


def test_requests_without_queries_add_no_rows():
    with_idle = Batch([9, 6], [4, 6], 4, 2, 8, 4)
    expected = with_idle.run()
    with_idle.tables = [[], with_idle.tables[0], [0, 1], with_idle.tables[1], []]
    with_idle.seq_lens, with_idle.starts = [0, 9, 7, 6, 0], [0, 0, 4, 4, 10, 10]
    assert torch.equal(with_idle.run(), expected)


def test_tensors_and_lists_mean_the_same():
    batch = Batch([9, 6], [4, 6], 4, 2, 8, 4)
    expected = batch.run()
    widest = max(len(table) for table in batch.tables)
    batch.tables = torch.tensor([table + [-1] * (widest - len(table)) for table in batch.tables], dtype=torch.int32)
    batch.seq_lens = torch.tensor(batch.seq_lens, dtype=torch.int32)
    batch.starts = torch.tensor(batch.starts)
    assert torch.equal(batch.run(), expected)


def test_a_backend_gets_tables_cut_to_the_context(monkeypatch):
    def spy(q, k_cache, v_cache, tables, seq_lens, starts, scale):
        return tables, seq_lens, starts

    monkeypatch.setitem(attention.BACKENDS, "spy", spy)
    table = torch.tensor([[5, 1, -1], [2, -1, -1]], dtype=torch.int32)
    kv = poisoned_cache(8, 4, 1, 8)
    starts = torch.tensor([0, 1, 3])
    for given in (table, table.to(torch.int16), [[5, 1], [2]]):
        tables, *lists = paged_attention(
            torch.zeros(3, 1, 8), kv, 0, given, torch.tensor([5, 4]), starts, 1.0, backend="spy"
        )
        assert tables.tolist() == [[5, 1], [2, 0]]
        assert tables.dtype in attention.INTEGERS
        assert lists == [[5, 4], [0, 1, 3]]


def test_a_layer_is_its_two_tensors():
    """K and V of layer 1 given by hand; layer 0 stays NaN and is never looked at."""
    batch = Batch([9, 6], [4, 6], 4, 2, 8, 4)
    expected = batch.run()
    k_cache, v_cache = batch.kv.k[0], batch.kv.v[0]
    lists = (batch.tables, batch.seq_lens, batch.starts, batch.scale)
    assert torch.equal(attention.attention_over(batch.q, k_cache, v_cache, *lists), expected)
    two_layers = PagedKVCache(2, *k_cache.shape)
    two_layers.k = [torch.full_like(k_cache, NAN), k_cache]
    two_layers.v = [torch.full_like(v_cache, NAN), v_cache]
    assert torch.equal(paged_attention(batch.q, two_layers, 1, *lists), expected)


def test_k_and_v_of_different_shapes_are_refused():
    k_cache, v_cache = torch.zeros(2, 4, 1, 8), torch.zeros(3, 4, 1, 8)
    with pytest.raises(ValueError, match=r"K is \[2, 4, 1, 8\], but V is \[3, 4, 1, 8\]"):
        attention.attention_over(torch.zeros(1, 1, 8), k_cache, v_cache, [[0]], [1], [0, 1], 1.0)


def test_inputs_are_left_alone():
    batch = Batch([9, 6], [4, 6], 4, 2, 8, 4)
    before = [tensor.clone() for tensor in (batch.q, batch.kv.k[0], batch.kv.v[0])]
    batch.run()
    for now, then in zip((batch.q, batch.kv.k[0], batch.kv.v[0]), before, strict=True):
        assert torch.equal(now.nan_to_num(), then.nan_to_num())


def refused(message, **changes):
    """A batch of two requests of 6 tokens, 2 + 3 queries, with something changed, must be refused."""
    arguments = {
        "q": torch.zeros(5, 4, 8),
        "kv": PagedKVCache(1, 8, 4, 2, 8),
        "layer": 0,
        "block_tables": [[0, 1], [2, 3]],
        "seq_lens": [6, 6],
        "query_start_loc": [0, 2, 5],
        "scale": 1.0,
    }
    paged_attention(**arguments)
    with pytest.raises(ValueError, match=message):
        paged_attention(**(arguments | changes))


def test_an_unknown_backend_is_refused_and_the_known_ones_named():
    refused("unknown backend 'cuda', there are: reference", backend="cuda")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seq_lens": [6, 2]}, "request 1 has 3 queries, but its context is 2 tokens"),
        ({"seq_lens": [6]}, "2 requests need as many seq_lens, got 1"),
        ({"seq_lens": [6, 9]}, "9 tokens need 3 blocks, the block table has 2"),
        ({"seq_lens": [-6, 6], "query_start_loc": [0, 0, 5]}, "request 0 has 0 queries, but its context is -6 tokens"),
        ({"block_tables": [[0, 1], [2, -1]]}, r"blocks are 0\.\.7, the table has -1\.\.2"),
        ({"block_tables": [[0, 1], [2, 8]]}, r"blocks are 0\.\.7, the table has 2\.\.8"),
        ({"block_tables": [[0, 1]]}, "1 requests need 2 entries of query_start_loc"),
        ({"query_start_loc": [0, 5]}, "2 requests need 3 entries of query_start_loc"),
        ({"query_start_loc": [0, 2, 4]}, "must rise from 0 to the number of tokens, 5"),
        ({"query_start_loc": [1, 2, 5]}, "must rise from 0"),
        ({"query_start_loc": [0, 6, 5]}, "must rise from 0"),
        ({"layer": 1}, r"layers are 0\.\.0, got 1"),
        ({"layer": -1}, r"layers are 0\.\.0, got -1"),
    ],
)
def test_batches_that_do_not_add_up_are_refused(changes, message):
    """Cases at-17 and b-59 among them: no table is read past its end."""
    refused(message, **changes)
    tables = changes.get("block_tables", [[0, 1], [2, 3]])
    refused(message, **changes | {"block_tables": torch.tensor(tables, dtype=torch.int32)})


def test_one_column_of_256_does_not_hold_257_tokens():
    """Case b-59."""
    kv = PagedKVCache(1, 1, 256, 1, 1)
    with pytest.raises(ValueError, match="257 tokens need 2 blocks, the block table has 1"):
        paged_attention(torch.zeros(1, 1, 1), kv, 0, [[0]], [257], [0, 1], 1.0)


def test_heads_that_do_not_fit_are_refused():
    refused("5 query heads are no multiple of 2 KV heads", q=torch.zeros(5, 5, 8))
    refused("1 query heads are no multiple of 2 KV heads", q=torch.zeros(5, 1, 8))
    refused(r"q must be \[N, num_heads, 8\], got \[5, 4, 16\]", q=torch.zeros(5, 4, 16))
    refused(r"q must be \[N, num_heads, 8\], got \[5, 32\]", q=torch.zeros(5, 32))
