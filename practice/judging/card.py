"""A verdict as an HTML card for a notebook, plain text where there is no HTML, and the bar shown while the judge works.

Colours come from JupyterLab's theme where it matters for reading; nothing needs a script, so a saved notebook keeps it.
"""

import html
import json
from pathlib import Path

from rich.console import Console
from rich.text import Text

from practice.judging import kernel_table, show
from practice.judging.catalogue import Problem
from practice.judging.messages import say
from practice.judging.verdict import Verdict

COLOURS = {"AC": "#1a7f37", "SKIPPED": "#9a6700", "IE": "#8250df"}
CELL = "text-align:left;padding:.2em 1em .2em 0"
WRAP = "white-space:pre-wrap;overflow-wrap:break-word"  # a long list must not push what was got off a narrow page


class Card:
    """A verdict as HTML, and as plain text where there is no HTML.

    alone: it is read outside the course, where no chapter is near and nothing can be replayed. run: whether the run
    that goes wrong is shown, and what it tells.
    """

    def __init__(self, verdict: Verdict, lang: str, trouble: list[str], alone: bool = False, run: bool = True):
        self.verdict, self.lang, self.trouble, self.alone, self.run = verdict, lang, trouble, alone, run

    def __repr__(self) -> str:
        console = Console(width=100, color_system=None, highlight=False, force_jupyter=False)
        with console.capture() as capture:
            console.print(show.verdict_card(self.verdict, self.lang, self.run), *map(Text, self.trouble))
        return capture.get().rstrip()

    def _repr_html_(self) -> str:
        verdict, lang = self.verdict, self.lang
        colour = COLOURS.get(verdict.verdict, "#cf222e")
        title = html.escape(_title(verdict.problem, lang))
        rows = "".join(_check_row(check, lang) for check in verdict.checks)
        body = f"<p>{html.escape(show.reason(verdict, lang))}</p>" if verdict.reason and not verdict.shortest else ""
        if verdict.kernels:
            body += _compiled(verdict.kernels, lang)
        if line := kernel_table.gpu_line(verdict.gpu, lang):
            body += f"<p>{html.escape(line)}</p>"
        if verdict.shortest and self.run:
            body += _failure(verdict.shortest, show.beliefs(verdict, lang), lang, self.alone)
            body += "" if self.alone else _section(verdict.problem, lang)
        notes = "".join(f"<div>{html.escape(line)}</div>" for line in [_foot(verdict, lang), *self.trouble])
        return (
            f'<section role="status" aria-label="{title}" style="border-left:4px solid {colour};padding:.4em .9em;'
            'max-width:60em;color:var(--jp-content-font-color1,inherit);font-size:var(--jp-content-font-size1,14px)">'
            f'<div><strong style="color:{colour};filter:saturate(1.2)">{verdict.verdict} {say(lang, verdict.verdict)}'
            f"</strong> &nbsp; {title} &nbsp; <strong>{verdict.score}/{verdict.max_score}</strong></div>"
            f'<table style="margin:.4em 0">{rows}</table>{body}'
            f'<div style="opacity:.75;font-size:.85em;margin-top:.4em">{notes}</div></section>'
        )


def _title(problem: Problem, lang: str) -> str:
    return f"{problem.number} {problem.title[lang]}"


def _check_row(check, lang: str) -> str:
    mark = show.MARKS.get(check.verdict, "✗")
    kind = say(lang, "visible" if check.visible else "hidden")
    label = say(lang, "not_run") if check.verdict == "SKIPPED" else check.verdict
    cells = (f"{mark} {check.title[lang]}", kind, label, f"{check.score}/{check.max_score}")
    return "<tr>" + "".join(f'<td style="{CELL}">{html.escape(cell)}</td>' for cell in cells) + "</tr>"


def _compiled(rows: list[dict], lang: str) -> str:
    """What the compiled kernels tell about themselves."""
    head, *lines = kernel_table.table(rows, lang)
    cells = [[f'<td style="{CELL}">{html.escape(cell)}</td>' for cell in line] for line in lines]
    heads = "".join(f'<th style="{CELL}">{html.escape(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(line)}</tr>" for line in cells)
    title = html.escape(say(lang, "compiled_table"))
    return f"<div>{title}</div><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _failure(check, beliefs: list[str], lang: str, alone: bool) -> str:
    failure = check.failure
    parts = []
    if failure.steps:
        steps = "\n".join(f">>> {step}" for step in failure.steps)
        parts.append(f"<div>{say(lang, 'shortest')}</div><pre>{html.escape(steps)}</pre>")
    if text := show.why(failure, lang):
        parts.append(f"<div>{html.escape(text)}</div>")
    if failure.expected:
        head = "".join(f'<th style="{CELL}">{say(lang, key)}</th>' for key in ("what", "expected", "got"))
        rows = "".join(
            "<tr>"
            + "".join(
                f'<td style="{CELL}"><code style="{WRAP}">{html.escape(text)}</code></td>'
                for text in (
                    show.label(name, lang),
                    show.value_text(expected, failure.got[name], lang),
                    show.value_text(failure.got[name], expected, lang),
                )
            )
            + "</tr>"
            for name, expected in failure.expected.items()
        )
        parts.append(f"<table style='max-width:100%'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    if failure.flaky:
        parts.append(f"<div>{say(lang, 'flaky')}</div>")
    for key, text in (("rule", failure.rule.get(lang, "")), ("read_on", check.hint.get(lang, ""))):
        if text:
            parts.append(f"<div>{html.escape(say(lang, key, rule=text, where=text))}</div>")
    for belief in beliefs:
        parts.append(f"<div><strong>{html.escape(belief)}</strong></div>")
    if failure.rows and not alone:
        parts.append(f"<div>{say(lang, 'replay')}</div>")
    if failure.printed.strip():
        parts.append(f"<div>{say(lang, 'printed')}</div><pre>{html.escape(failure.printed[:2000])}</pre>")
    return "".join(parts)


def _section(problem: Problem, lang: str) -> str:
    """A link to the section of the chapter that explains what is asked."""
    name, file = problem.section.get(lang), problem.chapter_file(lang)
    if not name or not file:
        return ""
    link = f'<a href="../{lang}/{file.name}{_anchor(file, name)}">{html.escape(name)}</a>'
    return f"<div>{say(lang, 'section', name=link)}</div>"


def _anchor(file: Path, section: str) -> str:
    """The cell with the heading: JupyterLab does not find a heading that is not in Latin letters."""
    for cell in json.loads(file.read_text(encoding="utf-8")).get("cells", []):
        if f"## {section}" in "".join(cell["source"]).splitlines():
            return f"#cell-id={cell['id']}"
    return ""


def _foot(verdict: Verdict, lang: str) -> str:
    return f"{verdict.file} · {verdict.seconds:.2f} s · {show.sandbox_line(verdict, lang) if verdict.sandbox else ''}"


class Bar:
    """How far the judge is."""

    def __init__(self, problem: Problem, done: int, total: int, lang: str):
        self.problem, self.done, self.total, self.lang = problem, done, total, lang

    def __repr__(self) -> str:
        return f"{_title(self.problem, self.lang)}: {self.done}/{self.total}"

    def _repr_html_(self) -> str:
        title = html.escape(_title(self.problem, self.lang))
        return (
            f'<label style="display:flex;gap:.8em;align-items:center;padding:.4em .9em">{title}'
            f'<progress max="{self.total}" value="{self.done}" style="width:20em"></progress></label>'
        )
