"""The answer that stands in a notebook: what the entry names need, gathered from the cells that were run.

Taken along, transitively: imports, functions, classes and assignments at the top level of any cell. Everything else,
such as plots, widgets and trials, is left out: a statement that defines nothing is never needed by a definition.
"""

import ast
from dataclasses import dataclass, field


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
    chosen: dict[tuple[int, int], Statement] = {}
    wanted, seen = list(entry), set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for statement in _definition(name, statements):
            if statement.place not in chosen:
                chosen[statement.place] = statement
                wanted += statement.needs | statement.binds
    return "\n\n".join(chosen[place].source for place in sorted(chosen)) + "\n"


def _definition(name: str, statements: list[Statement]) -> list[Statement]:
    """The last statement that binds the name, and those that go on from it."""
    found: list[Statement] = []
    for statement in statements:
        if name in statement.binds:
            found = [*found, statement] if statement.extends else [statement]
    return found


def _statements(cell: str, number: int) -> list[Statement]:
    source = _python(cell)
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return []  # it has not run either
    lines = source.splitlines()
    found = []
    for place, node in enumerate(body):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        text = "\n".join(lines[first - 1 : node.end_lineno])
        binds = _bound(node)
        if binds:
            needs = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            found.append(Statement(text, binds, needs, isinstance(node, ast.AugAssign), (number, place)))
    return found


def _python(cell: str) -> str:
    """A cell without IPython's own syntax; a whole-cell magic other than %%judge is not Python at all."""
    lines = cell.splitlines()
    if lines and lines[0].startswith("%%"):
        if not lines[0].startswith("%%judge"):
            return ""
        lines[0] = ""
    return "\n".join("" if line.startswith(("%", "!", "?")) or line.endswith("?") else line for line in lines)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a top-level statement defines, those in the branches of an `if` or `try` included."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if isinstance(node, ast.If | ast.Try | ast.With):
        branches = [node.body, *(getattr(node, part, []) for part in ("orelse", "finalbody"))]
        branches += [handler.body for handler in getattr(node, "handlers", [])]
        return {name for branch in branches for inner in branch for name in _bound(inner)}
    return set()
