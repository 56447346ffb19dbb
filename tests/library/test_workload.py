"""Workloads and their waste: the handbook's figures, the Azure traces' figures, and CSV files good and bad."""

import pytest

from paged import traces, workload

CONVERSATION = {16: 99.46, 64: 97.79, 256: 91.98}  # measured on all 19,366 requests of the trace
CODE = {16: 99.63, 64: 98.49, 256: 93.91}  # and on all 8,819


@pytest.mark.parametrize(("block_size", "percent"), [(1, "100.0"), (16, "99.6"), (64, "98.3"), (256, "93.2")])
def test_handbook_utilisation(block_size, percent):
    load = workload.handbook()
    found = workload.utilisation(load.lengths, block_size, load.max_len)
    assert f"{100 * found.paged:.1f}" == percent
    assert f"{100 * found.reserved:.1f}" == "46.2"


def test_handbook_requests():
    load = workload.handbook(n=200, seed=0)
    assert (load.name, len(load.lengths), load.max_len) == ("handbook", 200, 4096)
    assert (sum(load.lengths), load.lengths[:3]) == (378086, [2637, 2533, 732])
    assert workload.handbook(n=7).lengths == load.lengths[:7]
    assert workload.handbook(seed=1).lengths != load.lengths


@pytest.mark.parametrize(
    ("name", "paged", "reserved", "max_len"),
    [("azure-conv-2023", CONVERSATION, 9.69, 14089), ("azure-code-2023", CODE, 26.47, 7841)],
)
@pytest.mark.parametrize("seed", range(4))
def test_traces_waste_what_the_recorded_requests_waste(name, paged, reserved, max_len, seed):
    load = workload.trace(name, n=10_000, seed=seed)
    assert (load.name, len(load.lengths), load.max_len) == (name, 10_000, max_len)
    for block_size, percent in paged.items():
        found = workload.utilisation(load.lengths, block_size, load.max_len)
        assert 100 * found.paged == pytest.approx(percent, abs=0.3)
        assert 100 * found.reserved == pytest.approx(reserved, abs=0.3)


@pytest.mark.parametrize(
    ("name", "shortest", "median", "longest"),
    [("azure-conv-2023", 64, 1412, 14089), ("azure-code-2023", 12, 1493, 7841)],
)
def test_traces_have_the_recorded_shape(name, shortest, median, longest):
    lengths = sorted(workload.trace(name, n=10_000).lengths)
    assert shortest <= lengths[0] < 2 * shortest + 64
    assert lengths[5000] == pytest.approx(median, rel=0.01)
    assert longest / 2 < lengths[-1] <= longest


@pytest.mark.parametrize(("name", "total"), [("azure-conv-2023", 166_611), ("azure-code-2023", 234_349)])
def test_quantile_tables_are_the_recorded_ones(name, total):
    """104 quantiles each; the sums were taken from the trace files."""
    tokens = traces.TRACES[name]
    assert (len(tokens), sum(tokens)) == (len(traces.PROBABILITIES), total) == (104, total)
    assert list(tokens) == sorted(tokens)


def test_quantiles_are_exact_at_the_table_and_straight_between():
    points = (0, 0.25, 0.5, 0.9, 0.99, 0.999, 1)
    assert [traces.quantile("azure-conv-2023", p) for p in points] == [64, 491, 1412, 2820, 4259, 6301, 14089]
    assert [traces.quantile("azure-code-2023", p) for p in points] == [12, 604, 1493, 5208, 7462, 7566, 7841]
    assert traces.quantile("azure-conv-2023", 0.395) == round((587 + 800) / 2)


@pytest.mark.parametrize("probability", [-0.01, 1.01])
def test_there_is_no_quantile_outside_0_to_1(probability):
    with pytest.raises(ValueError, match=f"got {probability}"):
        traces.quantile("azure-conv-2023", probability)


def test_every_hundred_requests_of_a_trace_hold_one_from_each_percent():
    load = workload.trace("azure-code-2023", n=300)
    for start in (0, 100, 200):
        hundred = sorted(load.lengths[start : start + 100])
        assert hundred[0] <= 34 and 1448 <= hundred[49] <= 1493 and hundred[99] >= 7462


def test_traces_are_prefix_consistent_seeded_and_in_random_order():
    load = workload.trace("azure-conv-2023", n=250, seed=5)
    for n in (1, 99, 100, 101):
        assert workload.trace("azure-conv-2023", n=n, seed=5).lengths == load.lengths[:n]
    assert workload.trace("azure-conv-2023", n=250, seed=6).lengths != load.lengths
    assert load.lengths[:100] != sorted(load.lengths[:100])


def test_unknown_traces_and_empty_workloads_are_refused():
    with pytest.raises(ValueError, match="unknown trace 'azure', there are: azure-conv-2023, azure-code-2023"):
        workload.trace("azure")
    for make in (workload.handbook, lambda n: workload.trace("azure-conv-2023", n)):
        for n in (0, -1):
            with pytest.raises(ValueError, match=f"n must be at least 1, got {n}"):
                make(n)


def test_utilisation_counts_tokens():
    found = workload.utilisation([1, 16, 17, 40], block_size=16, max_len=64)
    assert found == (74, 15 + 0 + 15 + 8, 4 * 64 - 74)
    assert (found.used, found.last_block_waste, found.reserved_waste) == (74, 38, 182)
    assert found.paged == 74 / 112
    assert found.reserved == 74 / 256


def test_nothing_is_wasted_when_all_fits_exactly():
    found = workload.utilisation([8, 8], block_size=4, max_len=8)
    assert (found.paged, found.reserved) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("lengths", "block_size", "max_len", "message"),
    [
        ([], 16, 64, "there are no requests"),
        ([1], 0, 64, "block_size must be at least 1, got 0"),
        ([3, 65], 16, 64, r"lengths must be 1\.\.64 tokens, got 3\.\.65"),
        ([0, 3], 16, 64, r"lengths must be 1\.\.64 tokens, got 0\.\.3"),
        ([1], 16, 0, r"lengths must be 1\.\.0 tokens"),
    ],
)
def test_utilisation_of_nonsense_is_refused(lengths, block_size, max_len, message):
    with pytest.raises(ValueError, match=message):
        workload.utilisation(lengths, block_size, max_len)


def write(tmp_path, text: str, encoding: str = "utf-8"):
    path = tmp_path / "night.csv"
    path.write_text(text, encoding=encoding)
    return path


def test_csv_adds_up_prompt_and_output(tmp_path):
    path = write(tmp_path, "TIMESTAMP,ContextTokens,GeneratedTokens\nt0,4808,10\nt1, 3180 ,8\n\nt2,0,1\n")
    assert workload.from_csv(path) == ("night", [4818, 3188, 1], 4818)
    assert workload.from_csv(str(path)).max_len == 4818


@pytest.mark.parametrize("encoding", ["utf-8-sig", "ascii"])
def test_csv_columns_may_stand_in_any_order_after_a_byte_order_mark(tmp_path, encoding):
    path = write(tmp_path, "GeneratedTokens,ContextTokens\r\n1,20\r\n", encoding)
    assert workload.from_csv(path).lengths == [21]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("ContextTokens,GeneratedTokens\n", "no requests below the header"),
        ("TIMESTAMP,GeneratedTokens\nt,1\n", "no column ContextTokens; columns: TIMESTAMP, GeneratedTokens"),
        ("a,b\n1,2\n", "no column ContextTokens and GeneratedTokens; columns: a, b"),
        ("ContextTokens,GeneratedTokens\n1,2\n3,x\n", "line 3: GeneratedTokens must be a whole number, got 'x'"),
        ("ContextTokens,GeneratedTokens\n1.5,2\n", "line 2: ContextTokens must be a whole number, got '1.5'"),
        ("ContextTokens,GeneratedTokens\n-1,2\n", "line 2: ContextTokens must be a whole number, got '-1'"),
        ("ContextTokens,GeneratedTokens\n1_0,2\n", "line 2: ContextTokens must be a whole number, got '1_0'"),
        ("ContextTokens,GeneratedTokens\n,2\n", "line 2: ContextTokens must be a whole number, got ''"),
        ("ContextTokens,GeneratedTokens\n0,0\n", "line 2: the request has no tokens"),
        ("ContextTokens,GeneratedTokens\n\n1,2\n7\n", "line 4: the row has not as many cells as the header"),
        ("ContextTokens,GeneratedTokens\n1,374,10\n", "line 2: the row has not as many cells as the header"),
    ],
)
def test_csv_that_is_no_trace_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=rf"night\.csv.*{message}"):
        workload.from_csv(write(tmp_path, text))
