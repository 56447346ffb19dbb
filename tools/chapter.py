"""Read a chapter's source and put one language's edition of it together.

A source is MyST Markdown, read by jupytext:

- `+++ {"lang": "en"}` opens an English prose cell; the Chinese one, `+++ {"lang": "zh"}`, follows it directly;
- a ```{code-cell} fence is a code cell and stands once for both languages;
- `+++`, then `<!-- exercise: 121 -->` alone, is problem 121 in place: its statement, and its starter as `%%judge 121`;
- a ```text expected block that opens the prose after a code cell is what that cell prints (tests/notebooks runs it and
  compares); the notebook shows it folded in a cell of its own, so that it does not look like the output twice.

JupyterLab renders no MyST directives, so any other directive is a fault.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupytext.myst import MystMetadataParsingError, myst_to_notebook

LANGUAGES = ("en", "zh")
DIRECTIVE = re.compile(r"<!--\s*(\w+):\s*(.*?)\s*-->")
EXPECTED = re.compile(r"```text expected\n.*?\n```\n*", re.DOTALL)
FOLDED = {"en": "You should see", "zh": "应当看到"}


class SourceError(Exception):
    """A fault in a text that a notebook is made from. Its message starts with file:line."""

    def __init__(self, path: Path, line: int, fault: str):
        super().__init__(f"{path}:{line}: {fault}")


@dataclass(frozen=True)
class Cell:
    """A cell and where it is written. kind: "code" or "markdown"; line: the first line of its text, from 1."""

    kind: str
    text: str
    path: Path
    line: int
    lang: str | None = None
    metadata: dict = field(default_factory=dict)

    def directive(self) -> re.Match | None:
        """The directive that this cell consists of, if it is one."""
        return DIRECTIVE.fullmatch(self.text) if self.kind == "markdown" else None


def read(source: Path) -> list[Cell]:
    """All cells of a source in order, in both languages. Raises SourceError unless prose stands in pairs of the two."""
    text = source.read_text(encoding="utf-8")
    try:
        book = myst_to_notebook(text, add_source_map=True)
    except MystMetadataParsingError as error:
        raise SourceError(source, 1, str(error)) from error
    lines = text.splitlines()
    cells = []
    for cell, start in zip(book.cells, book.metadata["source_map"], strict=True):
        # jupytext tells where a cell opens; blank lines may stand between that and its text.
        line = next((n for n, content in enumerate(lines[start:], start + 1) if content.strip()), start)
        metadata = {key: value for key, value in cell.metadata.items() if key != "lang"}
        cells.append(Cell(cell.cell_type, cell.source, source, line, cell.metadata.get("lang"), metadata))
    for before, cell, after in zip([None, *cells], cells, [*cells[1:], None], strict=False):
        check_language(before, cell, after)
    return cells


def check_language(before: Cell | None, cell: Cell, after: Cell | None) -> None:
    """Raise SourceError unless prose says its language and has its counterpart beside it, and other cells say none."""
    fault = None
    if cell.kind != "markdown" or cell.directive():
        if cell.lang is not None:
            fault = "code cells and directives stand once, for both languages: take `lang` away"
    elif cell.lang not in LANGUAGES:
        fault = f'a prose cell needs `+++ {{"lang": "en"}}` or "zh" above it, found lang {cell.lang!r}'
    elif cell.lang == "en" and (after is None or after.lang != "zh"):
        fault = "this English cell has no Chinese counterpart right after it"
    elif cell.lang == "zh" and (before is None or before.lang != "en"):
        fault = "this Chinese cell has no English counterpart right before it"
    if fault:
        raise SourceError(cell.path, cell.line, fault)


def edition(cells: list[Cell], lang: str, problems: Path) -> list[Cell]:
    """The cells of one language's notebook: its prose, all code, each directive replaced by what it stands for."""
    out = []
    for cell in cells:
        directive = cell.directive()
        if directive:
            out += expand(cell, directive, lang, problems)
        elif cell.lang == lang:
            out += fold_expected(cell)
        elif cell.lang is None:
            out.append(cell)
    return out


def fold_expected(cell: Cell) -> list[Cell]:
    """A prose cell; if it opens with expected output, that, folded, and then what is left of it."""
    expected = EXPECTED.match(cell.text)
    if not expected:
        return [cell]
    block, rest = expected[0].rstrip(), cell.text[expected.end() :]
    folded = f"<details>\n<summary>{FOLDED[cell.lang]}</summary>\n\n{block}\n\n</details>"
    cells = [replace(cell, text=folded), replace(cell, text=rest, line=cell.line + expected[0].count("\n"))]
    return cells if rest else cells[:1]


def expand(cell: Cell, directive: re.Match, lang: str, problems: Path) -> list[Cell]:
    """An exercise's two cells: the statement in this language, and the starter for the judge."""
    name, number = directive.groups()
    if name != "exercise":
        raise SourceError(cell.path, cell.line, f"unknown directive {name!r}; known: exercise")
    folders = sorted(problems.glob(f"{number}-*")) if number[:1].isdigit() else []
    if len(folders) != 1:
        raise SourceError(cell.path, cell.line, f"{len(folders)} folders {number}-* in {problems}, expected one")
    texts = []
    for path in (folders[0] / f"statement.{lang}.md", folders[0] / "starter.py"):
        if not path.is_file():
            raise SourceError(cell.path, cell.line, f"problem {number} has no {path.name} in {folders[0]}")
        texts.append((path, path.read_text(encoding="utf-8").rstrip()))
    (statement_path, statement), (_, starter) = texts
    code = replace(cell, kind="code", text=f"%%judge {number}\n\n{starter}")
    return [Cell("markdown", statement, statement_path, 1), code]
