"""The sheet of a strip: its own opaque paper, six rounded panels, and the pen that draws on them.

A picture in a notebook knows nothing of JupyterLab's theme, so the sheet brings its background along and reads alike in
light and dark. Numbers are written with at most two decimals: the same drawing is the same bytes on every machine.
"""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from svg import FONT, written

PANEL_WIDTH, PANEL_HEIGHT, GAP = 380, 384, 15
WIDTH, HEIGHT = 3 * PANEL_WIDTH + 4 * GAP, 2 * PANEL_HEIGHT + 3 * GAP
INK, PAPER, WHITE = "#2b2a33", "#efe6d5", "#ffffff"


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Pen:
    """Draws shapes into one SVG element. Every shape has an ink outline unless told otherwise."""

    def __init__(self, node: ET.Element) -> None:
        self.node = node

    def add(self, tag: str, **attributes: float | str) -> ET.Element:
        """A child element; `stroke_width` is written as stroke-width, numbers are rounded."""
        named = {key.replace("_", "-"): value for key, value in attributes.items()}
        return ET.SubElement(self.node, tag, {k: v if isinstance(v, str) else number(v) for k, v in named.items()})

    def group(self, x: float = 0, y: float = 0, scale: float = 1, turn: float = 0) -> "Pen":
        """A pen whose origin lies at (x, y), scaled, then turned by `turn` degrees."""
        steps = [f"translate({number(x)} {number(y)})"]
        steps += [f"scale({number(scale)})"] * (scale != 1) + [f"rotate({number(turn)})"] * (turn != 0)
        return Pen(self.add("g", transform=" ".join(steps)))

    def rect(self, x, y, width, height, fill: str, r: float = 0, line: float = 2.5, ink: str = INK) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, rx=r, fill=fill, **outline(line, ink))

    def circle(self, x, y, r, fill: str, line: float = 2.5, ink: str = INK) -> None:
        self.add("circle", cx=x, cy=y, r=r, fill=fill, **outline(line, ink))

    def path(self, d: str, fill: str = "none", line: float = 2.5, ink: str = INK) -> None:
        self.add("path", d=d, fill=fill, **outline(line, ink), stroke_linejoin="round", stroke_linecap="round")

    def tube(self, d: str, fill: str, width: float) -> None:
        """A thick outlined line: an arm, a rope."""
        self.path(d, line=width + 5)
        self.path(d, line=width, ink=fill)


def outline(line: float, ink: str) -> dict[str, float | str]:
    return {"stroke": ink, "stroke_width": line} if line else {}


def sheet(panels: list[Callable[[Pen, dict], None]], words: dict, title: str, alt: str, lang: str) -> str:
    """The SVG text of a strip: each panel function draws into its own 380 x 384 frame with the origin top left."""
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", width=str(WIDTH))
    root.attrib |= {"font-family": f"ui-rounded, {FONT}", "role": "img", "xml:lang": {"en": "en", "zh": "zh-CN"}[lang]}
    ET.SubElement(root, "title").text = title
    ET.SubElement(root, "desc").text = alt
    frame = Pen(ET.SubElement(ET.SubElement(root, "defs"), "clipPath", id="frame"))
    frame.rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, WHITE, r=16, line=0)
    pen = Pen(root)
    pen.rect(0, 0, WIDTH, HEIGHT, PAPER, r=18, line=0)
    for index, panel in enumerate(panels):
        row, column = divmod(index, 3)
        outer = pen.group(GAP + column * (PANEL_WIDTH + GAP), GAP + row * (PANEL_HEIGHT + GAP))
        outer.node.set("class", "panel")
        panel(Pen(outer.add("g", clip_path="url(#frame)")), words)
        outer.rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, "none", r=16, line=3)
    return written(root)
