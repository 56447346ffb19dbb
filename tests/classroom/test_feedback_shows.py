"""What a student has written is shown to graders and in feedback as it was written, and nothing of it acts there."""

import base64
import functools
import json
import re

import pytest
from bs4 import BeautifulSoup
from course import SOLVED, adds, cell, copied
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension

from classroom.autograde.mending import Mend
from classroom.autograde.showing import MOST_LETTERS, shown
from practice.judging import catalogue

HIT = "window.hit=1"
SVG = base64.b64encode(f"<svg xmlns='http://www.w3.org/2000/svg' onload='{HIT}'/>".encode()).decode()
ACTS = [
    f"<script>{HIT}</script>",
    f"text <img src=x onerror='{HIT}'> text",
    f"<svg onload='{HIT}'>",
    f"<details open ontoggle='{HIT}'>x</details>",
    f"<iframe srcdoc='<script>top.{HIT}</script>'></iframe>",
    f"<style>@import 'x'</style><p onmouseover='{HIT}'>x</p>",
    f'<p style="animation:x" onanimationstart="{HIT}">x</p>',
    f"[link](javascript:{HIT})",
    f"[link](JaVaScRiPt&#58;{HIT})",
    f"[link][there]\n\n[there]: javascript:{HIT}",
    f"<javascript:{HIT}>",
    f"[link](files/javascript:{HIT})",
    f"[link](data:text/html;base64,{base64.b64encode(f'<script>{HIT}</script>'.encode()).decode()})",
    "[link](my%20page.html)",
    f'<a href="java\tscript:{HIT}">link</a>',
    f'<form action="javascript:{HIT}"><button>go</button></form>',
    '<input id="points-127" class="score" value="10">',
    '<base href="https://example.org/">',
    '<meta http-equiv="refresh" content="0;url=https://example.org/">',
    f"```mermaid\n<script>{HIT}</script>\n```",
    f"```\ncode\n```\n<script>{HIT}</script>\n````\nmore",
    f"$a$ <math><mtext></mtext><mglyph><style><img src=x onerror='{HIT}'>",
    f"<!-- --!><script>{HIT}</script> -->",
    f"<textarea></textarea><img alt='</textarea><img src=x onerror=&quot;{HIT}&quot;>'>",
    f'<b title=\' style="text-align:left"\' onclick="{HIT}">x</b>',
    f'| a |\n|:-|\n| <b style="text-align:left;x" onclick="{HIT}">b</b> |',
    "</div></div></div>out",
    "<div><b>open",
    "<details>",
]
STAYS = [
    "# A heading\n\nText, *emphasis*, **strong**, ~~gone~~, a < b and `List<int>`, https://example.org",
    "If $a<b$ then $$\\sum_{i<n} x_i > 0$$\n\n\\begin{equation}x<y\\end{equation}",
    "```python\nif a < b:\n    print('<script>')\n```\n\n```\n<script>\n```\n\n    <script>",
    "| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] not done\n\n1. one\n   - two\n\n> said",
    "H<sub>2</sub>O<br>\n<img src='plot.png' width=300> <kbd>Esc</kbd>",
    "<details><summary>More</summary>\n\ntext\n\n</details>",
    "[there](https://example.org/a?b=1&c=2 'title') [chapter](05-sharing.ipynb#fork) <me@example.org> [top](#top)",
    "![picture](plot.png) ![picture](https://example.org/a.png)",
    "块 0 到 3 <u>共用</u>，写的时候才复制。",
]
PICTURE = {"attachments": {"图 1.png": {"image/png": "aGVsbG8="}}}
DRAWING = {"attachments": {"a.svg": {"image/svg+xml": SVG}}}
QUOTES = [  # nbgrader looks for these in a teacher's notebooks
    "### BEGIN MARK SCHEME\nnever ends",
    "### BEGIN MARK SCHEME\n### BEGIN MARK SCHEME\n### END MARK SCHEME",
    "### BEGIN MARK SCHEME\nmy own\n### END MARK SCHEME",
    "### BEGIN HIDDEN TESTS\nassert mine",
    "### BEGIN SOLUTION\n### BEGIN SOLUTION",
]


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory):
    """One student per fault, and "all" with everything that acts."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    raw = [adds(text, kind="raw") for text in ACTS]
    course.hand_in("all", SOLVED, *[adds(text, kind="markdown") for text in ACTS], *raw)
    course.hand_in("stays", SOLVED, *[adds(text, kind="markdown") for text in STAYS])
    course.hand_in(
        "pictures", adds("![a](<attachment:图 1.png>) ![b](attachment:lost.png)", kind="markdown", **PICTURE)
    )
    course.hand_in(
        "quotes", SOLVED, *[adds(text, kind=kind) for text in QUOTES for kind in ("markdown", "code", "raw")]
    )
    course.hand_in("unknown", adds(f"%%judge <script>{HIT}</script>"))
    assert course.autograde()["success"]
    return course


@functools.cache
def formgrader(course, student: str) -> str:
    """The page on which a grader looks at a submission."""
    path = course.root / "autograded" / student / course.chapter / f"{course.chapter}.ipynb"
    words = {
        name: "" for name in ("assignment_id", "notebook_id", "submission_id", "student", "first_name", "last_name")
    }
    resources = words | {"base_url": "", "notebook_path": "", "index": 0, "total": 1}
    return HTMLExporter(config=FormgradeExtension().build_extra_config()).from_filename(str(path), resources=resources)[
        0
    ]


@functools.cache
def feedback(course, student: str) -> str:
    return course.feedback(student)


PAGES = {"formgrader": formgrader, "feedback": feedback}


def notebook_in(page: str) -> BeautifulSoup:
    return BeautifulSoup(page, "html.parser").select_one("#notebook-container")


def what_acts(shown: BeautifulSoup) -> list[str]:
    """Elements that run, load or replace something, event handlers, and addresses that are scripts or pages."""
    found = [str(tag) for tag in shown(["script", "style", "iframe", "svg", "math", "form", "base", "meta", "object"])]
    for tag in shown(True):
        found += [name for name in tag.attrs if name.startswith("on")]
        address = re.sub(r"\s", "", tag.get("href", "") + tag.get("src", "")).lower()
        found += [address] if re.match(r"javascript:|data:(?!image/)|.*\.html$", address) else []
    return found


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("student", ["all", "unknown"])
def test_nothing_a_student_wrote_acts_on_a_page(course, page, student):
    shown = notebook_in(PAGES[page](course, student))
    assert what_acts(shown) == []
    assert not shown.select("[id=points-127][value]")


@pytest.mark.parametrize("page", PAGES)
def test_what_could_act_is_shown_as_it_was_written(course, page):
    text = notebook_in(PAGES[page](course, "all")).get_text()
    for written in ACTS:
        assert text.count(written.replace("files/", "")) >= 2, written  # as Markdown and raw


@pytest.mark.parametrize("page", PAGES)
def test_other_text_stays_and_looks_as_before(course, page):
    sources = ["".join(one["source"]) for one in course.graded("stays")["cells"]]
    assert set(STAYS) <= set(sources)
    shown = notebook_in(PAGES[page](course, "stays"))
    for tag in ("table", "details", "sub", "kbd", "em", "strong", "del", "blockquote", "input[type=checkbox]"):
        assert shown.select(tag), tag
    assert "$a<b$" in shown.get_text() and "if a < b:" in shown.get_text()


@pytest.mark.parametrize("page", PAGES)
def test_pasted_pictures_are_shown_and_a_lost_one_stops_nobody(course, page):
    pictures = [tag["src"] for tag in notebook_in(PAGES[page](course, "pictures"))("img")]
    assert pictures[0] == "data:image/png;base64,aGVsbG8="
    assert pictures[1].startswith("data:image/gif;base64,")


@pytest.mark.parametrize("page", PAGES)
def test_a_student_may_write_what_marks_a_teachers_regions(course, page):
    text = notebook_in(PAGES[page](course, "quotes")).get_text()
    assert text.count("BEGIN HIDDEN TESTS") == text.count("BEGIN SOLUTION") // 2 == 3
    assert text.count("my own") == text.count("never ends") == 3


def test_the_courses_own_cells_come_back_as_they_were_released(course):
    for student in ("all", "quotes", "pictures"):
        for name in ("intro-90", "explain-90", "points-127"):
            assert cell(course.graded(student), name)["source"] == cell(course.graded("stays"), name)["source"]


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("page", PAGES)
def test_no_script_runs_in_a_browser(course, browser, tmp_path, page):
    """Nor when its links are clicked. A script in the page itself would be noticed."""
    file = tmp_path / "page.html"
    file.write_text(PAGES[page](course, "all"), encoding="utf-8")
    tab = browser.new_page()
    tab.route(re.compile("^https?:"), lambda route: route.abort())
    tab.goto(file.as_uri())
    assert tab.evaluate("window.hit") is None
    tab.evaluate("document.querySelectorAll('#notebook-container a').forEach(link => link.click())")
    assert tab.evaluate("window.hit") is None
    tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.hit=1>')")
    tab.wait_for_function("window.hit === 1")
    tab.close()


# texts one by one


@pytest.mark.parametrize("text", ACTS)
def test_what_acts_is_a_code_block(text):
    [block] = BeautifulSoup(HTMLExporter().markdown2html({}, shown(new_markdown_cell(text)).source), "html.parser")(
        "code"
    )
    assert block.get_text() == text + "\n"


@pytest.mark.parametrize("text", STAYS)
def test_what_does_not_act_is_left_alone(text):
    assert shown(new_markdown_cell(text)).source == text


def test_the_chapters_text_is_left_alone_but_for_links_to_drawings():
    texts = [
        "".join(one["source"])
        for path in sorted((catalogue.ROOT / "notebooks").glob("??/*.ipynb"))
        for one in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if one["cell_type"] == "markdown"
    ]
    changed = [text for text in texts if shown(new_markdown_cell(text)).source != text]
    assert len(texts) > 300
    assert all("](../figures/" in text for text in changed) and len(changed) < len(texts) / 20


def test_a_text_that_would_take_minutes_is_a_code_block_and_a_long_picture_is_not():
    long = "[" * (MOST_LETTERS + 1)
    assert shown(new_markdown_cell(long)).source == f"```\n{long}\n```"
    picture = f"![a](data:image/png;base64,{'A' * (MOST_LETTERS + 1)})"
    assert shown(new_markdown_cell(picture)).source == picture


def test_a_drawing_that_was_pasted_is_none_of_the_pictures(course):
    assert SVG in str(course.hand_in("svg", adds("![](attachment:a.svg)", kind="markdown", **DRAWING)).read_text())
    assert course.api.autograde(course.chapter, "svg")["success"]
    assert SVG not in course.feedback("svg")


@pytest.mark.parametrize("kind", ["raw", "markdown"])
def test_an_answer_outside_a_code_cell_is_judged_as_written_even_where_the_course_asks_for_its_twin(course, kind):
    answer = "%%judge 136b\nprint('<script>')"
    book = NotebookNode(cells=[NotebookNode(cell_type=kind, source=answer, id="a", metadata={})], metadata={})
    about = {
        "db_url": f"sqlite:///{course.root}/gradebook.db",
        "notebook": course.chapter,
        "assignment": course.chapter,
    }
    mended, _ = Mend().preprocess(book, {"nbgrader": about})
    [found] = [one for one in mended.cells if "136b" in one.source]
    assert (found.cell_type, found.source) == ("code", answer)
