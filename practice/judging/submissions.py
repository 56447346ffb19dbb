"""The answers in a notebook that was handed in: one source per problem, and what was odd about each.

The answer to problem 127 is the last code cell that begins with `%%judge 127`, or that nbgrader knows as `answer-127`,
and is not the untouched starter; with what it uses of other cells, see collect.py. Where no cell says so, but the
notebook asks for 127 (`judge.points(127, 10)`, `judge.check(127)`, or the caller does), it is what the cells define.
Nothing is run, and any file is survived: what can't be taken is a remark, never an error.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from practice.judging import catalogue, collect
from practice.judging.catalogue import Problem
from practice.judging.messages import MESSAGES, say

MOST_OF_A_NOTEBOOK = 256 << 20  # bytes, with its outputs
MOST_BYTES = 1 << 20  # of an answer
MOST_LETTERS = 100_000  # of a cell that is searched for names
MAGIC = re.compile(r"\s*%%judge[ \t]+(\S+)")
ASKED = re.compile(r"\bjudge\.(?:points|check)\(\s*[\"']?(\d{1,9}[a-h]?)\b")
ARCHIVES = {b"PK\3\4": ".zip", b"PK\5\6": ".zip", b"\x1f\x8b": ".gz", b"Rar!": ".rar", b"7z\xbc\xaf": ".7z"}  # begin so
GRADE_ID = re.compile(r"(?:answer|points)-(\d{1,9}[a-h]?)")
Number = int | str  # of a problem: 136, or "136b"


@dataclass(frozen=True)
class Remark:
    """Something to know about an answer. number: the problem, or None for the whole notebook; key: of messages.py.

    Where `why` among the values is a key too, it is said in the same language, with the same values.
    """

    key: str
    number: Number | None = None
    values: dict[str, object] = field(default_factory=dict, hash=False)

    def text(self, lang: str) -> str:
        values = dict(self.values)
        if (why := values.get("why")) in MESSAGES:
            values["why"] = say(lang, why, **values)
        said = say(lang, self.key, **values)
        return said if self.number is None else f"{self.number}: {said}"


@dataclass
class Submission:
    """What was taken: problem number -> source. A problem that was asked for and is not in `answers` has a remark.

    places: problem number -> the cell that its answer was taken from, counted as `cells_of` does.
    """

    answers: dict[Number, str] = field(default_factory=dict)
    places: dict[Number, int] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, key: str, number: Number | None = None, **values: object) -> None:
        self.remarks.append(Remark(key, number, values))


@dataclass(frozen=True)
class Cell:
    """A cell as it was handed in. kind: its cell_type; grade_id: nbgrader's name for it, or ""."""

    kind: str
    text: str
    grade_id: str
    raw: dict


def parse(raw: bytes) -> Submission | dict:
    """A notebook from a file's bytes, or a submission that says why it is none."""
    if archive := next((kind for mark, kind in ARCHIVES.items() if raw.startswith(mark)), None):
        return nothing("is_archive", kind=archive)
    try:
        book = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return nothing("not_utf8", byte=f"0x{raw[error.start]:02x}", place=error.start + 1)
    except json.JSONDecodeError as error:
        return nothing("not_json", line=error.lineno, column=error.colno)
    except RecursionError:
        return nothing("json_too_deep")
    except ValueError:
        return nothing("json_long_number", digits=sys.get_int_max_str_digits())
    return book if isinstance(book, dict) else nothing("json_no_object", kind=type(book).__name__)


def nothing(why: str, **values: object) -> Submission:
    """What is taken from a file that is no notebook. why: a key of messages.py with its values, or a text."""
    return Submission(remarks=[Remark("no_notebook", values={"why": why} | values)])


def answers_in(notebook: dict, wanted: Iterable[Number] = (), problems: Sequence[Problem] | None = None) -> Submission:
    """The answers in a notebook, given as parsed JSON of any nbformat.

    wanted: problems that must be in it, beside those that the notebook itself names. problems: those there are; the
    catalogue's by default.
    """
    known = {str(problem.number): problem for problem in (catalogue.all_problems() if problems is None else problems)}
    cells = cells_of(notebook)
    if not cells:
        return nothing("no_cells")
    taken = Submission()
    marked = _marked(cells, known, taken)
    asked = {name for cell in cells if cell.kind == "code" for name in ASKED.findall(cell.text[:MOST_LETTERS])}
    asked |= {found[1] for cell in cells if (found := GRADE_ID.fullmatch(cell.grade_id))}
    instead = {known[name].counts_as for name in marked}  # nothing is gathered for 136 where a cell answers 136b
    unmarked = {name for name in {*(asked & known.keys()), *map(str, wanted)} if known[name].counts_as not in instead}
    for name in sorted({*marked, *unmarked}):
        _take(known[name], cells, marked.get(name, []), taken)
    return taken


def answer(cells: list[str], problem: Problem) -> str:
    """The answer to a problem from code cells in the order in which they were run. Raises collect.NotDefined."""
    here = _judged_as(problem, cells)
    if not here:
        return collect.answer(cells, problem.entry)
    return collect.completed(cells, _chosen(cells, here, problem), problem.entry)


def counted(problem: Problem, source_of: Callable[[Problem], str | None]) -> tuple[Problem, str | None]:
    """Which answer counts for a problem: its own, or where nobody has worked on that the one to its stand-in.

    source_of: the answer to a problem, None where there is none.
    """
    own = source_of(problem)
    if own is None or is_untouched(problem, own):
        other = problem.stand_in
        instead = source_of(other) if other else None
        if instead is not None and not is_untouched(other, instead):
            return other, instead
    return problem, own


def counted_in(cells: list[str], problem: Problem) -> tuple[Problem, str | None]:
    """The same from code cells in the order in which they were run. A stand-in has to be named by `%%judge`."""

    marked = [one.number for one in (problem, problem.stand_in) if one and _judged_as(one, cells)]

    def source_of(one: Problem) -> str | None:
        if one.number not in (marked or [problem.number]):
            return None
        try:
            return answer(cells, one)
        except collect.NotDefined:
            return None

    return counted(problem, source_of)


def _judged_as(problem: Problem, cells: list[str]) -> list[int]:
    """The cells that begin with `%%judge` and the problem's number or name."""
    names = (str(problem.number), problem.slug, problem.folder.name)
    return [place for place, cell in enumerate(cells) if (found := MAGIC.match(cell)) and found[1] in names]


def is_untouched(problem: Problem, source: str) -> bool:
    """Whether it is still the starter, which must not take the place of an answer."""
    return source.strip() == problem.starter.strip()


def cells_of(notebook: dict) -> list[Cell]:
    """The cells that have a text, whatever else is wrong with the notebook. In nbformat 3 they lie in worksheets."""
    holders = [notebook, *_dicts(notebook.get("worksheets"))]
    found = []
    for raw in [cell for holder in holders for cell in _dicts(holder.get("cells"))]:
        text = raw.get("source", raw.get("input"))
        text = "".join(line for line in text if isinstance(line, str)) if isinstance(text, list) else text
        marks = raw.get("metadata")
        marks = marks.get("nbgrader") if isinstance(marks, dict) else None
        grade_id = marks.get("grade_id") if isinstance(marks, dict) else None
        if isinstance(text, str):
            text = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
            found.append(Cell(str(raw.get("cell_type")), text, grade_id if isinstance(grade_id, str) else "", raw))
    return found


def _dicts(items: object) -> list[dict]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _marked(cells: list[Cell], known: dict[str, Problem], taken: Submission) -> dict[str, list[int]]:
    """Problem number -> the cells that say that they are its answer."""
    names = {name: number for number, p in known.items() for name in (number, p.slug, p.folder.name)}
    marked: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        magic, grade_id = MAGIC.match(cell.text), GRADE_ID.fullmatch(cell.grade_id)
        if magic and magic[1] not in names:
            taken.remark("unknown_problem", wanted=magic[1][:40], known=", ".join(known))
        elif magic:
            marked.setdefault(names[magic[1]], []).append(place)
        elif grade_id and cell.grade_id.startswith("answer-") and grade_id[1] in known:
            marked.setdefault(grade_id[1], []).append(place)
    return marked


def _take(problem: Problem, cells: list[Cell], marked: list[int], taken: Submission) -> None:
    """Take one problem's answer, or remark why there is none."""
    number = problem.number
    sizes = {place: len(cells[place].text.encode()) for place in marked}
    fitting = [place for place in marked if sizes[place] <= MOST_BYTES]
    inside = [place for place in fitting if cells[place].kind == "code"]
    texts = [cell.text if cell.kind == "code" and len(cell.text) <= MOST_LETTERS else "" for cell in cells]
    for place in fitting:
        texts[place] = cells[place].text
    if marked and not fitting:
        taken.remark("answer_too_large", number, size=min(sizes.values()), limit=MOST_BYTES)
        return
    if fitting:
        place = _chosen(texts, inside or fitting, problem)
        source = collect.completed(texts, place, problem.entry)
        taken.places[number] = place
        if not inside:
            taken.remark("answer_no_code", number, kind=cells[place].kind)
        if len(inside) > 1:
            taken.remark("answer_of_several", number, count=len(inside), place=place + 1)
    else:
        try:
            source = collect.answer(texts, problem.entry)
        except collect.NotDefined as error:
            taken.remark("answer_missing", number, names=str(error))
            return
        taken.remark("answer_gathered", number)
    if is_untouched(problem, source):
        taken.remark("answer_untouched", number)
    taken.answers[number] = source


def _chosen(texts: Sequence[str], places: list[int], problem: Problem) -> int:
    """The last of these cells that somebody has worked on, else the last."""
    worked_on = [place for place in places if not is_untouched(problem, collect.body(texts[place]))]
    return (worked_on or places)[-1]
