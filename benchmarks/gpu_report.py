"""What benchmarks/gpu.py measures, case by case, and what it writes down: the cases, their bytes, the JSON's shape.

Nothing here needs a GPU. Query heads are 32 on 8 KV heads, as in models of 8 billion parameters; values are bfloat16.
"""

from itertools import product
from typing import Literal

import msgspec

HEADS, KV_HEADS, ITEM = 32, 8, 2  # bytes of a bfloat16
CONTEXTS = (512, 2048, 8192, 32768)
RIVALS = ((1, 8192), (8, 8192), (32, 2048), (128, 2048))  # (batch, context), multiples of FlexAttention's page
SPLITS = (1, 2, 4, 8, 16, 32)


class Case(msgspec.Struct, frozen=True):
    """One step of decoding: `batch` requests of `context` tokens each, one query each."""

    batch: int
    context: int
    block_size: int = 16
    head_dim: int = 128

    @property
    def blocks(self) -> int:
        """Blocks per request."""
        return -(-self.context // self.block_size)

    @property
    def kv_bytes(self) -> int:
        """K and V that must be read."""
        return 2 * self.batch * self.context * KV_HEADS * self.head_dim * ITEM

    @property
    def cache_bytes(self) -> int:
        """K and V with what is left over in last blocks."""
        return 2 * self.batch * self.blocks * self.block_size * KV_HEADS * self.head_dim * ITEM

    @property
    def least_bytes(self) -> int:
        """All that must cross the memory bus: K and V, queries and results, int32 block tables and lengths."""
        rows = 2 * self.batch * HEADS * self.head_dim * ITEM
        return self.kv_bytes + rows + 4 * self.batch * (self.blocks + 1)

    def copies(self, l2_bytes: int) -> int:
        """How many inputs take turns so that none is still in the L2 cache when its turn comes again."""
        return max(2, 1 + -(-4 * l2_bytes // self.cache_bytes))


WALKS = [
    *(Case(*case) for case in product((1, 8, 32, 128), CONTEXTS, (16, 64), (64, 128))),
    *(Case(32, 2048, block_size=size) for size in (1, 4, 272)),
    *(Case(32, 2048, head_dim=dim) for dim in (80, 96, 256)),
]
SPLIT_CASES = [Case(batch, context) for batch, context in product((1, 2, 4, 8, 16, 32), (1024, 4096, 16384, 65536))]


class Card(msgspec.Struct):
    """Where the figures come from."""

    name: str
    capability: str
    processors: int
    memory_bytes: int
    l2_bytes: int
    torch: str
    triton: str


class Check(msgspec.Struct):
    """Largest error of a kernel on one batch, times 1 / max(1, |expected|), against float64."""

    kernel: str
    shape: str
    stage: str
    dtype: str
    error: float | None  # None: not a number
    bound: float

    @property
    def holds(self) -> bool:
        return self.error is not None and self.error < self.bound


class Walk(msgspec.Struct):
    """A timed decode. of_copy: least_bytes in this time, as a part of the copy bandwidth."""

    case: Case
    num_splits: int
    seconds: float
    of_copy: float


class Rival(msgspec.Struct):
    """The same decode done by others."""

    case: Case
    side: str
    seconds: float


class Split(msgspec.Struct):
    """A decode divided by hand; rule: what choose_num_splits would take."""

    case: Case
    num_splits: int
    rule: int
    seconds: float


class Report(msgspec.Struct):
    """All of a run. copy_bytes_per_second counts bytes read and bytes written; left_out says what was not measured,
    and why."""

    card: Card
    copy_bytes_per_second: float
    checks: list[Check] = []
    walks: list[Walk] = []
    rivals: list[Rival] = []
    splits: list[Split] = []
    left_out: list[str] = []
    seconds: float = 0.0
    version: Literal[1] = 1


def encode(report: Report) -> bytes:
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


def decode(text: bytes) -> Report:
    """Raises msgspec.ValidationError for what is no such report."""
    return msgspec.json.decode(text, type=Report)


def fastest(splits: list[Split]) -> dict[Case, int]:
    """For each case the number of splits that took the least time."""
    best: dict[Case, Split] = {}
    for split in splits:
        if split.case not in best or split.seconds < best[split.case].seconds:
            best[split.case] = split
    return {case: split.num_splits for case, split in best.items()}


def crossovers(splits: list[Split]) -> dict[int, int | None]:
    """For each batch the shortest context at which more than one split is the fastest; None where none is."""
    best = fastest(splits)
    found: dict[int, int | None] = {case.batch: None for case in best}
    for case in sorted(best, key=lambda case: case.context):
        if best[case] > 1 and found[case.batch] is None:
            found[case.batch] = case.context
    return found
