"""Check the prose of a notebook: what it links to exists, images have alt text, and nothing is written that JupyterLab
would show as raw text (a MyST directive, or a course directive that does not stand alone in its cell)."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from chapter import DIRECTIVE, Cell, SourceError
from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark").enable("table")
HTML_TARGET = re.compile(r"""<(?:img|a)\b[^>]*?\b(?:src|href)\s*=\s*["']([^"']+)["']""")


def check_links(cell: Cell, folder: Path, known: set[Path]) -> None:
    """Raise SourceError, with the line, for the first fault in a Markdown cell of a notebook in `folder`.

    known: absolute paths that the build is about to write and that may not be there yet.
    """
    for token in MARKDOWN.parse(cell.text):
        line = cell.line + (token.map[0] if token.map else 0)
        stray = DIRECTIVE.search(token.content) if token.type in ("html_block", "inline") else None
        if stray:
            raise SourceError(cell.path, line, f"directive {stray[1]!r} must stand alone in its own cell")
        if (token.type == "fence" and token.info.startswith("{")) or token.content.startswith(":::"):
            raise SourceError(cell.path, line, f"unknown directive {(token.info or token.content).split()[0]}")
        for kind, target, text in targets(token):
            if kind == "image" and not text:
                raise SourceError(cell.path, line, f"image {target} has no alt text")
            url = urlsplit(target)
            path = (folder / unquote(url.path)).resolve()
            if not url.scheme and url.path and not path.exists() and path not in known:
                raise SourceError(cell.path, line, f"{kind} {target}: there is no {path}")


def targets(token) -> Iterator[tuple[str, str, str]]:
    """(kind, target, text) of each link and image in a block token, those written as HTML included."""
    for part in token.children or [token]:
        if part.type == "image":
            yield "image", part.attrs["src"], part.content
        elif part.type == "link_open":
            yield "link", part.attrs["href"], ""
        elif part.type in ("html_block", "html_inline"):
            for target in HTML_TARGET.findall(part.content):
                yield "link", target, ""
