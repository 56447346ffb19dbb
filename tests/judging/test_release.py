"""The student edition judges like the course, and no mistake, right answer or worked answer is anywhere in it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house import one_line

from practice.judging import catalogue, cli, release

ROOT = catalogue.ROOT
PROBLEMS = catalogue.all_problems()


def text_of(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """The edition, written from the checkout that these tests stand in."""
    out = tmp_path_factory.mktemp("class") / "edition"
    release.release(out)
    return out


@pytest.fixture(scope="module")
def everything(edition):
    """(name, text) of each file of the edition."""
    return [(str(file.relative_to(edition)), text_of(file)) for file in edition.rglob("*") if file.is_file()]


def judge_in(edition, home, *args) -> subprocess.CompletedProcess:
    """Run the edition's own judge."""
    return subprocess.run(
        [sys.executable, str(edition / "judge.py"), *map(str, args)],
        cwd=home,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "JUDGE_DATA": str(home / "data")},
        capture_output=True,
        text=True,
        timeout=120,
    )


# what is in it


def test_it_holds_what_a_class_needs(edition):
    for name in (
        "README.md",
        "README.zh.md",
        "CONTRIBUTING.md",
        "STUDENT-EDITION.md",
        "Makefile",
        "judge.py",
        "practice/judge.py",
    ):
        assert (edition / name).is_file()
    assert (edition / "notebooks" / "en" / "01-why-page.ipynb").is_file()
    for problem in PROBLEMS:
        folder = edition / "practice" / "problems" / problem.folder.name
        for name in ("problem.toml", "tests.py", "oracle.py", "examples.txt", "starter.py", "statement.zh.md"):
            assert (folder / name).read_bytes() == (problem.folder / name).read_bytes()


def test_it_holds_nothing_that_answers_or_that_only_authors_use(edition):
    parts = {part for file in edition.rglob("*") for part in file.relative_to(edition).parts}
    assert not parts & {"wrong", "right", "reference.py", "benchmarks", "classroom", "pack.toml"}
    assert not parts & {".git", ".venv", ".github", ".ci", "workspace", "__pycache__"}
    assert not (edition / "tests").exists()
    assert edition.stat().st_mode & 0o777 == 0o755


def test_no_belief_of_a_mistake_is_anywhere_in_it(everything):
    """But for the one that the READMEs show as an example."""
    beliefs = {
        line.removeprefix("# ").strip(): path.stem
        for problem in PROBLEMS
        for path in problem.bank("wrong")
        for line in text_of(path).splitlines()[:2]
        if line.startswith("# ")
    }
    assert len(beliefs) > 200
    unwrapped = [(name, " ".join(text.split())) for name, text in everything]
    told = {(name, stem) for name, text in unwrapped for belief, stem in beliefs.items() if belief in text}
    assert told == {(name, "one_more_block_always") for name in ("README.md", "README.zh.md")}


def test_no_line_that_marks_an_answer_is_anywhere_in_it(everything):
    """Lines of right/ and of reference.py, other than those that library, chapters or public tests have as well."""
    public = "\n".join(
        [text_of(file) for file in (ROOT / "paged").rglob("*.py")]
        + [text_of(file) for file in (ROOT / "notebooks" / "src").glob("*.md")]
        + [text_of(file) for problem in PROBLEMS for file in problem.folder.glob("*") if file.name != "reference.py"
           if file.is_file()]
    )  # fmt: skip
    answers = [file for problem in PROBLEMS for file in [*problem.bank("right"), *problem.folder.glob("reference.py")]]
    lines = {line.strip() for file in answers for line in text_of(file).splitlines()}
    marks = {line for line in lines if len(line) >= 30 and line not in public and " import " not in line}
    assert len(marks) > 100
    assert "return tokens / reserved_slots, tokens / (blocks * block_size)" in marks
    assert [(name, mark) for name, text in everything for mark in marks if mark in text] == []


# what it does


def test_it_judges(edition, tmp_path):
    """127, whose worked answer is the library itself."""
    solution = judge_in(edition, tmp_path, "solution", "127", "--give-up")
    assert (solution.returncode, solution.stderr) == (0, "")
    (tmp_path / "reference.py").write_text(solution.stdout)
    starter = edition / "practice" / "problems" / "127-block-pool-cow" / "starter.py"
    results = [judge_in(edition, tmp_path, "test", "127", file, "--json") for file in ("reference.py", starter)]
    found = [json.loads(result.stdout) for result in results]
    assert [(result.returncode, each["verdict"]) for result, each in zip(results, found, strict=True)] == [
        (0, "AC"),
        (1, "RE"),
    ]
    assert found[0]["score"] == found[0]["max_score"] == 100
    assert found[1]["beliefs"] == []


@pytest.mark.slow
def test_it_can_be_installed(edition, tmp_path):
    """As `make setup` does, but into a folder of its own."""
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", tmp_path / "site"]
    command = [sys.executable, "-m", "pip", "install", *map(str, options), str(edition)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert {"judge.py", "paged", "practice"} <= set(os.listdir(tmp_path / "site"))


def test_a_worked_answer_that_stands_in_a_problems_folder_is_said_to_be_missing(edition, tmp_path):
    result = judge_in(edition, tmp_path, "solution", "121", "--give-up")
    assert result.returncode == 2
    assert one_line(result) == "this edition has no worked answer to 121 (reference.py)"


def test_it_lists_the_same_problems(edition, tmp_path):
    rows = json.loads(judge_in(edition, tmp_path, "list", "--json").stdout)
    assert [row["number"] for row in rows] == [problem.number for problem in PROBLEMS]


# where it goes


def released(*args) -> subprocess.CompletedProcess:
    command = [sys.executable, str(ROOT / "judge.py"), "release", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ | {"LANG_EDITION": "en"})


def test_the_command_says_how_many_files_it_wrote_even_into_an_empty_folder(tmp_path):
    (tmp_path / "new").mkdir()
    result = released(tmp_path / "new")
    count = sum(file.is_file() for file in (tmp_path / "new").rglob("*"))
    assert (result.returncode, result.stdout) == (0, f"{count} files in {tmp_path / 'new'}\n")
    assert os.listdir(tmp_path) == ["new"]


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    result = released(tmp_path)
    assert result.returncode == 2
    assert one_line(result) == f"{tmp_path} is not an empty folder"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("notes.txt", "mine")]


def test_a_file_is_left_alone(tmp_path):
    file = tmp_path / "edition"
    file.write_text("mine")
    with pytest.raises(release.CannotRelease, match="is not an empty folder"):
        release.release(file)
    assert file.read_text() == "mine"


@pytest.mark.parametrize("way", ["straight", "with dots", "by a link"])
def test_the_course_itself_is_no_place_for_it(tmp_path, way):
    (tmp_path / "link").symlink_to(ROOT)
    out = {
        "straight": ROOT / "student-edition",
        "with dots": ROOT / "practice" / ".." / "student-edition",
        "by a link": tmp_path / "link" / "student-edition",
    }[way]
    with pytest.raises(release.CannotRelease, match="lies inside the course"):
        release.release(out)
    assert not (ROOT / "student-edition").exists()


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stop"])
@pytest.mark.parametrize("there", [True, False], ids=["empty folder", "nothing there"])
def test_nothing_half_made_is_left_behind(tmp_path, monkeypatch, trouble, there):
    copy, copied = shutil.copy2, []

    def copy_twenty(source, target):
        if len(copied) == 20:
            raise trouble
        copied.append(copy(source, target))

    out = tmp_path / "class" / "edition"
    out.parent.mkdir()
    if there:
        out.mkdir()
    monkeypatch.setattr(shutil, "copy2", copy_twenty)
    with pytest.raises(type(trouble)):
        release.release(out)
    assert len(copied) == 20
    assert os.listdir(out.parent) == (["edition"] if there else [])
    assert not there or os.listdir(out) == []


def test_a_disk_that_is_full_is_one_line(tmp_path, monkeypatch, capsys):
    def full(source, target):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(shutil, "copy2", full)
    monkeypatch.setattr(sys, "argv", ["judge.py", "release", str(tmp_path / "edition")])
    with pytest.raises(SystemExit) as leaving:
        cli.main()
    said, complaint = capsys.readouterr()
    assert leaving.value.code in (2, 3)
    assert said == ""
    assert "No space left on device" in complaint and len(complaint.splitlines()) == 1


def test_without_git_nothing_says_what_belongs_to_the_course(house):
    result = house.spawn("release", house.home / "edition")
    assert result.returncode == 2
    assert "is no git checkout" in one_line(result)
    assert not (house.home / "edition").exists()
