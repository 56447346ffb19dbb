"""Answers that are alike under other names, in another order, or with other comments; the worked answer is among them.

Names, comments, docstrings and annotations are left out of an answer; from what remains, runs of RUN tokens are hashed
and of every few neighbours the smallest hash is kept (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003). How alike
two answers are is the share of the smaller one's hashes that the other has too. What the starter gives counts for
nothing.
"""

import ast
import hashlib
import io
import keyword
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

RUN, NEIGHBOURS = 12, 4
FEWEST = 6  # hashes: below that, two answers are alike by nature


@dataclass(frozen=True)
class Answer:
    """Whose it is, and its source."""

    who: str
    source: str


@dataclass(frozen=True)
class Likeness:
    """Two answers, or all those that are the same but for names; then `others` is empty."""

    percent: int
    some: tuple[str, ...]
    others: tuple[str, ...] = ()


def likenesses(answers: Iterable[Answer], given: str, at_least: int) -> list[Likeness]:
    """Answers to one problem that are alike to `at_least` percent, most alike first. given: the starter.

    Of somebody with several answers nothing is told but how they are like others', and of two people only the most.
    """
    known = set(prints(tokens(given)))
    same: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)  # a dict as an ordered set
    for answer in answers:
        if found := tuple(tokens(answer.source)):
            same[found][answer.who] = None
    groups = [(tuple(who), set(prints(text)) - known) for text, who in same.items()]
    groups = [(who, marks) for who, marks in groups if len(marks) >= FEWEST]
    found = [Likeness(100, who) for who, _ in groups if len(who) > 1]
    for one, other, shared in _sharing([marks for _, marks in groups]):
        (some, mine), (others, theirs) = groups[one], groups[other]
        percent = 100 * shared // min(len(mine), len(theirs))
        some, others = _without(some, others), _without(others, some)
        if percent >= at_least and some and others:
            found.append(Likeness(percent, some, others))
    people = Counter(who for group, _ in groups for who in group)
    several = {who for who, count in people.items() if count > 1}
    return list(_news(sorted(found, key=lambda likeness: -likeness.percent), several))


def _without(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Those of one group that are not in the other: who is in both is like the other already."""
    left_out = {*others}
    return tuple(name for name in names if name not in left_out)


def _news(found: list[Likeness], several: set[str]) -> Iterator[Likeness]:
    """Those that tell of two people who were not told of before. several: who has more than one answer."""
    told: set[frozenset[str]] = set()
    for likeness in found:
        if several.isdisjoint(likeness.some + likeness.others):
            yield likeness  # none of them comes twice
            continue
        pairs = set(_pairs(likeness))
        if not pairs <= told:
            yield likeness
        told |= pairs


def _pairs(likeness: Likeness) -> Iterator[frozenset[str]]:
    """Any two people of whom it tells."""
    sides = product(likeness.some, likeness.others)
    yield from map(frozenset, sides if likeness.others else combinations(likeness.some, 2))


def _sharing(marks: list[set[str]]) -> Iterator[tuple[int, int, int]]:
    """(one, other, how many hashes both have) of those that share any."""
    having: dict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(marks):
        shared = Counter(other for mark in found for other in having[mark])
        yield from ((other, number, count) for other, count in shared.items())
        for mark in found:
            having[mark].append(number)


def tokens(source: str) -> list[str]:
    """What an answer is made of: every name is `n`, every text `s`. Empty for what Python can't read."""
    try:
        tree = _Bare().visit(ast.parse(source))
        plain = ast.unparse(ast.fix_missing_locations(tree))
        return [word for token in tokenize.generate_tokens(io.StringIO(plain).readline) if (word := _word(token))]
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return []


def _word(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if keyword.iskeyword(token.string) else "n"
    return {tokenize.STRING: "s", tokenize.NUMBER: token.string, tokenize.OP: token.string}.get(token.type, "")


class _Bare(ast.NodeTransformer):
    """Without docstrings, annotations and imports."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [line for line in node.body if not _says_nothing(line)] or [ast.Pass()]
        for field in ("annotation", "returns"):
            if hasattr(node, field) and not isinstance(node, ast.AnnAssign):
                setattr(node, field, None)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else node


def _says_nothing(line: ast.stmt) -> bool:
    text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
    return text or isinstance(line, ast.Import | ast.ImportFrom)


def prints(words: list[str] | tuple[str, ...]) -> Iterator[str]:
    """The hashes that stand for a text: of NEIGHBOURS runs that begin one after the other, the smallest."""
    runs = [" ".join(words[i : i + RUN]) for i in range(max(1, len(words) - RUN + 1))]
    hashes = [hashlib.blake2b(run.encode(), digest_size=8).hexdigest() for run in runs]
    for i in range(max(1, len(hashes) - NEIGHBOURS + 1)):
        yield min(hashes[i : i + NEIGHBOURS])
