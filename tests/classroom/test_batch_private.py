"""A class graded by a private pack: answers made for the public tests fail, and copies of the library are seen.

What students have is the student edition; tests/judging/test_release.py proves that nothing of the banks is in it.
"""

import csv
from pathlib import Path

import pytest
from teacher import judge

from classroom.batch import store
from practice.judging import catalogue
from practice.judging.release import release
from tests.judging.packs import NEWEST_FIRST, newest_first_pack

pytestmark = pytest.mark.slow

SEED = 2_027_013_109
LIBRARY = catalogue.read(catalogue.PROBLEMS / "123-block-pool").reference()


def graded(folder: Path, *options: object) -> dict[str, str]:
    """{student: verdict}."""
    grades = folder.parent / "grades.sqlite3"
    done = judge("batch", folder, "--out", grades, "--jobs", 1, "--scores-only", *options)
    assert done.returncode == 0, done.stderr
    with store.stored(grades) as found:
        return dict(found.rows(["student", "verdict"]))


@pytest.fixture
def hand_in(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()

    def write(number: str, **answers: str) -> Path:
        for student, source in answers.items():
            (folder / f"{number}-{student}.py").write_text(source, encoding="utf-8")
        return folder

    return write


def test_what_is_pasted_from_the_library_fails_where_the_pack_wants_another_policy(hand_in, tmp_path):
    folder = hand_in("123", paste=LIBRARY, own=NEWEST_FIRST["reference.py"])
    assert graded(folder, "--pack", newest_first_pack(tmp_path / "pack")) == {"paste": "WA", "own": "AC"}


def test_an_answer_tuned_to_the_public_seed_fails_under_a_private_one(hand_in, tmp_path):
    """It knows every input of the public tests of 122 by heart."""
    problem = catalogue.find("122")
    calls = [call for group in problem.groups for program in group.recorded(0) for call in program.calls]
    known = {(call.name, *call.args) for call in calls}
    tuned = f"""{problem.reference()}
KNOWN = {known!r}

def tuned(function):
    return lambda *args: function(*args) if (function.__name__, *args) in KNOWN else 0

""" + "".join(f"{name} = tuned({name})\n" for name in problem.entry)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "pack.toml").write_text(f"seed = {SEED}\n")
    assert graded(hand_in("122", tuned=tuned, own=problem.reference()), "--pack", tmp_path / "pack") == {
        "tuned": "WA",
        "own": "AC",
    }


def test_the_same_answers_pass_the_public_tests(hand_in):
    assert graded(hand_in("123", paste=LIBRARY)) == {"paste": "AC"}


def test_the_report_names_copies_of_each_other_and_of_the_worked_answer(hand_in, tmp_path):
    copy = LIBRARY.replace("ref_cnt", "counts").replace("_free", "_spare")
    folder = hand_in("123", ann=LIBRARY, bob=copy, cy=NEWEST_FIRST["reference.py"])
    graded(folder)
    done = judge("similar", tmp_path / "grades.sqlite3", "--csv", tmp_path / "alike.csv")
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "alike.csv", encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1:] == [["123", "100", "ann, bob, the worked answer", ""]]
    assert "Alike is no proof" in done.stdout


def test_a_name_in_brackets_is_shown_as_it_is(hand_in, tmp_path):
    graded(hand_in("123", **{"[bold]": LIBRARY, "[red]": LIBRARY}))
    done = judge("similar", tmp_path / "grades.sqlite3")
    assert done.returncode == 0, done.stderr
    assert "[bold], [red], the worked answer" in " ".join(done.stdout.split())


def test_the_student_edition_holds_no_pack_and_no_seed_of_it(tmp_path, monkeypatch):
    pack = newest_first_pack(tmp_path / "pack")
    (pack / "pack.toml").write_text(f"seed = {SEED}\n")
    monkeypatch.setenv("JUDGE_PACK", str(pack))
    release(tmp_path / "edition")
    texts = [file.read_bytes() for file in (tmp_path / "edition").rglob("*") if file.is_file()]
    assert len(texts) > 100
    for private in (str(SEED), "newest first", NEWEST_FIRST["oracle.py"], NEWEST_FIRST["reference.py"], str(pack)):
        assert not any(private.strip().encode() in text for text in texts), private
