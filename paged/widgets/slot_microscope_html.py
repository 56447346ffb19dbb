"""The slot microscope without a kernel: the sum, the block table around the token and the cache, in plain HTML."""

from html import escape

from paged.widgets.static_page import BLUE, EMPTY, INK, LINE, MONO, MUTED, TEXT, VERMILLION, card

MOST_ENTRIES = 16  # of the table that are shown, around the token's


def formula(position: int, block_size: int, found: dict) -> str:
    """The way to the slot, as one would type it in Python; `found` is SlotMicroscope.results."""
    logical, offset, block, slot = (found[name] for name in ("logical_block", "offset", "block", "slot"))
    return (
        f"slot = block_table[{position} // {block_size}] * {block_size} + {position} % {block_size}"
        f" = block_table[{logical}] * {block_size} + {offset} = {block} * {block_size} + {offset} = {slot}"
    )


def static_html(position: int, num_tokens: int, block_size: int, found: dict, text: dict[str, str]) -> str:
    """`found` is SlotMicroscope.results, `text` one edition of slot_microscope_text.TEXT."""
    logical, offset, block = found["logical_block"], found["offset"], found["block"]
    values = {"position": position, "logical": logical, "offset": offset, "block": block, "slot": found["slot"]}
    counts = {"tokens": num_tokens, "entries": len(found["block_table"]), "blocks": found["num_blocks"]}
    note = " · ".join(
        f"{text[f'{row}_row']}: {text[f'{row}_note'].format(**counts, block_size=block_size)}"
        for row in ("tokens", "table", "cache")
    )
    return card(
        f"<div><b>{escape(text['name'])}</b></div><div>{escape(text['summary'].format(**values))}</div>",
        f'<pre style="{MONO};color:{INK};background-color:#ffffff;white-space:pre-wrap;margin:8px 0">'
        f"{escape(formula(position, block_size, found))}</pre>",
        f'<div style="color:{MUTED}">{escape(note)}</div>',
        _table(found["block_table"], logical, text),
        f'<div style="margin-top:12px"><b>{escape(text["lens_row"].format(block=block))}</b></div>',
        _block(block_size, offset, min(block_size, num_tokens - logical * block_size)),
    )


def _table(block_table: list[int], logical: int, text: dict[str, str]) -> str:
    first = max(0, min(logical - MOST_ENTRIES // 2, len(block_table) - MOST_ENTRIES))
    entries = range(first, min(len(block_table), first + MOST_ENTRIES))
    before, after = ["…"] * (first > 0), ["…"] * (entries.stop < len(block_table))

    def row(cells: list[str], style: str) -> str:
        return "".join(f'<td style="text-align:center;padding:2px 9px;{style}">{cell}</td>' for cell in cells)

    def value(entry: int) -> str:
        block = block_table[entry]
        return f'<b style="color:{VERMILLION}">{block}</b>' if entry == logical else str(block)

    head = row([*before, *map(str, entries), *after], f"color:{MUTED}")
    body = row([*before, *map(value, entries), *after], f"border:1px solid {LINE}")
    title = f'<tr><th style="text-align:left">{escape(text["table_row"])}</th>'
    return (
        f'<table style="border-collapse:collapse;margin:6px 0 0 0;{TEXT}">'
        f'<tr style="background-color:#ffffff"><th></th>{head}</tr>'
        f"{title}{body}</tr></table>"
    )


def _block(block_size: int, offset: int, used: int) -> str:
    """The physical block: its slots before the token's, the token's, the other used ones, the unused ones."""
    parts = ((offset, BLUE), (1, VERMILLION), (used - offset - 1, BLUE), (block_size - used, EMPTY))
    boxes = "".join(
        f'<div style="width:{100 * slots / block_size:.3f}%;height:22px;background-color:{colour}"></div>'
        for slots, colour in parts
        if slots
    )
    return f'<div style="display:flex;width:100%;border:1px solid {LINE};margin-top:4px">{boxes}</div>'
