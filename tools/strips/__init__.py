"""The comic strips: six panels that tell a chapter's idea as a story, one SVG per language, drawn by code.

paper.py has the sheet, its panels and the pen; lettering.py measures and wraps what is said; cast.py and props.py hold
whoever and whatever recurs; each strip_NN.py is one chapter's story with its words in both languages and its alt text.
"""

from strips import strip_01, strip_02, strip_03, strip_04, strip_05, strip_08

STRIPS = {"01": strip_01, "02": strip_02, "03": strip_03, "04": strip_04, "05": strip_05, "08": strip_08}


def draw() -> dict[str, str]:
    """File name -> SVG text of each strip in each language."""
    return {f"{number}-strip.{lang}.svg": strip.draw(lang) for number, strip in STRIPS.items() for lang in ("en", "zh")}
