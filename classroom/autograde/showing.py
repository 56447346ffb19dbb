"""What a student has written, as graders and students may see it.

nbgrader's pages, the formgrader and feedback, make HTML of Markdown and let all HTML in it through, scripts too: they
would run in the grader's browser, under the grader's name. So each text is made HTML here as those pages do it. Where
bleach would take something away, or nothing can be made of it, the text is shown as it was written, in a code block.
Formulas, pictures and simple HTML stay what they are.
"""

import re
from types import SimpleNamespace
from urllib.parse import unquote

import bleach
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import strip_files_prefix
from nbconvert.filters.markdown_mistune import InvalidNotebook
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from classroom.autograde.reading import MOST_OF_A_PICTURE

EXPORTER = HTMLExporter()
MOST_LETTERS = 10_000  # of a text without the pictures in it; HTML of ten times that can take minutes
MOST_PICTURES = 20  # pasted into one text
BLANK = {"image/gif": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
TABLE = {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
PARTS = {"p", "div", "span", "pre", "br", "hr", "center", "details", "summary", "dl", "dt", "dd", "img", "input"}
LETTERS = {"small", "sub", "sup", "u", "s", "del", "ins", "mark", "kbd", "samp", "var"}
TAGS = bleach.ALLOWED_TAGS | HEADINGS | TABLE | PARTS | LETTERS
PLAIN = {"align", "alt", "checked", "colspan", "disabled", "height", "open", "rowspan", "start", "title", "width"}
NAME = r"[\w./%+ -]+"  # of a file beside the notebook: no page, which could hold scripts, may be linked
LINK = re.compile(rf"https?://|mailto:|#|{NAME}\.(ipynb|py|md|txt|csv|png|jpe?g|gif|webp)(#|$)", re.IGNORECASE)
INLINE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
PICTURE = re.compile(rf"https?://|{INLINE.pattern}$|{NAME}\.(png|jpe?g|gif|webp|svg)$", re.IGNORECASE)
CLASS = re.compile(r"highlight|anchor-link|language-[\w+#.-]+|task-list-item(-checkbox)?|[a-z][a-z0-9]{0,2}")
ALIGNED = re.compile(r"text-align:(left|center|right)")  # cells of a table


def shown(cell: NotebookNode, of_the_course: bool = False) -> NotebookNode:
    """The cell, or in its place one that shows what is written there. Code cells are shown as code anyway.

    of_the_course: whether it is no student's; then it stays. Pictures that a cell names and lacks are put in, blank.
    """
    page = _page(cell) if cell.cell_type == "markdown" else None
    if cell.cell_type == "code" or of_the_course or (page is not None and is_harmless(page)):
        return cell
    return new_markdown_cell(as_written(cell.source), id=cell.id, metadata=cell.metadata)


def as_written(text: str) -> str:
    """Markdown that shows a text letter by letter."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def is_harmless(page: str) -> bool:
    """Whether HTML that was made of Markdown holds nothing that could act, and nothing that reaches beyond its end."""
    return _surrounded(page) == _surrounded(_cleaned(page))


def _page(cell: NotebookNode) -> str | None:
    """The HTML that nbgrader's pages make of a Markdown cell. None for what they would stop at, or take long for."""
    if len(cell.source) > MOST_OF_A_PICTURE or len(INLINE.sub("", cell.source)) > MOST_LETTERS:
        return None
    for _ in range(MOST_PICTURES):
        try:
            return strip_files_prefix(EXPORTER.markdown2html({"cell": cell}, cell.source))
        except InvalidNotebook as error:
            name = str(error).removeprefix("missing attachment: ")  # as in an address, with %20 for a space
            pictures = cell.setdefault("attachments", {})
            pictures[name] = pictures.get(unquote(name), BLANK)
        except Exception:  # whatever it is, it would stop nbgrader's pages as well
            return None
    return None


def _surrounded(text: str) -> BeautifulSoup:
    """The HTML in a surrounding from which an open or surplus tag would break out."""
    return BeautifulSoup(f"<div>{text}<hr></div>", "html.parser")


def _cleaned(text: str) -> str:
    unchanged = SimpleNamespace(sanitize_css=str)  # _may_have lets only ALIGNED through
    protocols = [*bleach.ALLOWED_PROTOCOLS, "data"]
    return bleach.clean(text, tags=TAGS, attributes=_may_have, protocols=protocols, css_sanitizer=unchanged)


def _may_have(tag: str, name: str, value: str) -> bool:
    """Whether a tag may have this attribute."""
    match tag, name:
        case "a", "href":
            return bool(LINK.match(value))
        case "img", "src":
            return bool(PICTURE.match(value))
        case "input", "type":
            return value == "checkbox"
        case "td" | "th", "style":
            return bool(ALIGNED.fullmatch(value))
        case _, "class":
            return bool(CLASS.fullmatch(value))
        case _, "id":
            return tag in HEADINGS
    return name in PLAIN
