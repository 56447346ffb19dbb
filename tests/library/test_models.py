"""Numbers of published models and GPUs, against counts made another way."""

import pytest

from paged.gpus import GPUS
from paged.models import MODELS


@pytest.mark.parametrize(
    ("name", "kind", "num_bytes"),
    [
        ("Llama-2-7B", "MHA", 512 * 1024),
        ("Llama-2-13B", "MHA", 800 * 1024),
        ("OPT-13B", "MHA", 800 * 1024),
        ("Qwen2.5-3B", "GQA", 36 * 1024),
        ("Qwen2.5-7B", "GQA", 56 * 1024),
        ("Qwen2.5-72B", "GQA", 320 * 1024),
        ("Llama-3.1-8B", "GQA", 128 * 1024),
        ("Llama-3.1-70B", "GQA", 320 * 1024),
        ("Mistral-7B-v0.3", "GQA", 128 * 1024),
        ("Falcon-7B", "MQA", 8 * 1024),
        ("DeepSeek-V2-Lite", "MLA", 31_104),
        ("DeepSeek-V3", "MLA", 70_272),
    ],
)
def test_a_token_in_bf16_takes_as_much_as_the_model_is_known_for(name: str, kind: str, num_bytes: int) -> None:
    assert (MODELS[name].kind, MODELS[name].bytes_per_token(2), MODELS[name].bytes_per_token(1)) == (
        kind,
        num_bytes,
        num_bytes / 2,
    )


def test_each_model_of_the_table_has_its_bytes_tested_above() -> None:
    assert len(MODELS) == 12


@pytest.mark.parametrize(
    ("name", "vocabulary", "hidden", "feed_forward", "biases"),
    [
        ("Llama-2-7B", 32_000, 4096, 11_008, False),
        ("Llama-2-13B", 32_000, 5120, 13_824, False),
        ("Llama-3.1-8B", 128_256, 4096, 14_336, False),
        ("Llama-3.1-70B", 128_256, 8192, 28_672, False),
        ("Mistral-7B-v0.3", 32_768, 4096, 14_336, False),
        ("Qwen2.5-7B", 152_064, 3584, 18_944, True),
        ("Qwen2.5-72B", 152_064, 8192, 29_568, True),
    ],
)
def test_parameters_are_those_of_the_layers(name, vocabulary, hidden, feed_forward, biases) -> None:
    """Embedding and head, and in each layer q, k, v, o, three feed-forward matrices and two norms."""
    model = MODELS[name]
    queries, keys = model.heads * model.head_dim, model.kv_heads * model.head_dim
    attention = 2 * hidden * queries + 2 * hidden * keys + biases * (queries + 2 * keys)
    layer = attention + 3 * hidden * feed_forward + 2 * hidden
    assert model.params == 2 * vocabulary * hidden + model.layers * layer + hidden


def test_a_tied_embedding_counts_once() -> None:
    layer = 2 * 2048 * 2048 + 2 * 2048 * 256 + 2048 + 2 * 256 + 3 * 2048 * 11_008 + 2 * 2048
    assert MODELS["Qwen2.5-3B"].params == 151_936 * 2048 + 36 * layer + 2048


def test_more_gpus_take_their_share_of_the_kv_heads_until_each_has_one() -> None:
    model = MODELS["Qwen2.5-7B"]
    assert [model.splits_over(n) for n in range(1, 9)] == [True, True, False, True, False, False, False, False]
    assert [model.bytes_per_token(2, n) for n in (1, 2, 4)] == [57_344, 28_672, 14_336]
    shared = MODELS["Qwen2.5-3B"]
    kept = [(shared.kv_heads_on_each(n), shared.bytes_per_token(2, n) // 1024) for n in (1, 2, 4, 8)]
    assert kept == [(2, 36), (1, 18), (1, 18), (1, 18)]


def test_a_latent_is_kept_whole_on_every_gpu() -> None:
    assert [MODELS["DeepSeek-V3"].bytes_per_token(2, n) for n in (1, 2, 8)] == [70_272] * 3


def test_heads_that_do_not_split_are_refused_with_their_numbers() -> None:
    with pytest.raises(ValueError, match="71 query heads and 1 KV heads do not split over 2 GPUs"):
        MODELS["Falcon-7B"].bytes_per_token(2, 2)
    with pytest.raises(ValueError, match="num_gpus must be at least 1, got 0"):
        MODELS["Falcon-7B"].bytes_per_token(2, 0)
    with pytest.raises(ValueError, match=r"^128 query heads do not split over 3 GPUs$"):
        MODELS["DeepSeek-V3"].bytes_per_token(2, 3)


@pytest.mark.parametrize("name", ["Qwen2.5-7B", "DeepSeek-V3"])
@pytest.mark.parametrize("num_gpus", [0, -2])
def test_every_question_about_fewer_than_one_gpu_is_refused(name, num_gpus) -> None:
    model = MODELS[name]
    for ask in (model.splits_over, model.kv_heads_on_each, lambda n: model.bytes_per_token(2, n)):
        with pytest.raises(ValueError, match=f"num_gpus must be at least 1, got {num_gpus}"):
            ask(num_gpus)


def test_gpus_that_the_heads_do_not_split_over_keep_no_number_of_heads() -> None:
    with pytest.raises(ValueError, match="28 query heads and 4 KV heads do not split over 7 GPUs"):
        MODELS["Qwen2.5-7B"].kv_heads_on_each(7)


def test_every_model_says_whose_config_it_is() -> None:
    assert all(model.source.count("/") == 1 for model in MODELS.values())


@pytest.mark.parametrize("gpu", GPUS.values(), ids=GPUS)
def test_the_gb_of_a_data_sheet_are_gib_or_a_little_less(gpu) -> None:
    assert gpu.stated_gb * 10**9 < gpu.num_bytes <= gpu.stated_gb * 2**30


def test_an_a100_80gb_has_80_gib() -> None:
    assert (GPUS["A100 80GB"].num_bytes, GPUS["A100 40GB"].num_bytes) == (80 * 2**30, 40 * 2**30)
