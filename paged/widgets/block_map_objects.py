"""What the block map finds out about objects that it has never seen: numbers, names, tokens per block."""

import copy
import io
import itertools
import string
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

from paged.widgets.arguments import whole
from paged.widgets.block_map_reading import MISSING, attribute, has, text_of
from paged.widgets.block_map_script import is_a_name

MOST_BLOCKS = 1024
MOST_BLOCK_SIZE = 4096
MOST_COPIES = 10_000  # pairs in pool.copies
DEFAULT_BLOCK_SIZE = 4  # tokens, of new sequences where nothing says otherwise
SEQUENCE_NAMES, LIST_NAMES = string.ascii_lowercase[:14], "xyzuvw"


def by_name(sequences: Any) -> tuple[dict[str, Any], Callable | None]:
    """Sequences by name, and what makes another one."""
    if sequences is None:
        return {}, None
    if isinstance(sequences, type) or (callable(sequences) and not has(sequences, "block_table")):
        return {}, sequences
    if has(sequences, "block_table"):
        sequences = [sequences]
    if not isinstance(sequences, Mapping):
        try:
            given = list(sequences)
        except TypeError:
            raise ValueError(
                f"sequences must be a list of them, or a class, got {text_of(sequences, most=80)}"
            ) from None
        names = itertools.chain(SEQUENCE_NAMES, (f"a{n}" for n in itertools.count(1)))
        sequences = dict(zip(names, given, strict=False))
    for name, each in sequences.items():
        if not is_a_name(name):
            raise ValueError(f"{name!r} cannot be the name of a sequence")
        if not has(each, "block_table") or not has(each, "num_tokens"):
            raise ValueError(f"{name} is no sequence: it needs block_table and num_tokens, got {type(each).__name__}")
    return dict(sequences), next((type(each) for each in sequences.values()), None)


def name_of(make: Callable | None) -> str:
    name = attribute(make, "__name__", "")
    return name if is_a_name(name) else "Sequence"


def checked_block_size(what: str, size: Any) -> int:
    """The tokens per block as an int. Raises ValueError unless it is 1 to MOST_BLOCK_SIZE; True is no number."""
    if not 1 <= whole(what, size) <= MOST_BLOCK_SIZE:
        raise ValueError(f"{what} is 1 to {MOST_BLOCK_SIZE:,} tokens, got {text_of(size, most=80)}")
    return whole(what, size)


def own_block_size(name: str, sequence: Any) -> int | None:
    """What a sequence says in block_size, or None where it has none. Raises ValueError for what is no block size."""
    size = attribute(sequence, "block_size", MISSING)
    return None if size is MISSING else checked_block_size(f"{name}.block_size", size)


def tried_block_size(sequence: Any) -> int | None:
    """On a copy, how many tokens a block takes before the next one is needed; None if that cannot be found out."""
    try:
        with redirect_stdout(io.StringIO()):
            twin = copy.deepcopy(sequence)
            twin.free()
            for num_tokens in range(MOST_BLOCK_SIZE + 1):
                twin.append(1)
                if len(twin.block_table) > 1:
                    return num_tokens or None
    except BaseException:  # the copy's pool has a single free block, or the learner's code is not finished
        return None
    return None
