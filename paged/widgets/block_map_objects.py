"""What the block map finds out about objects that it has never seen: numbers, names, tokens per block."""

import copy
import itertools
import operator
import string
from collections.abc import Callable, Mapping
from typing import Any

from paged.widgets.block_map_script import is_a_name

MOST_BLOCKS = 1024
MOST_BLOCK_SIZE = 4096
DEFAULT_BLOCK_SIZE = 4  # tokens, of new sequences where nothing says otherwise
SEQUENCE_NAMES, LIST_NAMES = string.ascii_lowercase[:14], "xyzuvw"


def whole_numbers(values: Any) -> tuple[int, ...]:
    """The values as plain ints; nothing where they are not whole numbers, or not several."""
    try:
        return tuple(operator.index(value) for value in values)
    except TypeError:
        return ()


def by_name(sequences: Any) -> tuple[dict[str, Any], Callable | None]:
    """Sequences by name, and what makes another one."""
    if sequences is None:
        return {}, None
    if isinstance(sequences, type) or (callable(sequences) and not hasattr(sequences, "block_table")):
        return {}, sequences
    if hasattr(sequences, "block_table"):
        sequences = [sequences]
    if not isinstance(sequences, Mapping):
        given = list(sequences)
        names = itertools.chain(SEQUENCE_NAMES, (f"a{n}" for n in itertools.count(1)))
        sequences = dict(zip(names, given, strict=False))
    for name, each in sequences.items():
        if not is_a_name(name):
            raise ValueError(f"{name!r} cannot be the name of a sequence")
        if not hasattr(each, "block_table") or not hasattr(each, "num_tokens"):
            raise ValueError(f"{name} is no sequence: it needs block_table and num_tokens, got {type(each).__name__}")
    return dict(sequences), next((type(each) for each in sequences.values()), None)


def name_of(make: Callable | None) -> str:
    name = getattr(make, "__name__", "")
    return name if is_a_name(name) else "Sequence"


def tried_block_size(sequence: Any) -> int | None:
    """On a copy, how many tokens a block takes before the next one is needed; None if that cannot be found out."""
    try:
        twin = copy.deepcopy(sequence)
        twin.free()
        for num_tokens in range(MOST_BLOCK_SIZE + 1):
            twin.append(1)
            if len(twin.block_table) > 1:
                return num_tokens
    except Exception:  # the copy's pool has a single free block, or the learner's code is not finished
        return None
    return None
