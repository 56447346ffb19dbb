"""One step of a block map without a kernel: the blocks, the free queue and the block tables in plain HTML."""

from collections import Counter
from html import escape

from paged.widgets.block_map_state import Owner, State
from paged.widgets.blocks_html import BOX, NOTHING, PLAIN, WRONG, cell
from paged.widgets.static_page import LINE, MONO, MUTED, card

MOST_ITEMS = 64  # of a queue or a table


def static_html(step: dict, state: State, block_size: int, text: dict[str, str]) -> str:
    """`text` is one edition of block_map_text.TEXT."""
    free = NOTHING if state.num_free is None else state.num_free
    count = text["of_blocks"].format(count=len(state.counts))
    rows = "".join(_row(name, owner, text) for name, owner in state.owners.items())
    lost = "".join(f'<div style="color:{WRONG}"><b>{escape(words)}</b></div>' for words in losses(state, text))
    return card(
        f"<div><b>{escape(text['name'])}</b></div>",
        f'<div style="{MONO}"><b>{escape(step["call"])}</b></div><div>{escape(said(step, text))}</div>{lost}',
        f'<div style="margin-top:8px"><b>{free}</b> {count}</div>',
        f"<div>{text['queue']}: {_queue(state.queue, text)}</div>",
        f'<div style="margin:8px 0">{"".join(map(cell, cells(state, block_size)))}</div>',
        f'<table style="border-collapse:collapse;margin:0;width:100%">{rows}</table>',
    )


def said(step: dict, text: dict[str, str]) -> str:
    """How the call came out, in a sentence or two."""
    key, values = step["outcome"]
    trace = text[step["trace"]] if step["trace"] else ""
    return f"{text[key].format(**values)} {trace}".strip()


def losses(state: State, text: dict[str, str]) -> list[str]:
    return [text["lost"].format(name=name, count=each.lost) for name, each in state.owners.items() if each.lost]


def cells(state: State, block_size: int) -> list[dict]:
    """Every block as `blocks_html.cell` takes it, with the colours that the browser gives its owners."""
    owners: dict[int, list] = {}
    for name, owner in state.owners.items():
        for block, times in Counter(owner.table).items():
            owners.setdefault(block, []).append([name, owner.number, times])
    written = any(owner.tokens is not None for owner in state.owners.values())
    return [
        {
            "block": block,
            "text": NOTHING if count < 0 else str(count),
            "owners": owners.get(block, []),
            "free": count == 0,
        }
        | ({"fill": f"{page.used()}/{block_size}"} if written and count > 0 else {})
        for block, (count, page) in enumerate(zip(state.counts, state.contents, strict=True))
    ]


def _queue(queue: tuple[int, ...] | None, text: dict[str, str]) -> str:
    if queue is None:
        return escape(text["queue_unknown"])
    return _chips(queue, text) if queue else text["queue_empty"]


def _row(name: str, owner: Owner, text: dict[str, str]) -> str:
    style = f"text-align:left;vertical-align:top;padding:5px 14px 5px 0;{MONO};border-top:1px solid {LINE}"
    tokens = "" if owner.tokens is None else text["token_count"].format(count=owner.tokens)
    return (
        f'<tr style="background-color:#ffffff"><th style="{style}">{escape(name)}</th>'
        f'<td style="{style}">{tokens}</td><td style="{style}">{_chips(owner.table, text)}</td></tr>'
    )


def _chips(blocks: tuple[int, ...], text: dict[str, str]) -> str:
    chips = "".join(f'<span style="{BOX};{PLAIN}">{block}</span>' for block in blocks[:MOST_ITEMS])
    more = text["more"].format(count=len(blocks) - MOST_ITEMS) if len(blocks) > MOST_ITEMS else ""
    return f'{chips}<span style="color:{MUTED}">{more}</span>'
