"""What the block map operates on: the learner's own pool, sequences and allocations, by name.

Any object with the methods of `paged.BlockPool` or `paged.Sequence` will do; what it lacks is reported when it is asked
for. An exception from such an object is an outcome like any other.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from paged.widgets.block_map_objects import (
    DEFAULT_BLOCK_SIZE,
    LIST_NAMES,
    MOST_BLOCKS,
    SEQUENCE_NAMES,
    by_name,
    checked_block_size,
    name_of,
    own_block_size,
    tried_block_size,
)
from paged.widgets.block_map_reading import attribute, has, text_of, whole_numbers
from paged.widgets.block_map_script import POOL, Call, Name, ScriptError, is_a_name


@dataclass(frozen=True)
class Outcome:
    """How a call came out: a key of block_map_text.TEXT with its values, and the call as it was carried out."""

    call: str
    key: str
    values: dict[str, object]
    born: str | None = None  # the sequence that the call made


class Desk:
    """Names, and what they stand for.

    sequences: None, sequences by name, an iterable of them (named a, b, …), one sequence, or what makes one when it is
    called with (pool, block_size). Raises ValueError for a pool or sequences that the map cannot draw.
    """

    def __init__(self, pool: Any, sequences: Any, block_size: int | None) -> None:
        missing = [name for name in ("num_free", "allocate", "free", "ref_cnt") if not has(pool, name)]
        if missing:
            raise ValueError(f"a pool needs num_free, allocate, free and ref_cnt; this one lacks {', '.join(missing)}")
        self.pool = pool
        self.num_blocks = len(whole_numbers(attribute(pool, "ref_cnt"), MOST_BLOCKS + 1))
        if not 1 <= self.num_blocks <= MOST_BLOCKS:
            most = "or more " if self.num_blocks > MOST_BLOCKS else ""
            raise ValueError(
                f"a block map draws 1 to {MOST_BLOCKS:,} blocks, ref_cnt has {self.num_blocks:,} {most}whole numbers"
            )
        self.lists: dict[str, list[int]] = {}  # what allocate returned
        self.held: dict[str, list[int]] = {}  # which of those blocks are still owned under that name
        self.sequences, self.make = by_name(sequences)
        self.numbers = {name: number for number, name in enumerate(self.sequences)}  # of their colours
        self.maker = name_of(self.make)
        strangers = [name for name, each in self.sequences.items() if attribute(each, "pool", pool) is not pool]
        if strangers:
            raise ValueError(f"sequences of another pool: {', '.join(strangers)}")
        self.block_size, self.agreed = self._block_size(block_size)  # agreed: told so, or by a sequence

    def perform(self, call: Call) -> Outcome:
        """Carry out one call and store its result. Raises ScriptError where the line makes no sense as it stands."""
        target = call.target
        try:
            method = self._method(call)
            target = self._target(call)
            arguments = [self._value(each, call.line) for each in call.arguments]
            result = method(*arguments)
        except ScriptError:
            raise
        except BaseException as error:  # whatever the learner's own code raises, sys.exit included
            told = {"error": type(error).__name__, "message": text_of(error, str)}
            return Outcome(call.written(target), "raised", told)
        return self._store(call, target, arguments, result)

    def _method(self, call: Call) -> Callable:
        if not call.method:
            if self.make and call.receiver == self.maker:
                return self.make
            raise ScriptError("unknown_name", call.line, name=call.receiver, known=self._callable())
        owner = self.pool if call.receiver == POOL else self.sequences.get(call.receiver)
        if owner is None:
            raise ScriptError("unknown_name", call.line, name=call.receiver, known=self._callable())
        if not callable(method := getattr(owner, call.method, None)):
            raise ScriptError("lacks", call.line, receiver=call.receiver, method=call.method)
        return method

    def _callable(self) -> list[str]:
        return [POOL, *self.sequences, *([self.maker] if self.make else [])]

    def _target(self, call: Call) -> str | None:
        """The name for the result: the one that was asked for, or an unused one where the result is worth keeping."""
        if call.target is None:
            if call.method == "allocate":
                return self._unused(LIST_NAMES)
            return self._unused(SEQUENCE_NAMES) if call.method in ("", "fork") else None
        if call.method not in ("", "fork", "allocate"):
            raise ScriptError("no_result", call.line, method=call.method)
        if not is_a_name(call.target) or call.target == self.maker:
            raise ScriptError("reserved", call.line, name=call.target)
        if blocks := self._holds(call.target):
            raise ScriptError("still_holds", call.line, name=call.target, count=len(blocks))
        return call.target

    def _unused(self, letters: str) -> str:
        numbered = (f"{letter}{n}" for n in itertools.count(1) for letter in letters)
        taken = {*self.sequences, *self.lists, self.maker}
        return next(name for name in itertools.chain(letters, numbered) if name not in taken)

    def _holds(self, name: str) -> tuple[int, ...]:
        if name in self.sequences:
            return whole_numbers(attribute(self.sequences[name], "block_table", ()), self.num_blocks)
        return tuple(self.held.get(name, ()))

    def _value(self, argument: int | list[int] | Name, line: int) -> Any:
        if not isinstance(argument, Name):
            return argument
        known = {POOL: self.pool} | self.lists
        if argument.name not in known:
            raise ScriptError("unknown_name", line, name=argument.name, known=list(known))
        value = known[argument.name]
        return list(value) if isinstance(value, list) else value

    def _store(self, call: Call, target: str | None, arguments: list, result: Any) -> Outcome:
        written, verb = call.written(target), call.method
        if verb in ("", "fork"):
            if not has(result, "block_table"):
                told = {"result": text_of(result, most=120), "wanted": "block_table"}
                return Outcome(call.written(None), "odd", told)
            if refused := self._refused_size(target, result):
                return Outcome(call.written(None), *refused)
            self._rename(target)
            self.sequences[target] = result
            return Outcome(written, "done", {}, target)
        if verb == "allocate":
            return self._store_blocks(call, target, result)
        if call.receiver == POOL and verb in ("free", "share"):
            first = next((each.name for each in call.arguments if isinstance(each, Name)), "")
            self._move(verb, arguments[0] if arguments else (), first)
        shown = "done" if result is None else "returned"
        return Outcome(written, shown, {} if result is None else {"result": text_of(result)})

    def _store_blocks(self, call: Call, target: str, result: Any) -> Outcome:
        if isinstance(result, list) and list.__len__(result) > self.num_blocks:
            told = {"count": list.__len__(result), "blocks": self.num_blocks}
            return Outcome(call.written(None), "too_many_blocks", told)
        blocks = whole_numbers(result, self.num_blocks)
        if not isinstance(result, list) or len(blocks) != list.__len__(result):
            key = "none" if result is None else "odd"
            return Outcome(call.written(None), key, {"result": text_of(result, most=120), "wanted": "list"})
        self._rename(target)
        self.lists[target], self.held[target] = list(blocks), list(blocks)
        return Outcome(call.written(target), "returned", {"result": str(list(blocks))})

    def _refused_size(self, name: str, sequence: Any) -> tuple[str, dict[str, object]] | None:
        """Why a sequence that was made has no place here: its blocks are of another size than the pool's others.

        The first one to be made decides, where nothing else has.
        """
        try:
            size = own_block_size(name, sequence)
        except ValueError as error:
            return "no_size", {"message": str(error)}
        if not self.agreed:
            self.block_size = size or tried_block_size(sequence) or self.block_size
            self.agreed = True
        elif size not in (None, self.block_size):
            return "other_size", {"own": size, "size": self.block_size}
        return None

    def _rename(self, name: str) -> None:
        """From now on the name stands for something else; it keeps its colour."""
        for known in (self.sequences, self.lists, self.held):
            known.pop(name, None)
        self.numbers.setdefault(name, len(self.numbers))

    def _move(self, verb: str, blocks: Any, first: str) -> None:
        """One owner more or less of each block: under the name that was used, else under the first that holds it."""
        for block in whole_numbers(blocks):
            names = sorted(self.held, key=lambda name: name != first)
            holder = next((name for name in names if block in self.held[name]), None)
            if holder is not None:
                (self.held[holder].append if verb == "share" else self.held[holder].remove)(block)

    def _block_size(self, wanted: int | None) -> tuple[int, bool]:
        """Tokens per block as told, or as the sequences say or do, and whether anything said so.

        Raises ValueError for what is no block size, and where they don't agree.
        """
        said = [own_block_size(name, each) for name, each in self.sequences.items()]
        if wanted is not None:
            said.append(checked_block_size("block_size", wanted))
        known = set(said) - {None}
        if len(known) > 1:
            raise ValueError(f"blocks of one pool have one size, not {' and '.join(map(str, sorted(known)))} tokens")
        if known:
            return known.pop(), True
        found = next(filter(None, map(tried_block_size, self.sequences.values())), None)
        if self.sequences and found is None:
            raise ValueError("these sequences keep no block_size: pass block_size= to block_map")
        return found or DEFAULT_BLOCK_SIZE, found is not None
