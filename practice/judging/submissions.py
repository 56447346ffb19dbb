"""The answers in a notebook that was handed in: one source per problem, and what was odd about each.

The answer to problem 127 is the last code cell that begins with `%%judge 127`, or that nbgrader knows as `answer-127`,
and is not the untouched starter; with what it uses of other cells, see collect.py. Where no cell says so, but the
notebook asks for 127 (`judge.points(127, 10)`, `judge.check(127)`, or the caller does), it is what the cells define.
Nothing is run, and any file is survived: what can't be taken is a remark, never an error.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from practice.judging import catalogue, collect
from practice.judging.catalogue import Problem
from practice.judging.messages import say

MOST_BYTES = 1 << 20  # of an answer
MOST_LETTERS = 100_000  # of a cell that is searched for names
MAGIC = re.compile(r"\s*%%judge[ \t]+(\S+)")
ASKED = re.compile(r"\bjudge\.(?:points|check)\(\s*(\d{1,9})")
GRADE_ID = re.compile(r"(?:answer|points)-(\d{1,9})")


@dataclass(frozen=True)
class Remark:
    """Something to know about an answer. number: the problem, or None for the whole notebook; key: of messages.py."""

    key: str
    number: int | None = None
    values: dict[str, object] = field(default_factory=dict, hash=False)

    def text(self, lang: str) -> str:
        said = say(lang, self.key, **self.values)
        return said if self.number is None else f"{self.number}: {said}"


@dataclass
class Submission:
    """What was taken: problem number -> source. A problem that was asked for and is not in `answers` has a remark."""

    answers: dict[int, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, key: str, number: int | None = None, **values: object) -> None:
        self.remarks.append(Remark(key, number, values))


@dataclass(frozen=True)
class _Cell:
    kind: str
    text: str
    grade_id: str


def parse(raw: bytes) -> Submission | dict:
    """A notebook from a file's bytes, or a submission that says why it is none."""
    try:
        book = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return _nothing(f"{type(error).__name__}: {error}")
    return book if isinstance(book, dict) else _nothing(f"JSON, but a {type(book).__name__}")


def answers_in(notebook: dict, wanted: Iterable[int] = (), problems: Sequence[Problem] | None = None) -> Submission:
    """The answers in a notebook, given as parsed JSON of any nbformat.

    wanted: problems that must be in it, beside those that the notebook itself names. problems: those there are; the
    catalogue's by default.
    """
    known = {problem.number: problem for problem in (catalogue.all_problems() if problems is None else problems)}
    cells = _cells(notebook)
    if not cells:
        return _nothing("no cells")
    taken = Submission()
    marked = _marked(cells, known, taken)
    code = [cell.text for cell in cells if cell.kind == "code"]
    asked = {int(number) for text in code for number in ASKED.findall(text[:MOST_LETTERS])}
    asked |= {int(found[1]) for cell in cells if (found := GRADE_ID.fullmatch(cell.grade_id))}
    for number in sorted({*marked, *(asked & set(known)), *wanted}):
        _take(known[number], cells, marked.get(number, []), taken)
    return taken


def answer(cells: list[str], problem: Problem) -> str:
    """The answer to a problem from code cells in the order in which they were run. Raises collect.NotDefined."""
    marks = (problem.number, problem.slug, problem.folder.name)
    here = [n for n, cell in enumerate(cells) if (found := MAGIC.match(cell)) and found[1] in map(str, marks)]
    if not here:
        return collect.answer(cells, problem.entry)
    return collect.completed(cells, _chosen(cells, here, problem), problem.entry)


def is_untouched(problem: Problem, source: str) -> bool:
    """Whether it is still the starter, which must not take the place of an answer."""
    return source.strip() == problem.starter.strip()


def _nothing(why: str) -> Submission:
    return Submission(remarks=[Remark("no_notebook", values={"why": why})])


def _cells(notebook: dict) -> list[_Cell]:
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
            found.append(_Cell(str(raw.get("cell_type")), text, grade_id if isinstance(grade_id, str) else ""))
    return found


def _dicts(items: object) -> list[dict]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _marked(cells: list[_Cell], known: dict[int, Problem], taken: Submission) -> dict[int, list[int]]:
    """Problem number -> the cells that say that they are its answer."""
    names = {name: p.number for p in known.values() for name in (str(p.number), p.slug, p.folder.name)}
    marked: dict[int, list[int]] = {}
    for place, cell in enumerate(cells):
        magic, grade_id = MAGIC.match(cell.text), GRADE_ID.fullmatch(cell.grade_id)
        if magic and magic[1] not in names:
            taken.remark("unknown_problem", wanted=magic[1][:40], known=", ".join(map(str, known)))
        elif magic:
            marked.setdefault(names[magic[1]], []).append(place)
        elif grade_id and cell.grade_id.startswith("answer-") and int(grade_id[1]) in known:
            marked.setdefault(int(grade_id[1]), []).append(place)
    return marked


def _take(problem: Problem, cells: list[_Cell], marked: list[int], taken: Submission) -> None:
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
