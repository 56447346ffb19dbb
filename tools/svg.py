"""Drawing for the chapters' figures: a card with its own background, boxes and texts on it.

A picture in a notebook follows the system's colour scheme and not JupyterLab's, so each figure brings its background
and reads alike in the light and the dark theme.
"""

from xml.etree import ElementTree as ET

INK, MUTED, LINE, ALARM = "#22303c", "#5b6873", "#c9d1d8", "#b3261e"
FONT = "system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'WenQuanYi Micro Hei', sans-serif"


def card(width: int, height: int, title: str) -> ET.Element:
    """An empty figure of this size in pixels; `title` is what a screen reader says."""
    svg = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=str(width))
    svg.set("font-family", FONT)
    ET.SubElement(svg, "title").text = title
    box(svg, 1, 1, width - 2, height - 2, "#fbfaf7", LINE, radius=10)
    return svg


def written(svg: ET.Element) -> str:
    """The figure as the text of its file."""
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def box(svg: ET.Element, x: float, y: float, width: float, height: float, fill: str, stroke: str, radius: int) -> None:
    shape = {"x": x, "y": y, "width": width, "height": height, "rx": radius, "fill": fill, "stroke": stroke}
    ET.SubElement(svg, "rect", {key: str(value) for key, value in shape.items()})


def text(svg, x: float, y: float, content: str, size: int, fill: str = INK, weight: str = "400", anchor: str = "start"):
    """A line of text at (x, y); nothing for an empty one."""
    if content:
        style = {"x": x, "y": y, "font-size": size, "fill": fill, "font-weight": weight, "text-anchor": anchor}
        ET.SubElement(svg, "text", {key: str(value) for key, value in style.items()}).text = content


def path(svg: ET.Element, d: str, stroke: str = MUTED, width: float = 1) -> None:
    """A line without filling along the SVG path `d`."""
    ET.SubElement(svg, "path", {"d": d, "fill": "none", "stroke": stroke, "stroke-width": str(width)})
