"""Visible examples: a transcript such as a learner would type, with literal answers, becomes a program.

    >>> pool = BlockPool(8)
    >>> pool.allocate(3)
    [0, 1, 2]

A line is `name = Call(...)`, `object.method(...)`, `object.field` or `function(...)` with literal arguments or names of
objects; what it prints is the answer it must give. A traceback stands for its exception: only the last line counts.
Tensors are made by `torch.tensor`, `zeros`, `full` or `arange`, with `.reshape(...)` where wanted, and are looked at
with `.tolist()`, of a result as well as of a name. Arrays are made by `np.array` and so on; a part has either these or
those.
"""

import ast
import doctest
from collections.abc import Callable

import msgspec

from practice.judging.program import GIVEN, Call, Program
from practice.judging.tensors import array_of, is_tensor, tensor, tensor_of
from practice.judging.wire import Foreign, Handle, TensorData, pack, unpack


class BadExample(ValueError):
    """A line of a transcript that the judge cannot play; the text quotes it."""


def read(transcript: str) -> list[Program]:
    """One program for each part of the transcript; a line of --- stands between parts."""
    return [_program(part) for part in transcript.split("\n---\n") if part.strip()]


def _program(text: str) -> Program:
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError as error:
        raise BadExample(f"{text.strip()!r} is no transcript: {error}") from error
    due = (lambda value: array_of(tensor_of(value))) if "np." in text else tensor_of
    return Program([_call(example, due) for example in parsed])


def _call(example: doctest.Example, due: Callable[[object], TensorData]) -> Call:
    """due: what nested lists stand for, where they are what `.tolist()` must give."""
    try:
        [node] = ast.parse(example.source).body
        result = None
        if not isinstance(node, ast.Assign | ast.Expr):
            raise ValueError("neither a call nor `name = call`")
        if isinstance(node, ast.Assign):
            [target] = node.targets
            several = isinstance(target, ast.Tuple | ast.List)
            result, node = [item.id for item in target.elts] if several else target.id, node.value
        else:
            node = node.value
        if is_tensor(node):
            if result is None:
                raise ValueError("a tensor needs a name")
            return Call(result, GIVEN, "", [pack(tensor(node))], _row("ok", None), kind="tensor")
        args, as_list = None, _is_tolist(node)
        if as_list:
            node = node.func.value
            if isinstance(node, ast.Name):
                return Call(None, node.id, "", None, _row("ok", due(ast.literal_eval(example.want))))
        if isinstance(node, ast.Call):
            if node.keywords:
                raise ValueError("arguments are positional")
            args = [pack(_literal(arg)) for arg in node.args]
            node = node.func
        owner, name = (node.value.id, node.attr) if isinstance(node, ast.Attribute) else (None, node.id)
        if example.exc_msg:
            kind = example.exc_msg.split(":")[0].strip()
            return Call(result, owner, name, args, _row("raised", kind))
        value = ast.literal_eval(example.want) if example.want.strip() else None
        if as_list:
            value = due(value)
        if any(isinstance(part, Foreign) for part in _parts(unpack(pack(value)))):
            raise ValueError(f"no plain value: {example.want.strip()}")
    except (ValueError, SyntaxError, AttributeError, TypeError) as error:
        raise BadExample(f"{example.source.strip()!r} can't be played: {error}") from error
    return Call(result, owner, name, args, _row("ok", value))


def _row(outcome: str, value: object) -> bytes:
    return msgspec.json.encode([outcome, pack(value), []])


def _literal(node: ast.expr) -> object:
    """A literal; names of objects, also in a list, become handles, `range(14)` a list."""
    if isinstance(node, ast.Name):
        return Handle(node.id)
    if isinstance(node, ast.List) and any(isinstance(item, ast.Name) for item in node.elts):
        return [_literal(item) for item in node.elts]
    if is_tensor(node):
        return tensor(node)
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "range":
        return list(range(*[ast.literal_eval(arg) for arg in node.args]))
    return ast.literal_eval(node)


def _is_tolist(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tolist"


def _parts(value: object):
    yield value
    if isinstance(value, list | tuple):
        for item in value:
            yield from _parts(item)
