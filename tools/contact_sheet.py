"""Draw docs/images/contact-sheet.png: every chapter as a learner sees it, English on light and Chinese on dark.

    python tools/contact_sheet.py [--out FILE]

Needs Chromium and the packages of `make setup DEV=1`. Run it after a chapter or a widget has changed its looks.
"""

import argparse
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from browser.lab import copy_course, open_browser, run_all, serve_lab, set_theme  # noqa: E402

WIDTH, HEIGHT = 1280, 1000
TILE, GAP, COLUMNS = 600, 16, 4
PAPER = "#7f8791"  # between the two themes
EDITIONS = (("en", "JupyterLab Light"), ("zh", "JupyterLab Dark"))
# What a tile shows, the first that a chapter has: its strip, and then its widgets.
SIGHTS = "img[src*='strip'], .paged-widget, .paged-explorer"
MOST = 4  # tiles of a chapter


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images" / "contact-sheet.png")
    out = parser.parse_args().out
    editions = []
    with tempfile.TemporaryDirectory(prefix="contact-") as folder, open_browser() as browser:
        copy_course(Path(folder))
        with serve_lab(Path(folder)) as lab:
            for lang, theme in EDITIONS:
                editions.append([])
                for chapter in sorted(Path(folder, "notebooks", lang).glob("*.ipynb")):
                    editions[-1] += tiles(lab, browser, f"notebooks/{lang}/{chapter.name}", theme)
    sheet(editions).save(out, optimize=True)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


def tiles(lab, browser, notebook: str, theme: str) -> list[Image.Image]:
    """Screenshots of a chapter's sights, each in the middle of the page."""
    page = lab.open(browser, notebook, WIDTH, HEIGHT)
    set_theme(page, theme)
    page.keyboard.press("ControlOrMeta+b")  # the file browser makes room
    run_all(page)
    found = []
    for sight in page.locator(SIGHTS).all()[:MOST]:
        for _ in range(2):  # what comes into view may push it away
            sight.evaluate("e => e.scrollIntoView({block: 'center'})")
            page.wait_for_timeout(600)
        found.append(Image.open(io.BytesIO(page.screenshot())))
    page.close()
    return found


def sheet(editions: list[list[Image.Image]]) -> Image.Image:
    """The tiles of each edition, row by row."""
    height = TILE * HEIGHT // WIDTH
    rows = [tiles[start : start + COLUMNS] for tiles in editions for start in range(0, len(tiles), COLUMNS)]
    paper = Image.new("RGB", (COLUMNS * (TILE + GAP) + GAP, len(rows) * (height + GAP) + GAP), PAPER)
    for y, row in enumerate(rows):
        for x, picture in enumerate(row):
            small = picture.convert("RGB").resize((TILE, height), Image.LANCZOS)
            paper.paste(small, (GAP + x * (TILE + GAP), GAP + y * (height + GAP)))
    return paper.quantize(64)


if __name__ == "__main__":
    main()
