"""Reading what was handed in, whatever became of it.

nbgrader leaves out a student without a notebook of the right name, and stops the whole class at some that it can't
read. Here every folder that was handed in comes to be graded. A notebook under another name is taken all the same; of
what is no notebook an empty one is made. Outputs and metadata stay behind, but for names that nbgrader gave to cells.
"""

import fnmatch
import glob
import hashlib
import html
import os
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException

from classroom.autograde import times
from classroom.autograde.copying import copy_only_plain_files
from classroom.batch.find import printable
from classroom.batch.handed_in import ARCHIVES, GRADED, kind, listed
from practice.judging import submissions
from practice.judging.submissions import Cell, Remark

MOST_NAMES = 3  # of files that are told in place of a missing notebook
MOST_OF_A_PICTURE = 4 << 20  # letters, of the attachments of one cell
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}  # SVG may hold scripts
IS_PATTERN = "nbgrader can't work with * ? [ or control characters in a name"
IS_LINK, IS_FILE = "it is a link", "it is no folder"
REMEDIES = {IS_PATTERN: "Rename the folder", IS_LINK: "Put the folder itself there", IS_FILE: "Put a folder there"}
REMARKS = "remarks"  # in the metadata of the notebook in between


class SubmissionExporter(NotebookExporter):
    """What `Autograde` reads submissions with, and what it reads back in between."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if isinstance(self.parent, Autograde):
            _expect_all(self.parent)
            times.survive(self.parent.coursedir)
            copy_only_plain_files(self.parent)

    def from_filename(self, filename: str, resources: dict | None = None, **kwargs):
        about, coursedir = resources["nbgrader"], self.parent.coursedir
        between = coursedir.format_path(coursedir.autograded_directory, about["student"], about["assignment"])
        if Path(filename).parent == Path(between):
            return super().from_filename(filename, resources, **kwargs)
        expected = expected_names(self.parent, about["assignment"])
        book = read(Path(filename), expected)
        if not times.is_known(Path(filename).parent):
            book.metadata[REMARKS].append(["no_time", None, {}])
            times.forget(Path(between))
        return self.from_notebook_node(book, resources, **kwargs)


def expected_names(converter: Autograde, assignment: str) -> list[str]:
    """The notebooks that an assignment has, without .ipynb."""
    with Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
        try:
            return [notebook.name for notebook in gradebook.find_assignment(assignment).notebooks]
        except MissingEntry:
            return []  # nbgrader says what is wrong with the assignment


def _expect_all(converter: Autograde) -> None:
    """Have every notebook graded in every folder that was handed in, be it there or not; see `_why_no_grade`."""
    coursedir, assignment = converter.coursedir, converter.coursedir.assignment_id
    names = [n for n in expected_names(converter, assignment) if fnmatch.fnmatch(n, coursedir.notebook_id)]
    if not names:
        return
    asked = Path(coursedir.format_path(coursedir.submitted_directory, coursedir.student_id, assignment))
    literally = coursedir.student_id != "*" and os.path.lexists(asked)
    folders = {asked} if literally else {*map(Path, glob.glob(str(asked)))}
    refused = {folder: why for folder in folders if (why := _why_no_grade(folder, Path(coursedir.root)))}
    for folder in sorted(refused):
        why = refused[folder]
        converter.log.error(printable(f"Not graded, for {why}: {folder}. {REMEDIES[why]}, and grade again."))
    fit = folders - {*refused}
    converter.assignments = {str(folder): [str(folder / f"{name}.ipynb") for name in names] for folder in fit}
    if not fit:
        raise NbGraderException(f"No folder that was handed in for {assignment} can be graded")


def _why_no_grade(folder: Path, root: Path) -> str:
    """Why a folder that was handed in can't be graded, or "".

    In some names nbgrader, which looks for files by patterns, would see others than they are. A link could have the
    grader's own files graded, and released as feedback.
    """
    name = os.path.relpath(folder, root)
    if glob.has_magic(name) or name != printable(name):
        return IS_PATTERN
    if folder.is_symlink() or folder.parent.is_symlink():
        return IS_LINK
    return "" if folder.is_dir() else IS_FILE


def read(path: Path, expected: list[str]) -> NotebookNode:
    """A clean notebook from a file that was handed in. Its metadata holds remarks, in place of whatever was there.

    expected: names of notebooks; any other file of the folder may be the one that is meant.
    """
    books = [other for other in sorted(path.parent.glob("*.ipynb")) if other.name[0] != "." and not other.is_symlink()]
    others, remarks = [book for book in books if book.stem not in expected], []
    if others and not path.exists() and not path.is_symlink():
        found = max(others, key=_answered)
        others.remove(found)
        remarks.append(Remark("notebook_renamed", values={"name": path.name, "found": _quoted(found)}))
        path = found
    if others:
        remarks.append(Remark("other_notebooks", values={"names": ", ".join(map(_quoted, others[:MOST_NAMES]))}))
    raw = _content(path)
    if isinstance(raw, submissions.Submission):
        remarks += raw.remarks
        raw = {}
    cells = [_clean(cell, place) for place, cell in enumerate(submissions.cells_of(raw))]
    return new_notebook(cells=cells, metadata={REMARKS: [[r.key, r.number, r.values] for r in remarks]})


def remarks_in(notebook: NotebookNode) -> list[Remark]:
    return [Remark(*remark) for remark in notebook.metadata.get(REMARKS, [])]


def _content(path: Path) -> dict | submissions.Submission:
    try:
        if why := _why_not(path):
            return submissions.nothing(why)
        if not path.exists():
            return _missing(path.parent)
        if (size := path.stat().st_size) > submissions.MOST_OF_A_NOTEBOOK:
            return submissions.nothing("is_large", size=size, most=submissions.MOST_OF_A_NOTEBOOK)
        return submissions.parse(path.read_bytes())
    except OSError as error:
        return submissions.nothing(str(error.strerror))


def _why_not(path: Path) -> str:
    """The message that says what is there in place of a file, or ""."""
    if path.is_symlink():
        return "is_link"
    return "is_folder" if path.is_dir() else "not_regular" if path.exists() and not path.is_file() else ""


def _missing(folder: Path) -> submissions.Submission:
    """No notebook, but what was perhaps meant to be one."""
    names = [_quoted(other) for other in listed(folder) if kind(other) in ARCHIVES + GRADED]
    if not names:
        return submissions.nothing("is_missing")
    return submissions.nothing("is_missing_among", names=", ".join(names[:MOST_NAMES]))


def _answered(path: Path) -> int:
    """How many problems a notebook answers."""
    raw = _content(path)
    return 0 if isinstance(raw, submissions.Submission) else len(submissions.answers_in(raw).answers)


def _quoted(path: Path) -> str:
    """A name that a student chose, to stand in Markdown."""
    return html.escape(printable(path.name)[:80])


def _clean(cell: Cell, place: int) -> NotebookNode:
    """The cell's text as a fresh cell. Of its metadata only nbgrader's name for it stays, for mending to look at."""
    make = {"code": new_code_cell, "raw": new_raw_cell}.get(cell.kind, new_markdown_cell)
    name = hashlib.sha256(f"{place}\n{cell.text}".encode()).hexdigest()[:12]
    clean = make(cell.text, id=name, metadata={"nbgrader": {"grade_id": cell.grade_id}} if cell.grade_id else {})
    pictures = cell.raw.get("attachments")
    if clean.cell_type == "markdown" and _are_pictures(pictures):
        clean.attachments = pictures
    return clean


def _are_pictures(attachments: object) -> bool:
    """{name: {type: base64}}, as notebooks hold pictures that were pasted into text."""
    if not isinstance(attachments, dict) or not attachments:
        return False
    bundles = list(attachments.values())
    if not all(isinstance(bundle, dict) and bundle for bundle in bundles):
        return False
    data = [(kind, text) for bundle in bundles for kind, text in bundle.items()]
    whole = sum(len(text) for _, text in data if isinstance(text, str))
    return whole <= MOST_OF_A_PICTURE and all(kind in PICTURES and isinstance(text, str) for kind, text in data)
