"""Reads the drawn strips back: their panels, and what is lettered in them."""

from xml.etree import ElementTree

import strips

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = strips.draw()


def panels(name: str) -> list[ElementTree.Element]:
    """Of each panel the group that everything in it is drawn into."""
    return [outer[0] for outer in ElementTree.fromstring(DRAWN[name]).findall(f"{SVG}g[@class='panel']")]


def boxes(element: ElementTree.Element) -> list[tuple[list[float], list[ElementTree.Element]]]:
    """([x, y, width, height], lines of text) of each box that was lettered."""
    lettered = [group for group in element.iter() if group.get("data-box")]
    return [(list(map(float, group.get("data-box").split())), list(group)) for group in lettered]


def words(name: str, panel: int) -> str:
    return " ".join(text.text for text in panels(name)[panel - 1].iter(f"{SVG}text"))
