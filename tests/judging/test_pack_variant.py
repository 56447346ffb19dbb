"""A pack may put a variant in a problem's place, so that the library's code does not pass."""

import pytest
from house import DOUBLE, RIGHT
from packs import newest_first_pack, verdict

from practice.judging import catalogue, proof
from practice.judging.verdict import judge
from practice.judging.warm import Children


@pytest.fixture
def newest_first(tmp_path, monkeypatch):
    """123 under a pack with another policy: the block that came back last goes first."""
    newest_first_pack(tmp_path / "pack")
    monkeypatch.setenv("JUDGE_PACK", str(tmp_path / "pack"))
    return catalogue.find("123")


def test_a_variant_with_another_policy_rejects_the_librarys_code(newest_first, monkeypatch):
    children = Children()
    variant = judge(newest_first, newest_first.reference().encode(), children=children)
    monkeypatch.delenv("JUDGE_PACK")
    public = catalogue.find("123")
    library = judge(newest_first, public.reference().encode(), shrink_seconds=0, children=children)
    swapped = judge(public, newest_first.reference().encode(), shrink_seconds=0, children=children)
    children.close()
    assert (variant.verdict, variant.score) == ("AC", 100)
    assert library.verdict == swapped.verdict == "WA"
    queue = next(check for check in library.checks if check.name == "queue")
    assert queue.verdict == "WA"


def test_a_variant_shows_itself_in_the_problems_place(newest_first):
    assert newest_first.title["en"] == "Block pool, newest first"
    assert (newest_first.number, newest_first.folder) == (123, newest_first.pack)
    assert [group.name for group in newest_first.groups] == ["allocate", "queue", "pools"]


def test_a_variant_is_proved_as_any_problem(newest_first, monkeypatch):
    public = catalogue.read(catalogue.PROBLEMS / "123-block-pool")
    for kind, name, source in (
        ("wrong", "the_library", public.reference()),
        ("right", "a_stack", newest_first.reference()),
    ):
        (newest_first.folder / kind).mkdir()
        (newest_first.folder / kind / f"{name}.py").write_text(f"# the longest free first\n# 先还先用\n{source}")
    trials = proof.prove(newest_first, jobs=2)
    assert [trial.name for trial in trials if not trial.as_it_should_be] == []
    assert [trial.kind for trial in trials] == ["starter", "reference", "right", "wrong"]


def test_the_command_judges_by_the_variant(newest_first, house, tmp_path):
    """Here with the variant of 901 that triples."""
    folder = tmp_path / "triple" / "901-double"
    folder.mkdir(parents=True)
    for name, text in DOUBLE.items():
        (folder / name).write_text(text.replace("x + x", "3 * x").replace("4", "6"), encoding="utf-8")
    assert verdict(house, RIGHT, "--pack", folder.parent)["verdict"] == "WA"
    assert verdict(house, "def double(x):\n    return 3 * x\n", "--pack", folder.parent)["verdict"] == "AC"
