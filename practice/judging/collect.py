"""The answer that stands in a notebook: what the entry names need, gathered from the cells that were run.

Taken along, transitively: imports, functions, classes and assignments at the top level of any cell. Everything else,
such as plots, widgets and trials, is left out: a statement that defines nothing is never needed by a definition.
A cell that is known to hold the answer is taken whole, with what it uses of the others; see `completed`.
"""

import ast
import builtins
import contextlib
import re
import symtable
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field

NO_PYTHON = (SyntaxError, ValueError, MemoryError, RuntimeError)  # what parsers say of all sorts of text
IPYTHON = re.compile(r"^\s*[%!?]|\?[ \t]*$|=\s*[%!]", re.MULTILINE)  # a line that may be IPython's own
MOST_LETTERS, MOST_LINES = (
    20_000,
    40,
)  # IPython reads the whole cell again for each such line: minutes, for a hostile one
CELL = "<cell>"  # as a file name
warnings.filterwarnings("ignore", module=CELL)  # what Python says of a learner's source it says when that runs


class NotDefined(LookupError):
    """The notebook has run no cell that defines these names."""


@dataclass
class Statement:
    source: str
    binds: set[str]
    needs: set[str]
    extends: bool = False  # `x += 1` goes on from what x was before
    place: tuple[int, int] = field(default=(0, 0))


def answer(cells: list[str], entry: list[str]) -> str:
    """Source of an answer that defines `entry`, from cells in the order in which they were run.

    Where a name was defined more than once, the last time counts. Raises NotDefined.
    """
    statements = [s for number, cell in enumerate(cells) for s in _statements(cell, number)]
    missing = [name for name in entry if not any(name in s.binds for s in statements)]
    if missing:
        raise NotDefined(", ".join(missing))
    return "\n\n".join(_gathered(entry, statements)) + "\n"


def completed(cells: list[str], number: int, entry: list[str]) -> str:
    """The cell at `number` as it stands; where it uses names of other cells, after these, and where other cells add to
    what it defines of `entry`, before that.

    A name that several others define is taken from the last one before the cell, else from the last one after it.
    """
    source = body(cells[number])
    try:
        top = symtable.symtable(source, CELL, "exec")
        uses = _needs(source)
    except NO_PYTHON:
        return source
    own = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    others = [*range(number + 1, len(cells)), *range(number)]
    statements = [s for other in others for s in _statements(cells[other], other)]
    added = [s for s in statements if s.extends and s.binds and s.binds <= own & set(entry)]
    wanted = uses.union(*(s.needs for s in added)) - own - set(dir(builtins))
    before = _gathered(wanted, [s for s in statements if not s.binds & own])
    if not before and not added:
        return source
    return "\n\n".join([*before, source.strip(), *(s.source for s in sorted(added, key=lambda s: s.place))]) + "\n"


def _gathered(names: Iterable[str], statements: list[Statement]) -> list[str]:
    """Sources of the statements that define the names, and of all that these use, in the notebook's order."""
    chosen: dict[tuple[int, int], Statement] = {}
    wanted, seen = list(names), set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for statement in _definition(name, statements):
            if statement.place not in chosen:
                chosen[statement.place] = statement
                wanted += statement.needs | statement.binds
    return [chosen[place].source for place in sorted(chosen)]


def _definition(name: str, statements: list[Statement]) -> list[Statement]:
    """The last statement that binds the name, and those that go on from it."""
    found: list[Statement] = []
    for statement in statements:
        if name in statement.binds:
            found = [*found, statement] if statement.extends else [statement]
    return found


def _statements(cell: str, number: int) -> list[Statement]:
    found = []
    try:
        source = _python(cell)
        lines = source.splitlines()
        for place, node in enumerate(ast.parse(source, CELL).body):
            text = ast.get_source_segment(source, node)
            if decorators := getattr(node, "decorator_list", []):
                text = "\n".join(lines[decorators[0].lineno - 1 : node.end_lineno])
            if binds := _bound(node):
                found.append(Statement(text, binds, _needs(text), _goes_on(node), (number, place)))
    except NO_PYTHON:
        return []  # it has not run either
    return found


def body(cell: str) -> str:
    """A cell without its line `%%judge`: what that magic judges. Of a cell without it, the Python in it."""
    text = cell.lstrip()
    return text.partition("\n")[2] if text.startswith("%%judge") else _python(cell)


def _python(cell: str) -> str:
    """A cell as Python; a whole-cell magic other than %%judge is not Python at all."""
    from IPython.core.inputtransformer2 import TransformerManager

    cell = cell.lstrip("\n")
    first, _, rest = cell.partition("\n")
    if first.startswith("%%"):
        if not first.startswith("%%judge"):
            return ""
        cell = rest
    with contextlib.suppress(*NO_PYTHON):
        ast.parse(cell, CELL)
        return cell
    if len(cell) > MOST_LETTERS or len(IPYTHON.findall(cell)) > MOST_LINES:
        return cell
    return TransformerManager().transform_cell(cell)


def _needs(source: str) -> set[str]:
    """The global names that a statement uses; a local variable of the same name as a global is none."""

    def used(table: symtable.SymbolTable) -> set[str]:
        top = table.get_type() == "module"
        names = {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
        return names.union(*map(used, table.get_children()))

    return used(symtable.symtable(source, CELL, "exec"))


def _goes_on(node: ast.stmt) -> bool:
    """Whether it changes what stands there already: `x += 1`, `table["a"] = 1`, `Pool.share = share`."""
    if isinstance(node, ast.AugAssign):
        return True
    return isinstance(node, ast.Assign) and all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a top-level statement defines, those in the branches of an `if` or `try` included."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        changed = {_owner(t) for t in targets if isinstance(t, ast.Attribute | ast.Subscript)} - {None}
        stored = (n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        return changed | {n.id for n in stored}
    if isinstance(node, ast.If | ast.Try | ast.With):
        branches = [node.body, *(getattr(node, part, []) for part in ("orelse", "finalbody"))]
        branches += [handler.body for handler in getattr(node, "handlers", [])]
        return {name for branch in branches for inner in branch for name in _bound(inner)}
    return set()


def _owner(node: ast.expr) -> str | None:
    """The name at the root of `name.field[…].field`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
