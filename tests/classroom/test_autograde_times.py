"""A time that can't be read is told, and costs nobody grade, feedback or the collection of the others' work."""

import logging
from datetime import datetime
from pathlib import Path

import pytest
from course import SOLVED, copied
from nbgrader.coursedir import CourseDirectory

from classroom.autograde import times

NO_TIME = {
    "words": b"yesterday, I think",
    "a number": b"9" * 40,
    "a far zone": b"2026-03-02 10:00:00 99999999",
    "before all time": b"0001-01-01 00:00:00 +1400",
    "no text": b"\xff\xfe",
    "zeros": b"\0" * 9,
    "a folder": None,
}
TIMES = {"2026-03-02 10:00:00.000000 UTC": datetime(2026, 3, 2, 10), "": None, " \n": None}


def put(folder: Path, content: bytes | None) -> None:
    if content is None:
        (folder / times.NAME).mkdir()
        (folder / times.NAME / "notes.txt").write_text("x")
    else:
        (folder / times.NAME).write_bytes(content)


@pytest.fixture
def coursedir(tmp_path):
    made = CourseDirectory(root=str(tmp_path))
    times.survive(made)
    return made


@pytest.mark.parametrize("content", NO_TIME.values(), ids=NO_TIME)
def test_nbgrader_takes_what_is_no_time_for_none_and_says_so(coursedir, tmp_path, caplog, content):
    put(tmp_path, content)
    with caplog.at_level(logging.WARNING):
        assert coursedir.get_existing_timestamp(str(tmp_path)) is None
    assert str(tmp_path / times.NAME) in caplog.text


@pytest.mark.parametrize("content", NO_TIME.values(), ids=NO_TIME)
def test_what_is_no_time_is_emptied_in_a_graded_folder(tmp_path, content):
    put(tmp_path, content)
    times.forget(tmp_path)
    assert (tmp_path / times.NAME).read_bytes() == b""


@pytest.mark.parametrize("text", TIMES)
def test_a_time_is_read_and_stays(coursedir, tmp_path, text, caplog):
    put(tmp_path, text.encode())
    assert coursedir.get_existing_timestamp(str(tmp_path)) == TIMES[text]
    times.forget(tmp_path)
    assert ((tmp_path / times.NAME).read_text(), caplog.text) == (text, "")
    assert coursedir.get_existing_timestamp(str(tmp_path / "nowhere")) is None


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory):
    """Everybody handed in a right answer; one of them at a time that is known."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    for student, content in (NO_TIME | {"known": next(iter(TIMES)).encode()}).items():
        course.hand_in(student, SOLVED)
        put(course.folder(student), content)
    course.hand_in("no cells", lambda book: book["cells"].clear())
    put(course.folder("no cells"), NO_TIME["words"])
    course.result = course.autograde()
    return course


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_everybody_is_graded_and_whose_time_is_not_known_is_told(course):
    assert course.result["success"], course.result["log"]
    said = "timestamp.txt holds no time that can be read"
    for student in NO_TIME:
        assert course.row(student)["points-127"] == (10.0, False)
        assert (
            said in course.said(student) and f"[INFO] {student} 90-tiny: 127 AC 100/100; {said}" in course.result["log"]
        )
    assert said not in course.said("known")
    with course.gradebook as book:
        assert book.find_submission(course.chapter, "known").timestamp == datetime(2026, 3, 2, 10)


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_what_else_is_odd_is_told_as_well(course):
    assert course.row("no cells")["points-127"] == (0.0, False)
    assert "timestamp.txt holds no time" in course.said("no cells") and "it has no cells" in course.said("no cells")


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_feedback_can_be_generated_as_often_as_wanted(course):
    for _ in range(2):
        result = course.api.generate_feedback(course.chapter, force=False)
        assert result["success"], result["log"]
    assert {path.name for path in (course.root / "feedback").iterdir()} == {*NO_TIME, "known", "no cells"}


@pytest.mark.slow
def test_one_students_time_does_not_keep_anothers_work_from_being_collected(course, tmp_path):
    exchange = tmp_path / "exchange"
    course.configure(f"c.Exchange.root = {str(exchange)!r}", "c.ExchangeCollect.check_owner = False")
    for student in (*NO_TIME, "new"):
        handed_in = exchange / "paged-kv-cache" / "inbound" / f"{student}+{course.chapter}+2026-03-03 10:00:00 UTC"
        handed_in.mkdir(parents=True)
        (handed_in / f"{course.chapter}.ipynb").write_text("{}")
    exchange.chmod(0o777)
    result = course.api.collect(course.chapter)
    assert result["success"], result["error"]
    assert (course.root / "submitted" / "new" / course.chapter / f"{course.chapter}.ipynb").exists()
