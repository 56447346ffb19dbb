"""Lines of the block map's script, read with ast: calls of known methods, with plain arguments. Nothing is evaluated.

    a.append(5)              b = a.fork()           a.free()            c = Sequence(pool, 4)
    x = pool.allocate(3)     pool.share([0, 2])     pool.free(x)

An argument is a whole number, a list of whole numbers, or a name.
"""

import ast
import keyword
from dataclasses import dataclass

POOL = "pool"
MOST_CALLS = 200
MOST_LETTERS = 20_000
MOST_NUMBER = 10**15  # what a number in JavaScript holds, in round figures
POOL_METHODS = ("allocate", "share", "free", "num_free")
SEQUENCE_METHODS = ("append", "fork", "free", "slot_mapping")


class ScriptError(Exception):
    """A line that is not carried out: `key` of block_map_text.TEXT, the values for it, and the line from 1."""

    def __init__(self, key: str, line: int = 0, **values: object) -> None:
        super().__init__(f"line {line}: {key} {values}")
        self.key, self.line, self.values = key, line, values


@dataclass(frozen=True)
class Name:
    """An argument that stands for something else."""

    name: str


@dataclass(frozen=True)
class Call:
    """`target = receiver.method(*arguments)`; `method` is "" where the receiver itself is called."""

    line: int
    target: str | None
    receiver: str
    method: str
    arguments: tuple[int | list[int] | Name, ...]

    def written(self, target: str | None) -> str:
        """The call as a line of Python that stores its result under `target`."""
        words = ", ".join(each.name if isinstance(each, Name) else repr(each) for each in self.arguments)
        callee = f"{self.receiver}.{self.method}" if self.method else self.receiver
        return f"{target} = {callee}({words})" if target else f"{callee}({words})"


def parse(script: str) -> list[Call]:
    """The calls of a whole script, in order. Raises ScriptError, before anything runs, for any line that is no call.

    Raises ValueError for what is no text.
    """
    if not isinstance(script, str):
        raise ValueError(f"a script is text, lines in one str; got {script!r:.80} of type {type(script).__name__}")
    if len(script) > MOST_LETTERS:
        raise ScriptError("too_long", limit=MOST_LETTERS, count=len(script))
    try:
        statements = ast.parse(script).body
    except SyntaxError as error:
        raise ScriptError("syntax", error.lineno or 1, message=error.msg) from None
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte, or brackets nested too deep
        raise ScriptError("syntax", 1, message=str(error)) from None
    if len(statements) > MOST_CALLS:
        raise ScriptError("too_many", limit=MOST_CALLS, count=len(statements))
    return [_call(statement) for statement in statements]


def _call(statement: ast.stmt) -> Call:
    line = statement.lineno
    match statement:
        case ast.Expr(value=ast.Call() as call):
            target = None
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as call):
            pass
        case _:
            raise ScriptError("no_call", line, code=_code(statement))
    if call.keywords:
        raise ScriptError("by_name", line)
    match call.func:
        case ast.Attribute(value=ast.Name(id=receiver), attr=method):
            known = POOL_METHODS if receiver == POOL else SEQUENCE_METHODS
            if method not in known:
                raise ScriptError("unknown_method", line, receiver=receiver, method=method, known=list(known))
        case ast.Name(id=receiver):
            method = ""
        case _:
            raise ScriptError("no_call", line, code=_code(statement))
    return Call(line, target, receiver, method, tuple(_argument(each, line) for each in call.args))


def _argument(node: ast.expr, line: int) -> int | list[int] | Name:
    match node:
        case ast.Name(id=name):
            return Name(name)
        case ast.List(elts=items):
            return [_number(item, line) for item in items]
        case _:
            return _number(node, line)


def _number(node: ast.expr, line: int) -> int:
    match node:
        case ast.Constant(value=int() as value) if type(value) is int:
            sign = 1
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if type(value) is int:
            sign = -1
        case _:
            raise ScriptError("no_argument", line, code=_code(node))
    if value > MOST_NUMBER:
        raise ScriptError("too_large", line, limit=MOST_NUMBER)
    return sign * value


def _code(node: ast.AST) -> str:
    """The beginning of a line that is no call, to be quoted."""
    try:
        return ast.unparse(node)[:60]
    except (ValueError, RecursionError):  # a number of thousands of digits, or a sum of thousands of terms
        return "…"


def is_a_name(word: object) -> bool:
    """Whether Python would take the word as a variable, and it is not the pool's."""
    return isinstance(word, str) and word.isidentifier() and not keyword.iskeyword(word) and word != POOL
