"""A private pack: its seed draws the hidden tests, and its groups come after the problem's own."""

import pytest
from house import DOUBLE, RIGHT
from packs import PRIVATE, SEED, pack, verdict

from practice.judging import catalogue, notebook, proof

POSITIVE_ONLY = "def double(x):\n    return 2 * x if x >= 0 else 0\n"


# the seed


def test_the_seed_of_the_pack_draws_the_hidden_tests_unless_another_is_asked_for(house, tmp_path):
    with_seed = pack(tmp_path / "pack", {"pack.toml": f"seed = {SEED}\n"})
    packed = verdict(house, RIGHT, "--pack", with_seed)
    asked = verdict(house, RIGHT, "--pack", with_seed, "--seed", 0)
    assert (packed["seed"], asked["seed"]) == (SEED, 0)
    assert packed["coverage"] == verdict(house, RIGHT, "--seed", SEED)["coverage"] != asked["coverage"]


@pytest.mark.parametrize("files", [{}, {"pack.toml": "# no seed here\n"}], ids=["no pack.toml", "no seed in it"])
def test_a_pack_need_not_have_a_seed(house, tmp_path, files):
    found = verdict(house, RIGHT, "--pack", pack(tmp_path / "pack", PRIVATE | files))
    assert (found["seed"], found["verdict"], found["max_score"]) == (0, "AC", 120)


def test_the_environment_names_a_pack_as_well_as_the_option(house, tmp_path):
    folder = pack(tmp_path / "pack", PRIVATE | {"pack.toml": f"seed = {SEED}\n"})
    found = verdict(house, RIGHT, JUDGE_PACK=str(folder))
    assert (found["seed"], found["max_score"]) == (SEED, 120)


def test_a_notebook_and_the_proof_go_by_the_packs_seed_too(book, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_PACK", str(pack(tmp_path / "pack", PRIVATE | {"pack.toml": f"seed = {SEED}\n"})))
    book.judge(RIGHT)
    assert (notebook.last.seed, notebook.last.max_score) == (SEED, 120)
    trials = proof.prove(catalogue.find("901"), jobs=1)
    assert {trial.verdict.seed for trial in trials} == {SEED}


def test_an_answer_made_for_the_public_seed_fails_under_the_packs(house, tmp_path, double):
    """It knows every number of the public tests by heart and no other."""
    known = {2, 0}
    for group in double.groups:
        for program in group.recorded(0):
            known |= {call.args[0] for call in program.calls}
    tuned = f"KNOWN = {known}\n\ndef double(x):\n    return 2 * x if x in KNOWN else 0\n"
    assert verdict(house, tuned)["verdict"] == "AC"
    found = verdict(house, tuned, "--pack", pack(tmp_path / "pack", {"pack.toml": f"seed = {SEED}\n"}))
    assert (found["verdict"], found["status"]) == ("WA", 1)


# more tests


def test_groups_of_the_pack_come_after_the_problems_own_and_count(house, tmp_path):
    found = verdict(house, POSITIVE_ONLY, "--pack", pack(tmp_path / "pack", PRIVATE))
    named = [(check["name"], check["verdict"]) for check in found["checks"]]
    assert named == [("examples", "AC"), ("small", "AC"), ("large", "AC"), ("negative", "WA")]
    assert (found["verdict"], found["score"], found["max_score"], found["status"]) == ("WA", 100, 120, 1)
    assert found["coverage"]["negative"] > 0


def test_a_pack_leaves_other_problems_as_they_are(house, tmp_path):
    house.add("902-other", DOUBLE)
    elsewhere = {path.replace("901-double", "902-other"): text for path, text in PRIVATE.items()}
    folder = pack(tmp_path / "pack", elsewhere)
    found = verdict(house, POSITIVE_ONLY, "--pack", folder)
    assert (found["verdict"], found["max_score"]) == ("AC", 100)


def test_two_packs_for_one_problem_do_not_get_in_each_others_way(house, tmp_path):
    other = {name: text.replace("-op.pick", "-3 * op.pick") for name, text in PRIVATE.items()}
    first, second = pack(tmp_path / "first", PRIVATE), pack(tmp_path / "second", other)
    zero_and_less = "def double(x):\n    return 2 * x if x >= 0 or x % 3 == 0 else 0\n"
    assert verdict(house, zero_and_less, "--pack", first)["verdict"] == "WA"
    assert verdict(house, zero_and_less, "--pack", second)["verdict"] == "AC"
