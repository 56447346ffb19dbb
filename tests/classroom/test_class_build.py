"""`make class`: each chapter becomes an assignment that nbgrader takes, the same one every time it is built."""

import json
import re

import build_class
import pytest
from chapter import SourceError
from course import TINY
from nbformat import from_dict
from nbgrader.nbgraderformat import MetadataValidator

from practice.judging import catalogue
from practice.judging.submissions import Remark, answers_in
from practice.judging.verdict import judge

SOURCES = sorted((catalogue.ROOT / "notebooks" / "src").glob("*.md"))


def numbers(source) -> list[str]:
    """The exercises of a chapter, as its source names them."""
    return re.findall(r"^<!-- exercise: (\w+)", source.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module", params=["en", "zh"])
def built(request):
    """(language, file -> bytes) of a whole course."""
    return request.param, build_class.build(request.param, catalogue.ROOT / "notebooks", catalogue.PROBLEMS)


@pytest.fixture(scope="module")
def books(built):
    """chapter -> its assignment."""
    return {name.split("/")[1]: json.loads(text) for name, text in built[1].items() if name.endswith(".ipynb")}


def ids(book) -> dict[str, dict]:
    """grade id -> cell."""
    marked = [cell for cell in book["cells"] if "nbgrader" in cell["metadata"]]
    named = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in marked}
    assert len(named) == len(marked)
    return named


def source(cell) -> str:
    return "".join(cell["source"])


def test_every_chapter_is_an_assignment(built):
    names = {f"source/{path.stem}/{path.stem}.ipynb" for path in SOURCES}
    assert built[1].keys() == names | {"nbgrader_config.py"}


def test_every_exercise_has_its_statement_its_answer_and_its_points(built, books):
    for path in SOURCES:
        cells = ids(books[path.stem])
        for number in numbers(path):
            problem = catalogue.find(str(number))
            assert source(cells[f"statement-{number}"]) == problem.text("statement", built[0]).rstrip()
            assert source(cells[f"points-{number}"]) == f"judge.points({problem.number!r}, 10)"
            assert cells[f"points-{number}"]["metadata"]["nbgrader"]["points"] == 10
        assert sum(name.startswith("answer-") for name in cells) == len(numbers(path))


def test_a_student_gets_the_starter_and_the_source_ends_in_the_worked_answer(books):
    for path in SOURCES:
        for number in numbers(path):
            problem, text = catalogue.find(str(number)), source(ids(books[path.stem])[f"answer-{number}"])
            stub, _, solution = text.partition("\n\n### BEGIN SOLUTION\n")
            assert stub == f"%%judge {number}\n\n{problem.starter.rstrip()}"
            assert solution == f"{problem.reference()}### END SOLUTION"


def test_every_assignment_has_one_task_for_a_person_with_a_marking_scheme(built, books):
    for path in SOURCES:
        [task] = [cell for cell in ids(books[path.stem]).values() if cell["metadata"]["nbgrader"]["task"]]
        asked, scheme = source(task).split("### BEGIN MARK SCHEME\n")
        assert task["cell_type"] == "markdown" and task["metadata"]["nbgrader"]["points"] == 5
        assert len(re.findall(r"^\| [12] \|", scheme, re.MULTILINE)) == 4
        assert sum(int(n) for n in re.findall(r"^\| ([12]) \|", scheme, re.MULTILINE)) == 5
        answer = next(line for line in scheme.splitlines() if line.startswith("> "))
        assert answer in path.read_text(encoding="utf-8") and answer not in asked
        assert scheme.endswith("### END MARK SCHEME")


def test_nbgrader_accepts_the_metadata(books):
    for book in books.values():
        MetadataValidator().validate_nb(from_dict(book))
        for name in ids(book):
            assert re.fullmatch(r"[a-zA-Z0-9_\-]+", name)


def test_all_but_the_answers_is_locked(books):
    for book in books.values():
        for name, cell in ids(book).items():
            marks = cell["metadata"]["nbgrader"]
            assert marks["locked"] != name.startswith("answer-") == marks["solution"]
            assert marks["grade"] == name.startswith("points-")
            assert marks["schema_version"] == 3


def test_grade_ids_are_unique_in_the_course(books):
    names = [name for book in books.values() for name in ids(book)]
    assert len(names) == len(set(names)) > 30


def test_a_rebuild_gives_the_same_bytes_and_both_languages_the_same_grade_ids(built, books):
    other = "zh" if built[0] == "en" else "en"
    again = build_class.build(built[0], catalogue.ROOT / "notebooks", catalogue.PROBLEMS)
    assert again == built[1]
    for name, text in build_class.build(other, catalogue.ROOT / "notebooks", catalogue.PROBLEMS).items():
        if name.endswith(".ipynb"):
            assert list(ids(json.loads(text))) == list(ids(books[name.split("/")[1]]))


def test_the_settings_speak_the_courses_language(built):
    settings = built[1]["nbgrader_config.py"].decode()
    assert f'\nLANG = "{built[0]}"  #' in settings
    compile(settings, "nbgrader_config.py", "exec")


# writing it


@pytest.fixture
def build(tmp_path):
    """build(text of the one chapter) -> exit status, into tmp_path/course."""

    def build(text: str = TINY, *more: str) -> int:
        source = tmp_path / "notebooks" / "src" / "90-tiny.md"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        return build_class.main(["--notebooks", str(tmp_path / "notebooks"), "--out", str(tmp_path / "course"), *more])

    return build


def test_a_course_that_nobody_edited_follows_the_chapters(build, tmp_path, capsys):
    assert build(TINY, "--lang", "en") == 0
    assert build(TINY.replace("until one writes", "until somebody writes"), "--lang", "en") == 0
    text = (tmp_path / "course" / "source" / "90-tiny" / "90-tiny.ipynb").read_text(encoding="utf-8")
    assert "until somebody writes" in text
    assert capsys.readouterr().out.endswith("1 assignments, 2 files written, 0 kept\n")


def test_what_a_teacher_edited_is_kept_until_it_is_deleted(build, tmp_path, capsys):
    assert build(TINY, "--lang", "en") == 0
    settings = tmp_path / "course" / "nbgrader_config.py"
    settings.write_text("# mine\n")
    for _ in range(2):
        assert build(TINY, "--lang", "zh") == 0
        assert settings.read_text() == "# mine\n"
        assert f"kept: {settings} was edited; delete it to have it built again\n" in capsys.readouterr().out
    settings.unlink()
    assert build(TINY, "--lang", "zh") == 0
    assert 'LANG = "zh"' in settings.read_text(encoding="utf-8")


def test_grades_and_submissions_are_left_alone(build, tmp_path):
    assert build() == 0
    for name in ("gradebook.db", "submitted/bob/90-tiny/90-tiny.ipynb"):
        (tmp_path / "course" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "course" / name).write_text("precious")
    assert build(TINY, "--lang", "zh") == 0
    assert (tmp_path / "course" / "gradebook.db").read_text() == "precious"
    assert (tmp_path / "course" / "submitted/bob/90-tiny/90-tiny.ipynb").read_text() == "precious"


@pytest.mark.parametrize(("edition", "title"), [("en", "# 90 · Tiny"), ("zh", "# 90 · 很小")])
def test_the_edition_is_chosen_as_everywhere(build, tmp_path, monkeypatch, edition, title):
    monkeypatch.setenv("LANG_EDITION", edition)
    assert build() == 0
    book = json.loads((tmp_path / "course" / "source" / "90-tiny" / "90-tiny.ipynb").read_text(encoding="utf-8"))
    assert source(book["cells"][0]).splitlines()[0] == title


def test_a_chapter_that_explains_nothing_is_a_fault_that_names_it(build, capsys):
    assert build(TINY.replace("## How to explain it", "## Else"), "--lang", "en") == 2
    assert capsys.readouterr().err.endswith("90-tiny.md:1: no section '## How to explain it', which the task needs\n")


def test_a_student_edition_says_that_it_is_one(build, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(build_class, "CONFIG", tmp_path / "classroom" / "nbgrader_config.py")
    assert build() == 2
    assert capsys.readouterr().err == "this edition of the course is the students': it has no classroom/\n"
    assert not (tmp_path / "course").exists()


def test_a_worked_answer_that_is_missing_is_named(build, capsys, monkeypatch):
    def reference(problem):
        raise catalogue.BrokenProblem(f"this edition has no worked answer to {problem.number} (reference.py)")

    monkeypatch.setattr(catalogue.Problem, "reference", reference)
    assert build() == 2
    assert capsys.readouterr().err == "this edition has no worked answer to 127 (reference.py)\n"


def test_the_texts_of_both_languages_fill_in_the_same_values():
    for name in ("intro", "explain"):
        values = [
            set(re.findall(r"\$(\w+)", (build_class.TEXTS / f"{name}.{lang}.md").read_text(encoding="utf-8")))
            for lang in ("en", "zh")
        ]
        assert values[0] == values[1] != set()


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(KeyError):
        build_class.text("intro", "en", title="# 1")


def test_a_fault_in_a_chapter_is_raised_as_it_is(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "90-tiny.md").write_text(TINY.replace('"zh"', '"fr"'), encoding="utf-8")
    with pytest.raises(SourceError):
        build_class.build("en", tmp_path, catalogue.PROBLEMS)


@pytest.mark.slow
@pytest.mark.needs("bubblewrap", "torch", "triton")
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_solution_is_accepted_and_every_stub_is_not(source):
    """As they stand in the notebooks: the starter above the worked answer, and the starter alone."""
    text = build_class.build("en", catalogue.ROOT / "notebooks", catalogue.PROBLEMS)[
        f"source/{source.stem}/{source.stem}.ipynb"
    ]
    book = json.loads(text)
    solutions = answers_in(book).answers
    for cell in book["cells"]:
        cell["source"] = re.sub(r"### BEGIN SOLUTION.*### END SOLUTION", "", "".join(cell["source"]), flags=re.DOTALL)
    stubs = answers_in(book)
    assert sorted(map(str, solutions)) == sorted(map(str, stubs.answers)) == sorted(numbers(source))
    for number, solution in solutions.items():
        problem = catalogue.find(str(number))
        kernel = problem.kind == "kernel"  # whose hidden tests take minutes; `check` has proved its reference
        options = {"examples_only": kernel, "shrink_seconds": 0, "diagnose_seconds": 0}
        assert judge(problem, solution.encode(), **options).score == (10 if kernel else 100)
        assert judge(problem, stubs.answers[number].encode(), **options).score == 0
        assert Remark("answer_untouched", number) in stubs.remarks
