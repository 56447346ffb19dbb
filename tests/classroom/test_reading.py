"""What was handed in is read as a clean notebook, whatever it is, and mended without touching the student's work."""

import json
import os

import pytest
from nbformat import validate
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from classroom.autograde.mending import Ours, mend
from classroom.autograde.reading import REMARKS, read, remarks_in
from classroom.batch.find import tasks
from practice.judging import submissions
from practice.judging.submissions import Remark

ANSWER = "%%judge 127\nclass BlockPool: pass\n"
PICTURE = {"image.png": {"image/png": "aGVsbG8="}}


def book(*cells, **more) -> dict:
    cells = [{"cell_type": "code", "source": cell, "metadata": {}} if isinstance(cell, str) else cell for cell in cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells} | more


@pytest.fixture
def handed_in(tmp_path):
    """handed_in(content, name) -> the notebook that is read where 05-sharing.ipynb is expected."""

    def handed_in(content: dict | bytes | None = None, name: str = "05-sharing"):
        if content is not None:
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            (tmp_path / f"{name}.ipynb").write_bytes(raw)
        notebook = read(tmp_path / "05-sharing.ipynb", ["05-sharing"])
        validate(notebook)
        return notebook

    return handed_in


def remarks(notebook) -> list[str]:
    return [key for key, _, _ in notebook.metadata[REMARKS]]


def test_text_stays_and_outputs_and_metadata_do_not(handed_in):
    loud = {"cell_type": "code", "source": "1", "metadata": {"tags": ["x"]}, "outputs": [{"output_type": "stream"}]}
    notebook = handed_in(book(ANSWER, loud, metadata={"language": 7, REMARKS: [["no_notebook", None, {}]]}))
    assert [cell.source for cell in notebook.cells] == [ANSWER, "1"]
    assert notebook.cells[1].outputs == [] and notebook.cells[1].metadata == {}
    assert notebook.metadata == {REMARKS: []}


def test_pictures_that_were_pasted_into_text_stay(handed_in):
    text = {"cell_type": "markdown", "source": "![](attachment:image.png)", "attachments": PICTURE}
    assert handed_in(book(text)).cells[0].attachments == PICTURE


@pytest.mark.parametrize(
    "attachments",
    [
        7,
        [],
        {},
        {"a": 1},
        {"a": {}},
        {"a": {"text/html": "<script>"}},
        {"a": {"image/svg+xml": "aGVsbG8="}},
        {"a": {"image/png": 1}},
        {"a": {"image/png": "x" * 5_000_000}},
    ],
    ids=["number", "list", "none", "no bundle", "empty", "html", "drawing", "no text", "too large"],
)
def test_any_other_attachment_does_not(handed_in, attachments):
    text = {"cell_type": "markdown", "source": "text", "attachments": attachments}
    assert "attachments" not in handed_in(book(text)).cells[0]


def test_cells_with_one_id_and_cells_without_are_told_apart(handed_in):
    twins = [{"cell_type": "code", "source": "1", "metadata": {}, "id": "same"} for _ in range(3)]
    ids = [cell.id for cell in handed_in(book(*twins, {"cell_type": "code", "source": "1"})).cells]
    assert len(set(ids)) == 4


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b'{"cells": 3}', b"{}", b"\x00" * 100])
def test_what_is_no_notebook_is_an_empty_one_with_a_remark(handed_in, content):
    notebook = handed_in(content)
    assert notebook.cells == []
    assert remarks(notebook) == ["no_notebook"] or content in (b'{"cells": 3}', b"{}")


def test_a_missing_notebook_is_remarked(handed_in):
    assert remarks(handed_in()) == ["no_notebook"]


def test_under_another_name_the_one_with_the_most_answers_is_read(handed_in, tmp_path):
    handed_in(book("x = 1"), "a notes")
    handed_in(book("y = 1"), "z notes")
    notebook = handed_in(book(ANSWER), "my answer <b>")
    assert [cell.source for cell in notebook.cells] == [ANSWER]
    [[key, number, values], *_] = notebook.metadata[REMARKS]
    assert (key, number) == ("notebook_renamed", None)
    assert values == {"name": "05-sharing.ipynb", "found": "my answer &lt;b&gt;.ipynb"}


def test_the_notebook_of_the_right_name_goes_before_all_others(handed_in):
    handed_in(book(ANSWER), "a better one")
    notebook = handed_in(book("x = 1"))
    assert ([cell.source for cell in notebook.cells], remarks(notebook)) == (["x = 1"], ["other_notebooks"])


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_notebooks_that_are_not_graded_are_named(handed_in, tmp_path, renamed, lang):
    for name in ("<b>", "other", "._05-sharing"):
        handed_in(book("x = 1"), name)
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "other.ipynb")
    notebook = handed_in(book(ANSWER), "my answer") if renamed else handed_in(book(ANSWER))
    said = [remark.text(lang) for remark in remarks_in(notebook)]
    assert [cell.source for cell in notebook.cells] == [ANSWER]
    due = {
        "en": "not graded, for the assignment has no notebook of this name: &lt;b&gt;.ipynb, other.ipynb",
        "zh": "没有评分，作业里没有叫这个名字的 notebook：&lt;b&gt;.ipynb, other.ipynb",
    }
    assert said[-1] == due[lang] and len(said) == 1 + renamed


def test_a_link_is_not_followed(handed_in, tmp_path):
    (tmp_path / "other.txt").write_text(json.dumps(book(ANSWER)))
    (tmp_path / "05-sharing.ipynb").symlink_to(tmp_path / "other.txt")
    notebook = handed_in()
    assert (notebook.cells, remarks(notebook)) == ([], ["no_notebook"])


def test_a_pipe_is_not_waited_for(handed_in, tmp_path):
    os.mkfifo(tmp_path / "05-sharing.ipynb")
    assert remarks(handed_in()) == ["no_notebook"]


PACKED = {
    "is_archive": [b"PK\3\4rest", b"PK\5\6", b"\x1f\x8b\x08", b"Rar!\x1a", b"7z\xbc\xaf\x27\x1c"],
    "not_utf8": [b"\xff"],
}


@pytest.mark.parametrize(("why", "content"), [(why, content) for why in PACKED for content in PACKED[why]])
def test_an_archive_under_a_notebooks_name_is_told_as_what_it_is(handed_in, tmp_path, why, content):
    [[key, _, values]] = handed_in(content).metadata[REMARKS]
    assert (key, values["why"]) == ("no_notebook", why)
    said = [Remark(key, None, values).text(lang) for lang in ("en", "zh")]
    [task] = tasks(tmp_path, "zh")
    assert task.note == said[1] and "there is no such file" not in said[0]
    assert why != "is_archive" or ("unpack it" in said[0] and "解压" in said[1])


@pytest.mark.parametrize("name", ["05-sharing.ipynb", "my answer.ipynb"])
def test_a_folder_under_a_notebooks_name_is_told_as_one(handed_in, tmp_path, name):
    (tmp_path / name).mkdir()
    assert {"why": "is_folder"} in [values for _, _, values in handed_in().metadata[REMARKS]]


@pytest.mark.parametrize(
    ("others", "told"),
    [
        (["work.ZIP", "127.py", "notes.txt", ".hidden.zip"], "127.py, work.ZIP"),
        ([f"{n}.py" for n in range(9)], "0.py, 1.py, 2.py"),
        (["<b>\x1b.rar"], "&lt;b&gt;\\x1b.rar"),
    ],
)
def test_where_the_notebook_is_missing_what_came_in_its_place_is_named(handed_in, tmp_path, others, told):
    for name in others:
        (tmp_path / name).write_bytes(b"PK")
    [[_, _, values]] = handed_in().metadata[REMARKS]
    assert values == {"why": "is_missing_among", "names": told}


@pytest.mark.parametrize("over", [0, 1])
def test_autograde_and_a_batch_read_notebooks_up_to_the_same_size(handed_in, tmp_path, monkeypatch, over):
    content = json.dumps(book(ANSWER)).encode()
    monkeypatch.setattr(submissions, "MOST_OF_A_NOTEBOOK", len(content) - over)
    assert bool(handed_in(content).cells) == (not over)
    assert [task.source is None for task in tasks(tmp_path, "en")] == [bool(over)]


# mending


def ours(name: str, kind: str, source: str, **marks) -> Ours:
    plain = {"grade_id": name, "schema_version": 3, "grade": False, "solution": False, "task": False, "locked": True}
    return Ours(name, kind, source, plain | marks)


COURSE = [
    ours("intro-05", "markdown", "# 5\n\nWork."),
    ours("answer-127", "code", "%%judge 127\nstarter", solution=True, locked=False),
    ours("points-127", "code", "judge.points(127, 10)", grade=True, points=10),
    ours("explain-05", "markdown", "### Explain it\n\nScheme.", task=True, points=5),
]


def marked(cell, grade_id: str):
    cell.metadata["nbgrader"] = {"grade_id": grade_id}
    return cell


def names(notebook) -> list[str]:
    return [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]


def test_a_notebook_in_order_keeps_its_order_and_its_answer():
    cells = [new_markdown_cell("# 5\n\nWork."), new_code_cell(ANSWER), new_code_cell("judge.points(127, 10)")]
    cells += [new_code_cell("my = 1"), new_markdown_cell("### Explain it")]
    marks = ["intro-05", "answer-127", "points-127", "", "explain-05"]
    notebook = new_notebook(cells=[marked(c, m) if m else c for c, m in zip(cells, marks, strict=True)])
    assert mend(notebook, COURSE, {"answer-127": 1}) == []
    assert names(notebook) == marks
    assert notebook.cells[1].source == ANSWER
    assert notebook.cells[4].source == "### Explain it\n\nScheme."


def test_cells_without_marks_are_known_by_what_they_say():
    cells = [new_markdown_cell("# 5\n\nEdited."), new_code_cell(ANSWER), new_code_cell("judge.points(127, 10)")]
    notebook = new_notebook(cells=[*cells, new_markdown_cell("### Explain it"), new_markdown_cell("Mine.")])
    assert mend(notebook, COURSE, {"answer-127": 1}) == []
    assert names(notebook) == ["intro-05", "answer-127", "points-127", "explain-05", ""]
    assert notebook.cells[0].source == "# 5\n\nWork."


def test_what_points_hang_on_comes_back_and_points_come_after_their_answer():
    notebook = new_notebook(cells=[new_code_cell(ANSWER), new_code_cell("x = 1")])
    assert mend(notebook, COURSE, {"answer-127": 0}) == ["explain-05", "points-127"]
    assert names(notebook) == ["answer-127", "points-127", "", "explain-05"]


def test_a_cell_that_bears_anothers_name_is_no_more_than_it_is():
    cells = [marked(new_code_cell(ANSWER), "points-127"), marked(new_code_cell("judge.points(127, 10)"), "answer-127")]
    notebook = new_notebook(cells=[*cells, marked(new_markdown_cell("### Explain it"), "explain-05")])
    assert mend(notebook, COURSE, {"answer-127": 0}) == ["points-127"]
    assert names(notebook)[:2] == ["answer-127", "points-127"]
    assert [cell.source for cell in notebook.cells[:2]] == [ANSWER, "judge.points(127, 10)"]


def test_of_copies_of_a_text_to_be_graded_the_last_that_was_changed_counts():
    written = ours("text-1", "markdown", "Answer here.", grade=True, solution=True, locked=False, points=3)
    texts = ["Answer here.", "My first.", "My second.", "Answer here."]
    notebook = new_notebook(cells=[marked(new_markdown_cell(text), "text-1") for text in texts])
    assert mend(notebook, [written], {}) == []
    assert names(notebook) == ["", "", "text-1", ""]
    assert [cell.source for cell in notebook.cells] == texts
