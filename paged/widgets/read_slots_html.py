"""What a kernel reads, on a page without a kernel: bytes as bars, slots in their readers' colours, in plain HTML."""

from html import escape

from paged.widgets.read_slots_trace import bytes_of, least_bytes, name_of, owners, readers
from paged.widgets.static_page import INK, LINE, MUTED, TEXT, card, row_of

COLOURS = ("#0072b2", "#d55e00", "#00906f", "#8c5aa8", "#e0a100", "#56a9dc", "#b8436f", "#7a6a53")
CELL = 18  # pixels


def colour_of(program: int) -> str:
    """The next eight programs have the first eight's colours at half strength on white; then it begins again."""
    colour = COLOURS[program % len(COLOURS)]
    if program % (2 * len(COLOURS)) < len(COLOURS):
        return colour
    return "#" + "".join(f"{(int(colour[n : n + 2], 16) + 255) // 2:02x}" for n in (1, 3, 5))


def static_html(trace: dict, run: int, cache: str, text: dict[str, str], lang: str) -> str:
    """`text` is the edition `lang` of read_slots_text.TEXT."""
    least = least_bytes(trace)
    most = max(1, least, *(bytes_of(each["programs"]) for each in trace["runs"]))
    rows = "".join(_run(each, most, least, text, lang) for each in trace["runs"])
    shown = trace["runs"][run]
    read, known = readers(shown["programs"], cache), owners(trace)
    blocks = "".join(_block(block, trace, known, read, text) for block in range(trace["num_blocks"]))
    return card(
        f"<div><b>{escape(text['name'])}</b></div>",
        f'<table style="border-collapse:collapse;margin:6px 0;width:100%;{TEXT}">{rows}</table>',
        f'<div style="color:{MUTED}">{escape(text["fewest"].format(least=f"{least:,}"))}</div>',
        f'<div style="margin-top:8px"><b>{escape(name_of(shown, lang))}</b>, {text[cache]}</div>',
        f'<div style="display:flex;flex-wrap:wrap">{blocks}</div>',
    )


def _run(run: dict, most: int, least: int, text: dict[str, str], lang: str) -> str:
    total = bytes_of(run["programs"])
    bars = "".join(
        f'<div style="width:{100 * bytes_of([program]) / most:.2f}%;height:16px;background-color:{colour_of(n)}"></div>'
        for n, program in enumerate(run["programs"])
    )
    ratio = text["times"].format(times=f"{total / least:.2f}" if least else "–")
    cell = f'style="padding:3px 10px 3px 0;text-align:left;color:{INK};background-color:#ffffff'
    return (
        f'<tr><td {cell}">{escape(name_of(run, lang))}</td><td {cell};width:60%">{row_of(bars)}</td>'
        f'<td {cell}"><b>{ratio}</b></td><td {cell}">{text["bytes"].format(bytes=f"{total:,}")}</td></tr>'
    )


def _block(block: int, trace: dict, known: dict, read: dict, text: dict[str, str]) -> str:
    slots = range(block * trace["block_size"], (block + 1) * trace["block_size"])
    heads = "".join(
        f'<div style="display:flex">{"".join(_cell(slot in known, read.get((slot, head), [])) for slot in slots)}</div>'
        for head in range(trace["num_kv_heads"])
    )
    title = f'<div style="color:{MUTED}">{text["block"].format(block=block)}</div>'
    return f'<div style="margin:6px 14px 0 0">{title}{heads}</div>'


def _cell(owned: bool, who: list[int]) -> str:
    ground = "#ffffff" if owned else "#eceef0"
    stripes = "".join(
        f'<div style="height:{CELL / len(who):.2f}px;background-color:{colour_of(program)}"></div>' for program in who
    )
    box = f"width:{CELL}px;height:{CELL}px;background-color:{ground};border:1px solid {LINE}"
    return f'<div style="{box}">{stripes}</div>'
