"""PagedKVCache: writes by slot, reads by table, block copies, and refusals that write nothing."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paged import BlockPool, Sequence

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch

    from paged import PagedKVCache

pytestmark = pytest.mark.needs("torch")


def numbered(n: int) -> "torch.Tensor":
    """[n, 1, 2] values that name their row: 1, 2, ..."""
    return torch.arange(1, n + 1, dtype=torch.float32).reshape(n, 1, 1).expand(n, 1, 2)


def small_cache(num_blocks: int = 4, block_size: int = 2, num_layers: int = 1) -> "PagedKVCache":
    return PagedKVCache(num_layers, num_blocks, block_size, num_kv_heads=1, head_dim=2)


def rows(stored: "torch.Tensor") -> list[float]:
    """First component of every slot, in slot order."""
    return stored[..., 0].flatten().tolist()


def test_shapes_dtype_and_zeros():
    kv = PagedKVCache(2, 3, 4, 5, 6, dtype=torch.bfloat16, device="cpu")
    assert len(kv.k) == len(kv.v) == 2
    for stored in (*kv.k, *kv.v):
        assert (stored.shape, stored.dtype, stored.device.type) == ((3, 4, 5, 6), torch.bfloat16, "cpu")
        assert not stored.any()
    assert len({stored.data_ptr() for stored in (*kv.k, *kv.v)}) == 4


def test_device_is_honoured():
    assert PagedKVCache(1, 2, 2, 1, 1, device="meta").k[0].device.type == "meta"


@pytest.mark.parametrize(
    "sizes", [(0, 1, 1, 1, 1), (1, 0, 1, 1, 1), (1, 1, 0, 1, 1), (1, 1, 1, -1, 1), (1, 1, 1, 1, 0)]
)
def test_every_size_is_at_least_one(sizes):
    with pytest.raises(ValueError, match="every size must be at least 1"):
        PagedKVCache(*sizes)


def test_write_goes_to_the_slots_of_one_layer():
    kv = small_cache(num_layers=2)
    kv.write(1, torch.tensor([5, 0, 2]), numbered(3), -numbered(3))
    assert rows(kv.k[1]) == [2, 0, 3, 0, 0, 1, 0, 0]
    assert rows(kv.v[1]) == [-2, 0, -3, 0, 0, -1, 0, 0]
    assert not kv.k[0].any() and not kv.v[0].any()


def test_padding_slots_are_skipped():
    kv = small_cache()
    kv.write(0, [-1, 3, -1, 0], numbered(4), numbered(4))
    assert rows(kv.k[0]) == rows(kv.v[0]) == [4, 0, 0, 2, 0, 0, 0, 0]
    kv.write(0, torch.tensor([-1], dtype=torch.int32), numbered(1), numbered(1))
    assert rows(kv.k[0]) == [4, 0, 0, 2, 0, 0, 0, 0]


def test_writing_nothing_is_allowed():
    kv = small_cache()
    kv.write(0, [], numbered(0), numbered(0))
    assert not kv.k[0].any()


def test_strided_new_values_are_written_right():
    kv = small_cache()
    kv.write(0, [0, 1], torch.arange(8.0).reshape(4, 1, 2)[::2], numbered(2).transpose(0, 1).transpose(0, 1))
    assert kv.k[0][0].tolist() == [[[0, 1]], [[4, 5]]]
    assert rows(kv.v[0])[:2] == [1, 2]


@pytest.mark.parametrize(
    ("slots", "k_shape", "v_shape", "message"),
    [
        ([0, 8], (2, 1, 2), (2, 1, 2), r"slots must be -1 or 0\.\.7, got 0\.\.8"),
        ([-2, 1], (2, 1, 2), (2, 1, 2), r"slots must be -1 or 0\.\.7, got -2\.\.1"),
        ([0, 1], (3, 1, 2), (2, 1, 2), r"k must be \[2, 1, 2\], got \[3, 1, 2\]"),
        ([0, 1], (2, 1, 2), (2, 2, 2), r"v must be \[2, 1, 2\], got \[2, 2, 2\]"),
        ([0, 1], (2, 1, 2), (2, 1), r"v must be \[2, 1, 2\], got \[2, 1\]"),
        ([0, 1], (2, 1, 2), (1, 1, 2), r"v must be \[2, 1, 2\], got \[1, 1, 2\]"),
        ([[0, 1]], (2, 1, 2), (2, 1, 2), r"slot_mapping must be \[N\], got \[1, 2\]"),
        ([0.0, 1.0], (2, 1, 2), (2, 1, 2), "slot_mapping must hold integers, got torch.float32"),
        ([True, False], (2, 1, 2), (2, 1, 2), "slot_mapping must hold integers, got torch.bool"),
    ],
)
def test_a_refused_write_writes_nothing(slots, k_shape, v_shape, message):
    kv = small_cache()
    with pytest.raises(ValueError, match=message):
        kv.write(0, slots, torch.ones(k_shape), torch.ones(v_shape))
    assert not kv.k[0].any() and not kv.v[0].any()


@pytest.mark.parametrize("layer", [2, -1])
def test_a_layer_that_the_cache_does_not_have_is_refused_by_number(layer):
    kv = PagedKVCache(2, 4, 2, 1, 2)
    for call in (
        lambda: kv.layer(layer),
        lambda: kv.write(layer, [0], torch.ones(1, 1, 2), torch.ones(1, 1, 2)),
        lambda: kv.gather(layer, [0], 1),
    ):
        with pytest.raises(ValueError, match=rf"layers are 0\.\.1, got {layer}"):
            call()
    assert not any(stored.any() for stored in (*kv.k, *kv.v))


def test_another_dtype_or_device_is_refused_before_k_is_written():
    kv = small_cache()
    with pytest.raises(ValueError, match=r"v must be torch.float32 on cpu, got torch.float16 on cpu"):
        kv.write(0, [0], numbered(1), numbered(1).half())
    with pytest.raises(ValueError, match=r"v must be torch.float32 on cpu, got torch.float32 on meta"):
        kv.write(0, [0], numbered(1), numbered(1).to("meta"))
    assert not kv.k[0].any()


def test_gather_follows_the_table_and_cuts_the_last_block():
    kv = small_cache()
    kv.write(0, range(8), numbered(8), -numbered(8))
    k, v = kv.gather(0, [3, 0, 2], 5)
    assert k.shape == v.shape == (5, 1, 2)
    assert rows(k) == [7, 8, 1, 2, 5]
    assert rows(v) == [-7, -8, -1, -2, -5]


@pytest.mark.parametrize("as_tensor", [False, True])
def test_gather_looks_at_no_entry_past_the_context(as_tensor):
    kv = small_cache()
    kv.write(0, range(8), numbered(8), numbered(8))
    table = [1, -1, 99]
    k, _ = kv.gather(0, torch.tensor(table, dtype=torch.int32) if as_tensor else table, 1)
    assert rows(k) == [3]


@pytest.mark.parametrize("table", [[], [2], [-1, -1]])
def test_a_context_of_zero_tokens_is_empty(table):
    k, v = small_cache().gather(0, table, 0)
    assert k.shape == v.shape == (0, 1, 2)


def test_gather_gives_copies():
    kv = small_cache()
    for gathered in kv.gather(0, [0, 1], 3):
        gathered.fill_(1)
    assert not kv.k[0].any() and not kv.v[0].any()


@pytest.mark.parametrize(
    ("table", "seq_len", "message"),
    [
        ([0, 1], 5, "5 tokens need 3 blocks, the block table has 2"),
        ([], 1, "1 tokens need 1 blocks, the block table has 0"),
        ([0, -1], 3, r"blocks are 0\.\.3, the table has -1\.\.0"),
        ([4], 1, r"blocks are 0\.\.3, the table has 4\.\.4"),
        ([0], -1, "seq_len must not be negative, got -1"),
    ],
)
def test_a_table_that_does_not_hold_the_context_is_refused(table, seq_len, message):
    with pytest.raises(ValueError, match=message):
        small_cache().gather(0, table, seq_len)


def test_a_slice_of_one_big_allocation_works_like_a_tensor_of_its_own():
    """Case b-62: K and V interleaved, [pages, 2, page, heads, dim]."""
    big = torch.zeros(4, 2, 2, 1, 2)
    kv, plain = small_cache(), small_cache()
    kv.k[0], kv.v[0] = big[:, 0], big[:, 1]
    for cache in (kv, plain):
        cache.write(0, [7, -1, 2, 4], numbered(4), -numbered(4))
        cache.copy_blocks([(3, 0)])
    assert torch.equal(kv.k[0], plain.k[0]) and torch.equal(kv.v[0], plain.v[0])
    for gathered, expected in zip(kv.gather(0, [3, 1], 3), plain.gather(0, [3, 1], 3), strict=True):
        assert torch.equal(gathered, expected)
    assert rows(big[:, 0]) == [0, 1, 3, 0, 4, 0, 0, 1]
    assert rows(big[:, 1]) == [0, -1, -3, 0, -4, 0, 0, -1]


@pytest.mark.parametrize(
    ("copies", "contents"),
    [
        ([], [1, 2, 3, 4]),
        ([(0, 1), (1, 2)], [1, 1, 1, 4]),
        ([(1, 2), (0, 1)], [1, 1, 2, 4]),
        ([(0, 1), (2, 1)], [1, 3, 3, 4]),
        ([(0, 3), (1, 0), (3, 1)], [2, 1, 3, 1]),
        ([(2, 2), (2, 0)], [3, 2, 3, 4]),
        ([(0, 1), (0, 1)], [1, 1, 3, 4]),
    ],
)
@pytest.mark.parametrize("as_tensor", [False, True])
def test_copies_run_in_order_in_all_layers(copies, contents, as_tensor):
    kv = small_cache(block_size=1, num_layers=2)
    for layer in range(2):
        kv.write(layer, range(4), numbered(4) + layer, -numbered(4) - layer)
    kv.copy_blocks(torch.tensor(copies).reshape(-1, 2).long() if as_tensor else copies)
    for layer in range(2):
        assert rows(kv.k[layer]) == [value + layer for value in contents]
        assert rows(kv.v[layer]) == [-value - layer for value in contents]


@pytest.mark.parametrize("pair", [(0, 4), (4, 0), (-1, 0), (0, -1), (0, 1, 2)])
def test_a_refused_copy_copies_nothing(pair):
    kv = small_cache(block_size=1)
    kv.write(0, range(4), numbered(4), numbered(4))
    with pytest.raises(ValueError):
        kv.copy_blocks([(0, 1), pair])
    assert rows(kv.k[0]) == [1, 2, 3, 4]


def test_three_forks_read_the_same_prompt_and_their_own_token():
    """Case cow-11."""
    pool, kv = BlockPool(8), small_cache(num_blocks=8, block_size=4)
    first = Sequence(pool, 4)
    first.append(5)
    kv.write(0, first.slot_mapping(range(5)), numbered(5), numbered(5))
    answers = [first, first.fork(), first.fork()]
    for answer in answers:
        answer.append(1)
    kv.copy_blocks(pool.copies)
    pool.copies.clear()
    for answer, token in zip(answers, (60.0, 70.0, 80.0), strict=True):
        kv.write(0, answer.slot_mapping([5]), torch.full((1, 1, 2), token), torch.full((1, 1, 2), -token))
    read = [kv.gather(0, answer.block_table, 6) for answer in answers]
    assert [rows(k) for k, _ in read] == [[1, 2, 3, 4, 5, 60], [1, 2, 3, 4, 5, 70], [1, 2, 3, 4, 5, 80]]
    assert [rows(v)[5] for _, v in read] == [-60, -70, -80]


steps = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(["fork", "free"]), st.integers(0, 5)), max_size=2),
        st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), max_size=4),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None, database=None)
@given(st.integers(1, 4), steps)
def test_every_sequence_reads_back_its_own_history_after_any_steps(block_size, program):
    """A step: forks and frees, then appends, then the copies, then the writes. Histories are plain Python lists."""
    pool, kv = BlockPool(24), small_cache(num_blocks=24, block_size=block_size)
    histories = [(Sequence(pool, block_size), [])]
    token = 0
    for changes, appends in program:
        for kind, choice in changes:
            sequence, history = histories[choice % len(histories)]
            if kind == "fork":
                histories.append((sequence.fork(), list(history)))
            else:
                sequence.free()
                history.clear()
        slots, written = [], []
        for choice, n in appends:
            sequence, history = histories[choice % len(histories)]
            start = sequence.num_tokens
            with suppress(MemoryError):
                sequence.append(n)
            new = range(start, sequence.num_tokens)
            tokens = [float(token + k) for k in range(len(new))]
            token += len(new)
            history += tokens
            written += tokens
            slots += sequence.slot_mapping(new)
        kv.copy_blocks(pool.copies)
        pool.copies.clear()
        values = torch.tensor(written).reshape(-1, 1, 1).expand(-1, 1, 2)
        kv.write(0, slots, values, -values)
        for sequence, history in histories:
            k, v = kv.gather(0, sequence.block_table, sequence.num_tokens)
            assert rows(k) == history
            assert rows(v) == [-value for value in history]
