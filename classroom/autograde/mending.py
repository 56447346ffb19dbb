"""Putting back what belongs to the course: its locked cells, their types and points, and nbgrader's metadata.

The gradebook knows every cell of the assignment by its name. In what was handed in each of them then stands once, with
the metadata of the gradebook; a copy is an ordinary cell, and what is missing comes back. What a student has written
stays where it is, and what of it could act in a browser is shown as it was written.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from nbgrader.api import Gradebook, Notebook
from nbgrader.preprocessors import NbGraderPreprocessor

from classroom.autograde.reading import REMARKS
from classroom.autograde.showing import shown
from practice.judging import submissions

MAKE = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}


@dataclass
class Ours:
    """A cell of the assignment. marks: nbgrader's metadata; counts: whether points hang on it."""

    name: str
    kind: str
    source: str
    marks: dict

    @property
    def locked(self) -> bool:
        return self.marks["locked"]

    @property
    def counts(self) -> bool:
        return self.marks["grade"] or self.marks["task"]


class Mend(NbGraderPreprocessor):
    """Comes first among `Autograde.sanitize_preprocessors`."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            ours = cells_of_the_assignment(gradebook.find_notebook(about["notebook"], about["assignment"]))
        wanted = [number for cell in ours if cell.marks["grade"] for number in submissions.ASKED.findall(cell.source)]
        remarks = nb.metadata.pop(REMARKS, [])
        if not any(key == "no_notebook" for key, *_ in remarks):  # else nothing more is to be said
            taken = submissions.answers_in(nb, wanted)
            remarks += [[remark.key, remark.number, remark.values] for remark in taken.remarks]
            places = {f"answer-{number}": place for number, place in taken.places.items()}
            _make_code(nb, taken.places.values())
        else:
            places = {}
        handed_in = bool(nb.cells)
        restored = mend(nb, ours, places)
        if restored and handed_in:
            remarks.append(["cells_restored", None, {"names": ", ".join(restored)}])
        of_the_course = {our.source for our in ours}
        nb.cells = [shown(cell, of_the_course=cell.source in of_the_course) for cell in nb.cells]
        nb.metadata[REMARKS] = remarks
        return nb, resources


def cells_of_the_assignment(notebook: Notebook) -> list[Ours]:
    """All cells that the gradebook has of a notebook."""
    points = {cell.name: cell.max_score for cell in [*notebook.grade_cells, *notebook.task_cells]}
    graded = {cell.name for cell in notebook.grade_cells}
    tasks = {cell.name for cell in notebook.task_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    found = []
    for cell in notebook.source_cells:
        marks = {"grade_id": cell.name, "schema_version": 3, "locked": cell.locked, "checksum": cell.checksum}
        marks |= {"grade": cell.name in graded, "solution": cell.name in solutions, "task": cell.name in tasks}
        marks |= {"cell_type": cell.cell_type} | ({"points": points[cell.name]} if cell.name in points else {})
        found.append(Ours(cell.name, cell.cell_type, cell.source, marks))
    return found


def _make_code(nb: NotebookNode, places: Iterable[int]) -> None:
    """Have the cells at these places be code, whatever they were handed in as."""
    for place in places:
        cell = nb.cells[place]
        if cell.cell_type != "code":
            nb.cells[place] = new_code_cell(cell.source, id=cell.id, metadata=cell.metadata)


def mend(nb: NotebookNode, ours: list[Ours], places: dict[str, int]) -> list[str]:
    """Mend a notebook in place. places: cells that are known by what they are. Returns the names of the cells that
    points hang on and that had been changed or were missing.
    """
    claims: dict[str, list[int]] = {}
    for place, cell in enumerate(nb.cells):
        claims.setdefault(cell.metadata.pop("nbgrader", {}).get("grade_id", ""), []).append(place)
    free, restored, missing = set(claims.pop("", [])) - set(places.values()), [], []
    for our in ours:
        place = places.get(our.name)
        if place is None:
            claimed = [place for place in claims.get(our.name, []) if place not in places.values()]
            place = _place(nb, our, claimed, free)
        if place is None:
            missing.append(our)
            continue
        free.discard(place)
        cell = nb.cells[place]
        changed = our.locked and (cell.cell_type != our.kind or not _alike(cell.source, our))
        nb.cells[place] = _made(our, our.source if our.locked else cell.source, cell)
        if our.counts and changed:
            restored.append(our.name)
    for our in missing:
        if our.counts:
            nb.cells.insert(_where(nb, our), _made(our, our.source, None))
            restored.append(our.name)
    return sorted(restored)


def _place(nb: NotebookNode, our: Ours, claimed: list[int], free: set[int]) -> int | None:
    """Where a cell of ours is: of several that bear its name the last one that a student has changed, if it may be
    changed; without a name, a locked one by its first line.
    """
    if claimed:
        changed = [place for place in claimed if nb.cells[place].source.strip() != our.source.strip()]
        return claimed[0] if our.locked else (changed or claimed)[-1]
    if not our.locked:
        return None
    return next(
        (place for place in sorted(free) if _first_line(nb.cells[place].source) == _first_line(our.source)), None
    )


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _alike(text: str, our: Ours) -> bool:
    """Whether a locked cell is as it was released. A task has been released without its marking scheme."""
    return our.marks["task"] or text.strip() == our.source.strip()


def _made(our: Ours, source: str, was: NotebookNode | None) -> NotebookNode:
    identity = {"id": was.id} if was else {}
    made = MAKE[our.kind](source, metadata={"nbgrader": dict(our.marks)}, **identity)
    if was and was.cell_type == made.cell_type == "markdown" and "attachments" in was:
        made.attachments = was.attachments
    return made


def _where(nb: NotebookNode, our: Ours) -> int:
    """Where a missing cell goes: points come after their answer, anything else at the end."""
    answer = our.name.replace("points-", "answer-", 1)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nb.cells]
    return names.index(answer) + 1 if answer in names else len(names)
