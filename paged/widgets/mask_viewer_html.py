"""The masks of a batch without a kernel: a row of a mask is a bar of what it sees, in plain HTML."""

from html import escape

from paged.widgets.mask_viewer_masks import differing, query_start_loc, seen, stage
from paged.widgets.static_page import BLUE, INK, LINE, MONO, MUTED, TEXT, VERMILLION, bar, card

KEY, ROW = 8, 9  # pixels per key and per query
HIDDEN = "#e6e8ea"


def static_html(requests: list[list[int]], mistake: str, text: dict[str, str]) -> str:
    """`text` is one edition of mask_viewer_text.TEXT."""
    starts = query_start_loc(requests)
    arrays = f"query_start_loc = {starts}\nseq_lens = {[context for context, _ in requests]}"
    said = ""
    if mistake != "none":
        cells = differing(requests, mistake)
        said = text["wrong_cells" if cells else "same"].format(mistake=text[mistake], cells=cells)
    rows = "".join(_request(n, starts[n], size, mistake, text) for n, size in enumerate(requests))
    return card(
        f"<div><b>{escape(text['name'])}</b>, {escape(text['batch'].format(rows=starts[-1]))}</div>",
        f'<pre style="{MONO};color:{INK};background-color:#ffffff;margin:6px 0">{arrays}</pre>',
        f"<div>{escape(said)}</div>",
        f'<table style="border-collapse:collapse;margin:0;{TEXT}">{rows}</table>',
        _legend(mistake, text),
    )


def _request(n: int, start: int, size: list[int], mistake: str, text: dict[str, str]) -> str:
    context, new = size
    rows = "".join(_row(context, new, query, mistake) for query in range(new))
    batch = f"{start}–{start + new - 1}" if new > 1 else str(start) if new else "—"
    style = f"vertical-align:top;text-align:left;padding:7px 14px 7px 0;border-top:1px solid {LINE}"
    about = f"{text[stage(context, new)]}<br>{text['size'].format(context=context, new=new)}"
    return (
        f'<tr style="background-color:#ffffff"><td style="{style}"><b>{text["request"].format(request=n)}</b>'
        f'<div style="color:{MUTED}">{about}</div></td><td style="{style}">{rows}</td>'
        f'<td style="{style};color:{MUTED}">{escape(text["rows"].format(rows=batch))}</td></tr>'
    )


def _row(context: int, new: int, query: int, mistake: str) -> str:
    right, wrong = seen(context, new, query), seen(context, new, query, mistake)
    low, high = sorted((right, wrong))
    parts = ((low, BLUE), (high - low, VERMILLION), (context - high, HIDDEN))
    boxes = "".join(bar(f"{keys * KEY}px", colour, ROW) for keys, colour in parts if keys)
    return f'<div style="display:flex;margin-bottom:1px">{boxes}</div>'


def _legend(mistake: str, text: dict[str, str]) -> str:
    entries = [("visible", BLUE), ("hidden", HIDDEN)]
    if mistake != "none":
        entries.append(("leaked" if mistake == "full" else "lost", VERMILLION))
    boxes = "".join(
        f'<div style="width:12px;height:12px;background-color:{colour};margin:4px 6px 0 0"></div>'
        f'<div style="margin-right:18px">{escape(text[name])}</div>'
        for name, colour in entries
    )
    return f'<div style="display:flex;margin-top:6px">{boxes}</div>'
