"""What is no plain file among what was handed in is left out and told: it costs nobody a grade, and shows nothing."""

import logging
import os
import socket
from pathlib import Path

import pytest
from course import SOLVED, copied

from classroom.autograde import copying, times

SECRET = "of this no student may read"
WHEN = "2026-03-03 10:00:00 UTC"


def odd(folder: Path, secret: Path) -> dict[str, str]:
    """Put what is no plain file into a folder: what it is called -> why it is left out."""
    (folder / "data").mkdir()
    (folder / "nowhere.txt").symlink_to("/nowhere/at/all")
    (folder / "key.txt").symlink_to(secret)
    (folder / "data" / "deep.txt").symlink_to(os.path.relpath(secret, folder / "data"))
    (folder / "everything").symlink_to(secret.parent)
    (folder / "circle").symlink_to("circle")
    os.mkfifo(folder / "pipe")
    here = os.open(folder, os.O_DIRECTORY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{here}/socket")  # the name of a socket must be short
    os.close(here)
    (folder / "plain.txt").write_text("plain")
    (folder / "data" / "plain.txt").write_text("plain")
    links = dict.fromkeys(["nowhere.txt", "key.txt", "data/deep.txt", "everything", "circle"], "it is a link")
    return links | {"pipe": "it is no plain file", "socket": "No such device or address"}


def files(folder: Path) -> set[str]:
    """Everything below a folder but folders."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


@pytest.fixture
def secret(tmp_path):
    (tmp_path / "private").mkdir()
    made = tmp_path / "private" / "secret"
    made.write_text(SECRET)
    return made


@pytest.fixture
def copied_files(tmp_path):
    """Copies a folder: what lies there then, and what was told."""

    def copy(src: Path, ignored=lambda path, names: (), **limits):
        told = []
        copying.copy_plain_files(src, tmp_path / "copy", ignored, lambda path, why: told.append((path, why)), **limits)
        return files(tmp_path / "copy"), told

    return copy


def test_only_plain_files_are_copied_and_all_else_is_told_once(tmp_path, secret, copied_files):
    (tmp_path / "in").mkdir()
    due = odd(tmp_path / "in", secret)
    there, told = copied_files(tmp_path / "in")
    assert there == {"plain.txt", "data/plain.txt"}
    assert sorted(told) == sorted((str(tmp_path / "in" / name), why) for name, why in due.items())


def test_what_is_ignored_is_left_out_without_a_word(tmp_path, secret, copied_files):
    (tmp_path / "in").mkdir()
    odd(tmp_path / "in", secret)
    assert copied_files(tmp_path / "in", lambda path, names: names) == (set(), [])


def test_what_goes_beyond_the_limit_is_told_and_the_rest_is_copied(tmp_path, copied_files):
    (tmp_path / "in").mkdir()
    for name, size in (("a", 6), ("b", 5), ("c", 4)):
        (tmp_path / "in" / name).write_bytes(b"x" * size)
    there, told = copied_files(tmp_path / "in", limit=10)
    assert there == {"a", "c"}
    assert told == [(str(tmp_path / "in" / "b"), "it has 5 bytes, 4 are left for this submission")]


def test_a_folder_that_is_itself_a_link_is_not_entered(tmp_path, secret, copied_files):
    (tmp_path / "in").symlink_to(secret.parent)
    assert copied_files(tmp_path / "in")[0] == set()


@pytest.mark.parametrize("levels", [copying.MOST_LEVELS, 2 * copying.MOST_LEVELS])
def test_folders_in_folders_end_somewhere(tmp_path, monkeypatch, levels):
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    for _ in range(levels):
        os.mkdir("d")
        Path("plain.txt").write_text("plain")
        os.chdir("d")
    monkeypatch.chdir(tmp_path)
    told = []
    copying.copy_plain_files("in", "copy", lambda path, names: (), lambda path, why: told.append(why))
    assert len(list(Path("copy").rglob("plain.txt"))) == copying.MOST_LEVELS
    assert told == ["more than 30 folders lie in each other"]


def test_a_time_that_is_a_link_or_a_pipe_is_no_time(tmp_path, secret):
    secret.write_text(WHEN)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / times.NAME).symlink_to(secret)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / times.NAME)
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "nowhere" / times.NAME).symlink_to("/nowhere/at/all")
    assert [times.is_known(tmp_path / name) for name in ("link", "pipe", "nowhere")] == [False] * 3


@pytest.mark.slow
def test_collecting_follows_no_link_stops_at_nothing_and_tells(generated, tmp_path, secret, caplog):
    course, exchange = copied(generated, tmp_path), tmp_path / "exchange"
    course.configure(f"c.Exchange.root = {str(exchange)!r}", "c.ExchangeCollect.check_owner = False")
    inbound = exchange / "paged-kv-cache" / "inbound"
    for student in ("aa", "ok"):
        folder = inbound / f"{student}+{course.chapter}+{WHEN}"
        folder.mkdir(parents=True)
        (folder / f"{course.chapter}.ipynb").write_text("{}")
    due = odd(inbound / f"aa+{course.chapter}+{WHEN}", secret)
    (inbound / f"linked+{course.chapter}+{WHEN}").symlink_to(secret.parent)
    (inbound / f"lost+{course.chapter}+{WHEN}").symlink_to("/nowhere/at/all")
    (inbound / f"late+{course.chapter}+whenever").mkdir()
    (inbound / f"file+{course.chapter}+{WHEN}").write_text("x")
    exchange.chmod(0o777)
    with caplog.at_level(logging.WARNING):
        result = course.api.collect(course.chapter)
    assert result["success"], result["error"]
    assert files(course.root / "submitted") == {
        *(f"{student}/{course.chapter}/{course.chapter}.ipynb" for student in ("aa", "ok")),
        *(f"aa/{course.chapter}/{name}" for name in ("plain.txt", "data/plain.txt")),
    }
    for name in [*(f"/{name}: {why}" for name, why in due.items()), "linked+", "lost+", "late+", "file+"]:
        assert name in result["log"]


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_a_group_can_work_on_what_is_collected_where_the_course_is_shared(generated, tmp_path, shared):
    course, exchange = copied(generated, tmp_path), tmp_path / "exchange"
    course.configure(f"c.Exchange.root = {str(exchange)!r}", "c.ExchangeCollect.check_owner = False")
    course.configure(f"c.CourseDirectory.groupshared = {shared}")
    folder = exchange / "paged-kv-cache" / "inbound" / f"aa+{course.chapter}+{WHEN}"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "plain.txt").write_text("plain")
    exchange.chmod(0o2777)
    assert course.api.collect(course.chapter)["success"]
    made = course.root / "submitted" / "aa" / course.chapter / "data"
    assert (made.stat().st_mode & 0o2770 == 0o2770, (made / "plain.txt").stat().st_mode & 0o660 == 0o660) == (
        (True, True) if shared else (False, False)
    )


@pytest.fixture(scope="module")
def graded(generated, tmp_path_factory):
    """Everybody handed in a right answer, some with odd things beside it; and links in place of folders."""
    course, outside = copied(generated, tmp_path_factory.mktemp("class")), tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text(SECRET)
    (course.root / "source" / course.chapter / "tables").mkdir()
    for name in ("data.csv", "tables/one.csv"):
        (course.root / "source" / course.chapter / name).write_text("ours")
    for student in ("fine", "odd", "in the way"):
        course.hand_in(student, SOLVED)
    course.due = odd(course.folder("odd"), outside / "secret")
    for name in ("data.csv", f"{course.chapter}.html"):
        (course.folder("in the way") / name).mkdir()
        (course.folder("in the way") / name / "x.txt").write_text("x")
    (course.folder("in the way") / "tables").write_text("x")
    (course.root / "submitted" / "k1").mkdir()
    (course.root / "submitted" / "k1" / course.chapter).symlink_to(outside)
    (course.root / "submitted" / "k2").symlink_to(course.root / "submitted" / "fine")
    (course.root / "submitted" / "k3").mkdir()
    (course.root / "submitted" / "k3" / course.chapter).symlink_to("/nowhere/at/all")
    (course.root / "submitted" / "k4").mkdir()
    (course.root / "submitted" / "k4" / course.chapter).write_text("x")
    course.result = course.autograde()
    return course


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_a_right_answer_keeps_its_points_whatever_lies_beside_it(graded):
    assert graded.result["success"], graded.result["log"]
    for student in ("fine", "odd", "in the way"):
        assert graded.row(student)["points-127"] == (10.0, False)
    for name, why in graded.due.items():
        assert f"Left out {graded.folder('odd')}/{name}: {why}" in graded.result["log"]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_what_stands_in_the_way_of_the_courses_own_files_is_told(graded):
    for name in ("data.csv", "tables", f"{graded.chapter}.html"):
        line = f"Left out {graded.folder('in the way')}/{name}: the assignment has something else of this name"
        assert graded.result["log"].count(line) == 1
    made = graded.root / "autograded" / "in the way" / graded.chapter
    assert {(made / name).read_text() for name in ("data.csv", "tables/one.csv")} == {"ours"}


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_folders_that_are_links_or_no_folders_are_not_graded_and_told(graded):
    assert sorted(os.listdir(graded.root / "autograded")) == ["fine", "in the way", "odd"]
    submitted = graded.root / "submitted"
    for student, why in {"k1": "a link", "k2": "a link", "k3": "a link", "k4": "no folder"}.items():
        assert f"Not graded, for it is {why}: {submitted}/{student}/{graded.chapter}. Put" in graded.result["log"]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_nothing_that_a_link_leads_to_is_released(graded):
    result = graded.api.generate_feedback(graded.chapter)
    assert result["success"], result["log"]
    for step in ("autograded", "feedback"):
        made = [path for path in (graded.root / step).rglob("*") if path.is_symlink() or not path.is_dir()]
        assert all(path.is_file() and not path.is_symlink() and SECRET not in path.read_text() for path in made)
        assert (graded.root / step / "odd" / graded.chapter / "data" / "plain.txt").exists()
