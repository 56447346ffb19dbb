"""The last call of a replay without a kernel: both sides as a table in plain HTML."""

from html import escape

from paged.widgets.blocks_html import BOX, DIFFERS, NOTHING, PLAIN, SIGN, WRONG, cell
from paged.widgets.static_page import INK, LINE, MONO, MUTED

CARD = (
    f"background-color:#ffffff;color:{INK};font-family:sans-serif;font-size:13px;line-height:1.5;"
    "padding:14px 16px;max-width:1100px;overflow-x:auto"
)
TOP_LEFT = "text-align:left;vertical-align:top;padding:7px 14px 7px 0"


def static_html(views: list[dict], text: dict[str, str]) -> str:
    """The calls, the fields that differ and both sides after the last call; `text` is one edition of TEXT."""
    view = views[-1]
    signs = [" ≠" if each["differs"] or not each["answered"] else "" for each in views]
    calls = "\n".join(
        f"{n:>3}  {each['call']}{sign}" for n, (each, sign) in enumerate(zip(views, signs, strict=True), 1)
    )
    heads = ("", text["expected"], text["got"])
    head = "".join(f'<th style="{TOP_LEFT};font-size:13px;color:{MUTED}">{escape(name)}</th>' for name in heads)
    rows = "".join(_row(row, text) for row in view["rows"])
    colour = INK if view["answered"] and not view["differs"] else WRONG
    return (
        f'<div style="{CARD}"><div><b>{escape(text["name"])}</b></div>'
        f'<pre style="{MONO};color:{INK};background-color:#ffffff;margin:8px 0">{escape(calls)}</pre>'
        f'<div style="color:{colour}"><b>{escape(outcome(view, text))}</b></div>'
        f'<table style="border-collapse:collapse;margin:6px 0 0 0;width:100%;color:{INK}">'
        f"<tr>{head}</tr>{rows}</table></div>"
    )


def outcome(view: dict, text: dict[str, str]) -> str:
    """In a sentence, how the call came out."""
    if not view["answered"]:
        return text["unanswered"]
    names = text["and"].join(text["result"] if name == "result" else name for name in view["differs"])
    return text["differs"].format(names=names) if names else text["same"]


def _row(row: dict, text: dict[str, str]) -> str:
    style = f"{TOP_LEFT};{MONO};border-top:1px solid {LINE}"
    name = text["result"] if row["name"] == "result" else row["name"]
    sides = ("".join(_part(row, part, which, text) for part in row["parts"]) for which in (0, -1))
    cells = "".join(f'<td style="{style}">{side}</td>' for side in sides)
    return f'<tr style="background-color:#ffffff"><th style="{style}">{escape(name)}</th>{cells}</tr>'


def _part(row: dict, part: dict, which: int, text: dict[str, str]) -> str:
    side = part["sides"][which]
    between = ", " if "brackets" in side else ""
    inner = NOTHING if side.get("missing") else between.join(_item(item, side, text) for item in side["items"])
    before, after = side.get("brackets", ("", ""))
    value = f"{before}{inner}{after}"
    if side.get("differs"):
        value = f'<span style="{BOX};{DIFFERS}">{value}{SIGN}</span>'
    named = row["kind"] != "value" and side["kind"] != "cells"
    field = f'<span style="color:{MUTED}">{escape(part["label"])} </span>' if named else ""
    return f"<div>{field}{value}</div>"


def _item(item: dict, side: dict, text: dict[str, str]) -> str:
    if "more" in item or "gap" in item:
        return f'<span style="display:inline-block;padding:0 6px;color:{MUTED}">{escape(elision(item, text))}</span>'
    if side["kind"] == "cells":
        return cell(item)
    words, sign = escape(item.get("text", NOTHING)), SIGN if item.get("differs") else ""
    if side["kind"] == "value" and not sign:
        return words
    return f'<span style="{BOX};{DIFFERS if sign else PLAIN}">{words}{sign}</span>'


def elision(item: dict, text: dict[str, str]) -> str:
    """What stands in place of items that are left out."""
    differ = text["then"] + text["left_out_differ"].format(count=item["differs"]) if "differs" in item else ""
    if "more" in item:
        return text["more"].format(count=item["more"]) + differ
    first, last = item["gap"]
    blocks = str(first) if first == last else f"{first}–{last}"
    key = "gap_absent" if item["absent"] else "gap_owned" if item["owned"] else "gap_free"
    return text[key].format(blocks=blocks, count=last - first + 1, owned=item["owned"]) + differ
