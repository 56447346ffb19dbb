"""Workloads: how long requests are, and how much of the KV memory they leave unused.

A workload is a list of total lengths (prompt and output) and the length that a server without paging would have to
reserve for every request, because it can't know better. The chapter's own workload is synthetic and kind; the Azure
traces are what a service really saw.
"""

import csv
from os import PathLike
from pathlib import Path
from random import Random
from typing import NamedTuple

from paged.traces import TRACES, quantile

_COLUMNS = ("ContextTokens", "GeneratedTokens")


class Workload(NamedTuple):
    """Total tokens of each request, and the tokens that reserving the maximum takes per request."""

    name: str
    lengths: list[int]
    max_len: int


class Utilisation(NamedTuple):
    """Where the memory goes, in tokens. Paged memory is used + last_block_waste, reserved is used + reserved_waste."""

    used: int
    last_block_waste: int
    reserved_waste: int

    @property
    def paged(self) -> float:
        """Fraction (0..1) of the allocated blocks that holds tokens."""
        return self.used / (self.used + self.last_block_waste)

    @property
    def reserved(self) -> float:
        """Fraction (0..1) of the reserved memory that holds tokens."""
        return self.used / (self.used + self.reserved_waste)


def utilisation(lengths: list[int], block_size: int, max_len: int) -> Utilisation:
    """Memory of requests with these lengths: in blocks of block_size, and with max_len tokens reserved for each.

    Raises ValueError if there is no request, if block_size < 1, and for a length below 1 or above max_len.
    """
    if not lengths:
        raise ValueError("there are no requests")
    if block_size < 1:
        raise ValueError(f"block_size must be at least 1, got {block_size}")
    if not 1 <= min(lengths) <= max(lengths) <= max_len:
        raise ValueError(f"lengths must be 1..{max_len} tokens, got {min(lengths)}..{max(lengths)}")
    used = sum(lengths)
    return Utilisation(
        used=used,
        last_block_waste=sum(-length % block_size for length in lengths),
        reserved_waste=len(lengths) * max_len - used,
    )


def handbook(n: int = 200, seed: int = 0) -> Workload:
    """The handbook's requests: prompts of 100 to 2000 tokens and outputs of 20 to 1500, uniform; 4096 are reserved.

    The first k of n requests are handbook(k). Raises ValueError for n < 1.
    """
    _check_count(n)
    rng = Random(seed)
    lengths = [rng.randint(100, 2000) + rng.randint(20, 1500) for _ in range(n)]
    return Workload("handbook", lengths, max_len=4096)


def trace(name: str, n: int = 200, seed: int = 0) -> Workload:
    """n requests distributed like "azure-conv-2023" or "azure-code-2023"; max_len is the trace's own longest request.

    Drawn by inverse transform from the quantiles in paged.traces, stratified: every hundred requests holds one from
    each percent of the distribution, in random order. So a few hundred requests already waste what the whole trace
    wastes, where independent draws would swing by one percent of the mean even for ten thousand.
    The first k of n requests are trace(name, k). Raises ValueError for an unknown name and for n < 1.
    """
    if name not in TRACES:
        raise ValueError(f"unknown trace {name!r}, there are: {', '.join(TRACES)}")
    _check_count(n)
    rng = Random(seed)
    lengths: list[int] = []
    while len(lengths) < n:
        percents = rng.sample(range(100), 100)
        lengths += [quantile(name, (percent + rng.random()) / 100) for percent in percents]
    return Workload(name, lengths[:n], max_len=TRACES[name][-1])


def from_csv(path: str | PathLike[str]) -> Workload:
    """A trace of your own, in the Azure format: one request per row, columns ContextTokens and GeneratedTokens.

    Other columns are ignored. max_len is the longest request of the file, the name that of the file.
    Raises ValueError, with the line, for a cell that is no whole number, a row of another width and a request without
    tokens; also for an empty file, a missing column and a header without requests.
    """
    path = Path(path)
    lengths = []
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        if not rows.fieldnames:
            raise ValueError(f"{path}: the file is empty")
        missing = [column for column in _COLUMNS if column not in rows.fieldnames]
        if missing:
            raise ValueError(f"{path}: no column {' and '.join(missing)}; columns: {', '.join(rows.fieldnames)}")
        for row in rows:
            lengths.append(_total_tokens(row, f"{path}, line {rows.line_num}"))
    if not lengths:
        raise ValueError(f"{path}: there are no requests below the header")
    return Workload(path.stem, lengths, max_len=max(lengths))


def _total_tokens(row: dict, place: str) -> int:
    if None in row or None in row.values():
        raise ValueError(f"{place}: the row has not as many cells as the header")
    total = 0
    for column in _COLUMNS:
        cell = row[column].strip()
        if not (cell.isascii() and cell.isdigit()):
            raise ValueError(f"{place}: {column} must be a whole number, got {row[column]!r}")
        total += int(cell)
    if total == 0:
        raise ValueError(f"{place}: the request has no tokens")
    return total


def _check_count(n: int) -> None:
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
