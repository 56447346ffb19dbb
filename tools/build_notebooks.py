"""Build the notebooks that learners open: one text source per chapter, two editions, no outputs.

    python tools/build_notebooks.py            write notebooks/en, notebooks/zh and notebooks/figures
    python tools/build_notebooks.py --check    write nothing; exit 1 and name each file that differs from a fresh build

How a source is written is told in chapter.py; a fault in one is reported as file:line and ends with exit status 2.
Each module figures_NN.py beside this one has a `draw()` that returns the figures of chapter NN, file name -> SVG text;
the comic strips of all chapters come from the package strips/.
"""

import argparse
import hashlib
import sys
from importlib import import_module
from pathlib import Path

import nbformat
from chapter import LANGUAGES, Cell, SourceError, edition, read
from links import check_links
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from strips import draw as draw_strips

ROOT = Path(__file__).resolve().parent.parent


def notebook(chapter: str, lang: str, cells: list[Cell]) -> str:
    """One edition as .ipynb text.

    A cell's id is a hash of the chapter, its position and its content, so that an unchanged source gives the same bytes
    and a code cell has the same id in both editions.
    """
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = new_notebook(metadata={"kernelspec": kernel, "language_info": {"name": "python"}, "lang": lang})
    for position, cell in enumerate(cells):
        key = f"{chapter}\n{position}\n{cell.text}"
        new_cell = new_code_cell if cell.kind == "code" else new_markdown_cell
        cell_id = hashlib.sha256(key.encode()).hexdigest()[:12]
        book.cells.append(new_cell(cell.text, id=cell_id, metadata=cell.metadata))
    nbformat.validate(book)
    return nbformat.writes(book) + "\n"


def build(notebooks: Path, problems: Path) -> dict[Path, bytes]:
    """Every built file and its bytes: the figures, then each chapter of notebooks/src in each language.

    Raises SourceError for the first fault in a source, a problem or a link.
    """
    pictures, editions = draw_strips(), {}
    for module in sorted(Path(__file__).parent.glob("figures_[0-9][0-9].py")):
        pictures |= import_module(module.stem).draw()
    built = {notebooks / "figures" / name: svg.encode() for name, svg in pictures.items()}
    for source in sorted((notebooks / "src").glob("*.md")):
        cells = read(source)
        for lang in LANGUAGES:
            editions[notebooks / lang / f"{source.stem}.ipynb"] = edition(cells, lang, problems)
    known = {path.resolve() for path in (*built, *editions)}
    for path, cells in editions.items():
        for cell in cells:
            if cell.kind == "markdown":
                check_links(cell, path.parent, known)
        built[path] = notebook(path.stem, path.parent.name, cells).encode()
    return built


def stale(built: dict[Path, bytes]) -> list[Path]:
    """The files that are missing or differ from what was built."""
    return [path for path, content in built.items() if not path.is_file() or path.read_bytes() != content]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the learners' notebooks from notebooks/src.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a built file is out of date")
    parser.add_argument("--notebooks", type=Path, default=ROOT / "notebooks", help="the folder that holds src")
    parser.add_argument("--problems", type=Path, default=ROOT / "practice" / "problems", help="the problems' folder")
    options = parser.parse_args(argv)
    try:
        built = build(options.notebooks, options.problems)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 2
    changed = stale(built)
    for path in changed:
        if options.check:
            print(f"stale: {path}: run `python tools/build_notebooks.py`", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(built[path])
            print(f"built: {path}")
    print(f"{len(built)} files, {len(changed)} {'stale' if options.check else 'written'}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
