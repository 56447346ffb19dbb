"""Blocks on a static page: one box for each, and the edges that mark it."""

from html import escape

from paged.widgets.static_page import MUTED

WRONG = "#b3001b"
BOX = "display:inline-block;margin:2px;padding:1px 6px;border-radius:4px"
PLAIN, FREE, DIFFERS = f"border:1px solid {MUTED}", f"border:1px dashed {MUTED}", f"border:3px solid {WRONG}"
SIGN = f'<b style="color:{WRONG}"> ≠</b>'
NOTHING = "—"


def cell(item: dict) -> str:
    """A block: {block, text, owners: [name, colour, times] each, free, differs}, and `fill`, a line of its own."""
    sign = SIGN if item.get("differs") else ""
    edge = DIFFERS if sign else FREE if item.get("free") else PLAIN
    owners = " ".join(name if times == 1 else f"{name}×{times}" for name, _, times in item.get("owners", ()))
    fill = f'<div style="color:{MUTED};font-size:11px">{escape(item["fill"])}</div>' if "fill" in item else ""
    return (
        f'<div style="{BOX};{edge};vertical-align:top;min-width:34px;text-align:center">'
        f'<div style="color:{MUTED};font-size:11px">{item["block"]}{sign}</div>'
        f"<div><b>{escape(item.get('text', NOTHING))}</b></div>"
        f'<div style="min-height:18px">{escape(owners)}</div>{fill}</div>'
    )
