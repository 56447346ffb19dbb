"""Visible examples: a transcript such as a learner would type, with literal answers, becomes a program.

    >>> pool = BlockPool(8)
    >>> pool.allocate(3)
    [0, 1, 2]

A line is `name = Call(...)`, `object.method(...)`, `object.field` or `function(...)` with literal arguments or names of
objects; what it prints is the answer it must give. A traceback stands for its exception: only the last line counts.
"""

import ast
import doctest

import msgspec

from practice.judging.program import Call, Program
from practice.judging.wire import Handle, pack


class BadExample(ValueError):
    """A line of a transcript that the judge cannot play; the text quotes it."""


def read(transcript: str) -> list[Program]:
    """One program for each part of the transcript; a line of --- stands between parts."""
    return [_program(part) for part in transcript.split("\n---\n") if part.strip()]


def _program(text: str) -> Program:
    return Program([_call(example) for example in doctest.DocTestParser().get_examples(text)])


def _call(example: doctest.Example) -> Call:
    try:
        node = ast.parse(example.source).body[0]
        result = None
        if isinstance(node, ast.Assign):
            [target] = node.targets
            result, node = target.id, node.value
        else:
            node = node.value
        args = None
        if isinstance(node, ast.Call):
            args = [pack(_literal(arg)) for arg in node.args]
            node = node.func
        owner, name = (node.value.id, node.attr) if isinstance(node, ast.Attribute) else (None, node.id)
        if example.exc_msg:
            kind = example.exc_msg.split(":")[0].strip()
            return Call(result, owner, name, args, _row("raised", kind))
        value = ast.literal_eval(example.want) if example.want.strip() else None
    except (ValueError, SyntaxError, AttributeError, IndexError) as error:
        raise BadExample(f"{example.source.strip()!r} can't be played: {error}") from error
    return Call(result, owner, name, args, _row("ok", value))


def _row(outcome: str, value: object) -> bytes:
    return msgspec.json.encode([outcome, pack(value), []])


def _literal(node: ast.expr) -> object:
    """A literal; names of objects become handles, `range(14)` a list."""
    if isinstance(node, ast.Name):
        return Handle(node.id)
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "range":
        return list(range(*[ast.literal_eval(arg) for arg in node.args]))
    return ast.literal_eval(node)
