"""A private pack adds tests and a seed, or puts a variant in a problem's place, and is never quoted."""

import json
import shutil

import pytest
from house import DOUBLE, RIGHT, one_line

from practice.judging import catalogue, proof
from practice.judging.verdict import judge
from practice.judging.warm import Children

SEED = 20261129
SECRET = "of this nobody may read"
PRIVATE = {
    "tests.py": """
from practice.judging import Group, plans

from . import oracle


def play(answer, plan):
    for op in plan.ops:
        answer.double(-op.pick)
        answer.count("negative")


GROUPS = [
    Group("negative", {"en": "below zero", "zh": "负数"}, 20, plans({"any": 1}, (2, 4)), play, oracle, programs=4)
]
""",
    "oracle.py": "def double(x):\n    return x + x\n",
}
POSITIVE_ONLY = "def double(x):\n    return 2 * x if x >= 0 else 0\n"

NEWEST_FIRST = {
    "problem.toml": """
title = { en = "Block pool, newest first", zh = "块池（后还先用）" }
chapter = 2
difficulty = "easy"
entry = ["BlockPool"]

[reference]
files = ["{folder}/reference.py"]
""",
    "oracle.py": """
class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.free_since = [-block for block in range(num_blocks)]
        self.now = 0

    def num_free(self):
        return self.ref_cnt.count(0)

    def allocate(self, n):
        free = [block for block, owners in enumerate(self.ref_cnt) if owners == 0]
        if n > len(free):
            return None
        taken = sorted(free, key=lambda block: -self.free_since[block])[:n]
        for block in taken:
            self.ref_cnt[block] = 1
        return taken

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] -= 1
            self.now += 1
            self.free_since[block] = self.now
""",
    "examples.txt": """>>> pool = BlockPool(8)
>>> pool.allocate(3)
[0, 1, 2]
>>> pool.free([0, 1, 2])
>>> pool.allocate(4)
[2, 1, 0, 3]
""",
    "reference.py": """
class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.stack = list(range(num_blocks))[::-1]

    def num_free(self):
        return len(self.stack)

    def allocate(self, n):
        if n > len(self.stack):
            return None
        blocks = [self.stack.pop() for _ in range(n)]
        for block in blocks:
            self.ref_cnt[block] = 1
        return blocks

    def free(self, blocks):
        for block in blocks:
            self.ref_cnt[block] = 0
            self.stack.append(block)
""",
}


@pytest.fixture
def pack(tmp_path):
    """pack(files): a pack that holds these files, by their path in it."""

    def write(files: dict[str, str | bytes], name="pack"):
        folder = tmp_path / name
        folder.mkdir()
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder

    return write


def verdict(house, source: str, *args, **environment) -> dict:
    result = house.judge("test", "901", house.answer(source), "--json", *args, **environment)
    return json.loads(result.stdout) | {"status": result.returncode}


def private() -> dict[str, str]:
    """The files of a pack with more tests for 901."""
    return {f"901-double/{name}": text for name, text in PRIVATE.items()}


# the seed


def test_the_seed_of_the_pack_draws_the_hidden_tests_unless_another_is_asked_for(house, pack):
    with_seed = pack({"pack.toml": f"seed = {SEED}\n"})
    packed = verdict(house, RIGHT, "--pack", with_seed)
    asked = verdict(house, RIGHT, "--pack", with_seed, "--seed", 0)
    assert (packed["seed"], asked["seed"]) == (SEED, 0)
    assert packed["coverage"] == verdict(house, RIGHT, "--seed", SEED)["coverage"] != asked["coverage"]


@pytest.mark.parametrize("files", [{}, {"pack.toml": "# no seed here\n"}], ids=["no pack.toml", "no seed in it"])
def test_a_pack_need_not_have_a_seed(house, pack, files):
    found = verdict(house, RIGHT, "--pack", pack(private() | files))
    assert (found["seed"], found["verdict"], found["max_score"]) == (0, "AC", 120)


def test_the_environment_names_a_pack_as_well_as_the_option(house, pack):
    found = verdict(house, RIGHT, JUDGE_PACK=str(pack(private() | {"pack.toml": f"seed = {SEED}\n"})))
    assert (found["seed"], found["max_score"]) == (SEED, 120)


def test_an_answer_made_for_the_public_seed_fails_under_the_packs(house, pack, double):
    """It knows every number of the public tests by heart and no other."""
    known = {2, 0}
    for group in double.groups:
        for program in group.recorded(0):
            known |= {call.args[0] for call in program.calls}
    tuned = f"KNOWN = {known}\n\ndef double(x):\n    return 2 * x if x in KNOWN else 0\n"
    assert verdict(house, tuned)["verdict"] == "AC"
    found = verdict(house, tuned, "--pack", pack({"pack.toml": f"seed = {SEED}\n"}))
    assert (found["verdict"], found["status"]) == ("WA", 1)


# more tests


def test_groups_of_the_pack_come_after_the_problems_own_and_count(house, pack):
    found = verdict(house, POSITIVE_ONLY, "--pack", pack(private()))
    named = [(check["name"], check["verdict"]) for check in found["checks"]]
    assert named == [("examples", "AC"), ("small", "AC"), ("large", "AC"), ("negative", "WA")]
    assert (found["verdict"], found["score"], found["max_score"], found["status"]) == ("WA", 100, 120, 1)
    assert found["coverage"]["negative"] > 0


def test_a_pack_leaves_other_problems_as_they_are(house, pack):
    folder = pack({f"902-other/{name}": text for name, text in PRIVATE.items()})
    found = verdict(house, POSITIVE_ONLY, "--pack", folder)
    assert (found["verdict"], found["max_score"]) == ("AC", 100)


def test_two_packs_for_one_problem_do_not_get_in_each_others_way(house, pack):
    other = {name: text.replace("-op.pick", "-3 * op.pick") for name, text in private().items()}
    first, second = pack(private(), "first"), pack(other, "second")
    zero_and_less = "def double(x):\n    return 2 * x if x >= 0 or x % 3 == 0 else 0\n"
    assert verdict(house, zero_and_less, "--pack", first)["verdict"] == "WA"
    assert verdict(house, zero_and_less, "--pack", second)["verdict"] == "AC"


# a variant


@pytest.fixture
def newest_first(tmp_path, monkeypatch):
    """123 under a pack with another policy: the block that came back last goes first."""
    folder = tmp_path / "pack" / "123-block-pool"
    shutil.copytree(catalogue.find("123").folder, folder, ignore=shutil.ignore_patterns("wrong", "right"))
    for name, text in NEWEST_FIRST.items():
        (folder / name).write_text(text.replace("{folder}", str(folder)), encoding="utf-8")
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


# packs that can't be used


def broken(text: str) -> dict[str, str]:
    return {"901-double/tests.py": text, "901-double/oracle.py": PRIVATE["oracle.py"]}


BAD_SETTINGS = {
    "not TOML": f"seed = = {SECRET}\n",
    "a negative seed": f"seed = -1 # {SECRET}\n",
    "words for a seed": f"seed = '{SECRET}'\n",
    "a fraction": f"seed = 1.5 # {SECRET}\n",
    "a truth value": f"seed = true # {SECRET}\n",
    "not UTF-8": f"seed = 1 # {SECRET} grün\n".encode("latin-1"),
}
BROKEN_TESTS = {
    "raises": broken(f"raise ValueError({SECRET!r})\n"),
    "does not parse": broken(f"GROUPS = [ {SECRET}\n"),
    "lacks GROUPS": broken(f"groups = [{SECRET!r}]\n"),
    "lacks a name": broken(f"GROUPS = [{SECRET.replace(' ', '_')}]\n"),
    "lacks a module": broken(f"import {SECRET.replace(' ', '_')}\n"),
    "groups of words": broken(f"GROUPS = [{SECRET!r}]\n"),
    "no tests": {"901-double/notes.md": SECRET},
    "play raises": {
        name: text.replace("answer.count", f"raise KeyError({SECRET!r})\n        answer.count")
        for name, text in private().items()
    },
}


@pytest.mark.parametrize("toml", BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_settings_that_can_not_be_used_are_one_line_that_quotes_nothing(house, pack, toml):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack({"pack.toml": toml}))
    assert result.returncode in (2, 3)
    said = one_line(result)
    assert "pack.toml" in said
    assert SECRET not in said


@pytest.mark.parametrize("files", BROKEN_TESTS.values(), ids=BROKEN_TESTS)
def test_tests_that_can_not_be_used_are_the_judges_fault_and_quote_nothing(house, pack, files):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack(files), "--json")
    assert (result.returncode, result.stderr) == (3, "")
    found = json.loads(result.stdout)
    assert found["verdict"] == "IE"
    assert found["reason"].isidentifier()  # the kind of error, and no more
    assert not any(mark in result.stdout for mark in (SECRET, SECRET.replace(" ", "_"), "nobody"))


def test_on_a_terminal_neither(house, pack):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack(BROKEN_TESTS["raises"]))
    assert (result.returncode, result.stderr) == (3, "")
    assert "the judge itself failed: ValueError" in result.stdout.splitlines()
    assert "nobody" not in result.stdout


@pytest.mark.parametrize(
    "toml",
    [f"title = = {SECRET!r}\n", f"title = {SECRET!r}\n", DOUBLE["problem.toml"] + "[limits]\nhours = 1\n"],
    ids=["not TOML", "incomplete", "unknown limit"],
)
def test_a_variant_that_can_not_be_read_is_one_line_that_quotes_nothing(house, pack, toml):
    result = house.judge("test", "901", house.answer(RIGHT), "--pack", pack({"901-double/problem.toml": toml}))
    assert result.returncode in (2, 3)
    said = one_line(result)
    assert "problem.toml" in said
    assert SECRET not in said


@pytest.mark.parametrize("command", [["test", "901"], ["check", "901"], ["show", "901"], ["hint", "901"]])
@pytest.mark.parametrize("kind", ["nothing", "a file"])
def test_a_pack_that_is_no_folder_is_one_line(house, tmp_path, command, kind):
    target = tmp_path / "pack"
    if kind == "a file":
        target.write_text(SECRET)
    result = house.judge(*command, JUDGE_PACK=str(target))
    assert result.returncode in (2, 3)
    assert "is no folder" in one_line(result)


def test_without_a_pack_the_judges_fault_says_what_it_was(house):
    """So that the silence above is the pack's."""
    house.add("903-broken", DOUBLE | {"tests.py": f"raise ValueError({SECRET!r})\n"})
    result = house.judge("test", "903", house.answer(RIGHT), "--json")
    assert json.loads(result.stdout)["reason"] == f"ValueError: {SECRET}"
