"""What the static pages of widgets are made of: plain HTML with inline styles, shown where no kernel runs.

JupyterLab's sanitiser leaves div, span, b, pre and table standing in a notebook that is not trusted, and takes scripts
and SVG.
"""

INK, MUTED, LINE = "#1f2328", "#59636e", "#d1d9e0"
BLUE, VERMILLION, EMPTY = "#0072b2", "#d55e00", "#f4f5f6"
TEXT = f"color:{INK};font-family:sans-serif;font-size:13px"
MONO = "font-family:monospace;font-size:13px"
CARD = f"background-color:#ffffff;{TEXT};padding:14px 16px;max-width:860px;overflow-x:auto"


def card(*parts: str) -> str:
    return f'<div style="{CARD}">{"".join(parts)}</div>'


def bar(width: str, colour: str, height: int = 22) -> str:
    """A filled box; `width` is any CSS length."""
    return f'<div style="width:{width};height:{height}px;background-color:{colour}"></div>'


def row_of(boxes: str) -> str:
    return f'<div style="display:flex;width:100%;background-color:{EMPTY};margin-top:4px">{boxes}</div>'
