"""The utilisation explorer without a kernel: bars and numbers in plain HTML."""

from collections import Counter
from collections.abc import Sequence
from html import escape

from paged.widgets.static_page import BLUE, TEXT, VERMILLION, bar, card, row_of
from paged.workload import Workload, utilisation

BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
RESERVED = "#f0b64d"


def utilisation_by_block_size(lengths: Sequence[int], block_sizes: Sequence[int]) -> list[float]:
    """used / allocated for each block size."""
    times = Counter(lengths).items()
    used = sum(lengths)
    return [used / (size * sum(count * -(-length // size) for length, count in times)) for size in block_sizes]


def static_html(workload: Workload, block_size: int, text: dict[str, str]) -> str:
    """Two bars on one scale and utilisation at nine block sizes; `text` is one edition of explorer_text.TEXT."""
    found = utilisation(workload.lengths, block_size, workload.max_len)
    reserved = [("used", found.used, BLUE), ("reserved_waste", found.reserved_waste, RESERVED)]
    paged = [("used", found.used, BLUE), ("last_block_waste", found.last_block_waste, VERMILLION)]
    total = found.used + max(found.reserved_waste, found.last_block_waste)
    title = text[workload.name].format(max=f"{workload.max_len:,}")
    summary = text["summary"].format(
        num_requests=f"{len(workload.lengths):,}",
        block_size=block_size,
        paged=f"{found.paged:.1%}",
        reserved=f"{found.reserved:.1%}",
    )
    return card(
        f"<div>{escape(title)}</div><div>{escape(summary)}</div>",
        _strategy(text["reserved"], reserved, total, text),
        _strategy(text["paged"].format(block_size=block_size), paged, total, text),
        _curve(workload.lengths, text),
    )


def _strategy(title: str, parts: list[tuple[str, int, str]], total: int, text: dict[str, str]) -> str:
    held = sum(tokens for _, tokens, _ in parts)
    heading = text["titled"].format(title=title, ratio=f"{parts[0][1] / held:.1%}")
    legend = " · ".join(f"{text[name]} {tokens:,} ({tokens / held:.2%})" for name, tokens, _ in parts)
    boxes = "".join(bar(f"{100 * tokens / total:.3f}%", colour) for _, tokens, colour in parts)
    return f'<div style="margin-top:14px"><b>{escape(heading)}</b></div><div>{escape(legend)}</div>{row_of(boxes)}'


def _curve(lengths: Sequence[int], text: dict[str, str]) -> str:
    rows = (
        (text["block_axis"], map(str, BLOCK_SIZES)),
        (text["paged_short"], (f"{ratio:.1%}" for ratio in utilisation_by_block_size(lengths, BLOCK_SIZES))),
    )
    table = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        + "".join(f'<td style="text-align:right;padding:2px 8px">{cell}</td>' for cell in cells)
        + "</tr>"
        for name, cells in rows
    )
    return f'<table style="margin-top:14px;{TEXT}">{table}</table>'
