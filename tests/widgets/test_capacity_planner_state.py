"""The capacity planner's Python side: what fits, what does not and why, what is refused."""

from itertools import product

import pytest
from traitlets import TraitError

from paged import memory
from paged.gpus import GPUS
from paged.models import MODELS
from paged.widgets import capacity_planner
from paged.widgets.capacity_planner_plan import enough_gpus, plan
from paged.widgets.capacity_planner_text import TEXT
from paged.widgets.capacity_planner_words import note, size, verdict


def test_the_chapter_s_numbers() -> None:
    found = capacity_planner("Qwen2.5-7B", "A100 80GB", weights=15, lang="en").results
    assert found == {
        "problem": "",
        "bytes_per_token": 57_344,
        "memory": 80 * 2**30,
        "weights": 15 * 2**30,
        "kept": 10 * 2**30,
        "budget": 55 * 2**30,
        "tokens": 3000,
        "reserved_tokens": 32_768,
        "paged": 342,
        "reserved": 31,
        "entries": 188,
        "table_bytes": 342 * 188 * 4,
        "blocks": 64_365,
        "record_bytes": 64_365 * 24,
    }


def test_weights_are_what_the_parameters_take() -> None:
    planner = capacity_planner(lang="en")
    assert planner.results["weights"] == 2 * 7_615_616_512
    planner.num_gpus = 4
    assert planner.results["weights"] == 7_615_616_512 / 2
    planner.weight_dtype = "int4"
    assert planner.results["weights"] == 7_615_616_512 / 8
    planner.model, planner.num_gpus, planner.weight_dtype = "DeepSeek-V3", 8, "published"
    assert planner.results["weights"] == 671_026_419_200 / 8


@pytest.mark.parametrize(("model", "gpu"), [*product(MODELS, ("RTX 4090", "A100 40GB", "H200", "MI300X"))])
def test_counts_are_those_of_the_library_at_many_settings(model: str, gpu: str) -> None:
    planner, row = capacity_planner(model, gpu, lang="en"), MODELS[model]
    planner.kept = 2.5
    for num_gpus, tokens, block_size, kv_dtype in product((1, 2, 8), (1, 1000, 2048), (1, 16, 256), ("bf16", "fp8")):
        planner.num_gpus, planner.tokens = num_gpus, tokens
        planner.block_size, planner.kv_dtype = block_size, kv_dtype
        found, dtype_bytes = planner.results, {"bf16": 2, "fp8": 1}[kv_dtype]
        if row.kind == "MLA":
            per_token = memory.mla_bytes_per_token(row.layers, 512, 64, dtype_bytes)
        elif row.heads % num_gpus or (num_gpus > row.kv_heads and num_gpus % row.kv_heads):
            assert (found["problem"], found["paged"], found["reserved"]) == ("heads", 0, 0)
            continue
        else:
            heads = max(1, row.kv_heads // num_gpus)
            per_token = memory.bytes_per_token(row.layers, heads, row.head_dim, dtype_bytes)
        budget = GPUS[gpu].mib * 2**20 - -(-row.params * row.weight_bits // 8 // num_gpus) - int(2.5 * 2**30)
        assert (found["bytes_per_token"], found["budget"]) == (per_token, budget)
        room = max(0, budget)
        assert found["paged"] == memory.max_requests(room, tokens, per_token, block_size)
        assert found["reserved"] == memory.max_requests(room, row.context, per_token, 1)
        assert found["blocks"] == room // (per_token * block_size)
        assert found["problem"] == ("memory" if budget <= 0 else "" if found["paged"] else "request")


def test_a_request_is_never_longer_than_what_is_reserved_and_that_not_longer_than_the_context() -> None:
    planner = capacity_planner("OPT-13B", lang="en")
    assert (planner.results["tokens"], planner.results["reserved_tokens"]) == (2048, 2048)
    planner.reserved_tokens = 500
    assert (planner.results["tokens"], planner.results["reserved_tokens"]) == (500, 500)
    planner.model, planner.reserved_tokens = "Qwen2.5-7B", None
    assert (planner.results["tokens"], planner.results["reserved_tokens"]) == (3000, 32_768)


@pytest.mark.parametrize(("trait", "value"), [("model", "OPT-13B"), ("num_gpus", 2), ("weight_dtype", "fp8")])
def test_weights_by_hand_are_forgotten_where_they_no_longer_hold(trait: str, value: object) -> None:
    planner = capacity_planner(weights=15, lang="en")
    planner.tokens = 100
    assert planner.weights == 15
    setattr(planner, trait, value)
    assert planner.weights is None
    assert planner.results["weights"] != 15 * 2**30


def said(planner) -> str:
    return verdict(planner._setting(), plan(planner._setting()), TEXT["en"])


def test_it_says_clearly_why_a_model_does_not_fit() -> None:
    planner = capacity_planner("Llama-3.1-70B", "H100 80GB", lang="en")
    assert planner.results["problem"] == "memory"
    assert said(planner) == (
        "Llama-3.1-70B does not fit: weights of 131.4 GiB and 10 GiB kept exceed the 79.6 GiB of each GPU by 61.8 GiB. "
        "It fits on 2 of these GPUs."
    )
    planner.num_gpus = 2
    assert planner.results["problem"] == ""
    planner.model = "DeepSeek-V3"
    assert said(planner).endswith("Eight of these GPUs are not enough.")


def test_it_says_which_numbers_of_gpus_share_the_heads() -> None:
    planner = capacity_planner(lang="en")
    planner.num_gpus = 3
    assert said(planner) == "3 GPUs cannot share the 28 heads of Qwen2.5-7B evenly. Possible: 1, 2, 4."


def test_it_says_when_the_room_is_too_small_for_one_request() -> None:
    planner = capacity_planner("Llama-2-7B", "A100 80GB", weights=69, lang="en")
    assert said(planner) == (
        "Not one request of 3,000 tokens fits: it takes 1.5 GiB, and 1 GiB are left for KV. It fits on 2 of these GPUs."
    )
    planner.tokens = 2048
    assert (planner.results["paged"], planner.results["reserved"]) == (1, 0)
    assert said(planner) == "Only paging serves any: 4,096 reserved tokens exceed the room for KV."


def test_the_gpus_that_are_enough_really_are_and_one_less_is_not() -> None:
    for model, gpu in product(MODELS, GPUS):
        planner = capacity_planner(model, gpu, lang="en")
        enough = enough_gpus(planner._setting())
        for planner.num_gpus in range(1, 9):
            fits = planner.results["problem"] == ""
            assert not fits or enough <= planner.num_gpus
            assert fits or planner.num_gpus != enough


def test_it_says_what_tensor_parallelism_keeps_more_than_once() -> None:
    planner = capacity_planner("Llama-2-7B", lang="en")
    planner.num_gpus = 8
    assert note(planner._setting(), TEXT["en"]) == ""
    planner.model = "DeepSeek-V2-Lite"
    assert "each of the 8 GPUs keeps all of it" in note(planner._setting(), TEXT["en"])
    planner.model = "Qwen2.5-3B"
    assert "8 GPUs for 2 KV heads: each is kept on 4 of them" in note(planner._setting(), TEXT["en"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"model": "GPT-5"}, "'GPT-5' is not among Llama-2-7B"),
        ({"gpu": "H300"}, "'H300' is not among L4"),
        ({"weights": -1}, "weights must be 0 to 1000 GiB, got -1"),
        ({"weights": 1001}, "got 1001"),
    ],
)
def test_arguments_outside_are_refused_with_the_number(arguments: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        capacity_planner(**arguments)


@pytest.mark.parametrize(
    ("trait", "value"),
    [("num_gpus", 9), ("block_size", 257), ("tokens", 0), ("kept", -1.0), ("kv_dtype", "fp32"), ("lang", "fr")],
)
def test_traits_outside_are_refused_and_change_nothing(trait: str, value: object) -> None:
    planner = capacity_planner(weights=15, lang="en")
    with pytest.raises(TraitError, match=str(value)):
        setattr(planner, trait, value)
    assert (planner.results["paged"], planner.results["reserved"], planner.lang) == (342, 31, "en")


def test_sizes_are_read_in_the_unit_that_fits() -> None:
    assert [size(n) for n in (0, 1023, 57_344, 31_104, 2**20, 55 * 2**30)] == [
        *("0 B", "1023 B", "56 KiB", "30.4 KiB"),
        *("1 MiB", "55 GiB"),
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("trait", ["kept", "weights"])
def test_gib_that_are_no_number_are_refused_and_everything_works_afterwards(trait: str, value: float) -> None:
    planner = capacity_planner(weights=15, lang="en")
    before = getattr(planner, trait)
    with pytest.raises(TraitError, match=rf"{trait}.*{value}"):
        setattr(planner, trait, value)
    with pytest.raises(TraitError), planner.hold_trait_notifications():
        setattr(planner, trait, value)
    assert getattr(planner, trait) == before
    assert (planner.results["paged"], planner.results["reserved"]) == (342, 31)
    setattr(planner, trait, before + 1)
    assert planner.results["budget"] == 54 * 2**30
    assert planner.figure()._repr_png_().startswith(b"\x89PNG")
    assert "text/html" in planner._repr_mimebundle_()[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"model": None}, "model None is not among"),
        ({"model": ["OPT-13B"]}, r"model \['OPT-13B'\] is not among"),
        ({"gpu": 3}, "gpu 3 is not among"),
        ({"weights": "15"}, "weights must be 0 to 1000 GiB, got '15'"),
        ({"weights": True}, "weights must be 0 to 1000 GiB, got True"),
        ({"weights": float("nan")}, "weights must be 0 to 1000 GiB, got nan"),
        ({"weights": float("inf")}, "weights must be 0 to 1000 GiB, got inf"),
        ({"lang": "xx"}, "lang must be one of en, zh, got 'xx'"),
        ({"lang": b"en"}, "lang must be one of en, zh, got b'en'"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        capacity_planner(**arguments)
