"""Showing a verdict on a terminal: rich text, or plain text when it is piped."""

import re
import sys

from rich.console import Console, Group
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from practice.judging import catalogue, kernel_table
from practice.judging.compare import same
from practice.judging.failure import Failure, Raised
from practice.judging.faults import told
from practice.judging.messages import say
from practice.judging.verdict import Check, Verdict

COLOURS = {"AC": "green", "SKIPPED": "yellow", "IE": "magenta"}
LONG_LIST = 40
PLACES = {  # in what is said of an exception: messages that say it in each language
    "at_line": re.compile(r"line (?P<line>\d+): (?P<said>.*)", re.DOTALL),
    "in_line": re.compile(r"(?P<said>.*) \(line (?P<line>\d+), in (?P<where>[^()]+)\)", re.DOTALL),
}
MARKS = {"AC": "✓", "SKIPPED": "–"}


def console(stderr: bool = False) -> Console:
    """Colours only on a terminal and without NO_COLOR; a wide enough page when piped, so that nothing is cut."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr, highlight=False, force_jupyter=False, width=None if stream and stream.isatty() else 120
    )


def verdict_card(verdict: Verdict, lang: str, run: bool = True) -> Group:
    """The verdict line, a line per check, and with `run` the shortest run that goes wrong and what it tells."""
    return Group(*_parts(verdict, lang, run))


def _parts(verdict: Verdict, lang: str, run: bool):
    problem = verdict.problem
    colour = COLOURS.get(verdict.verdict, "red")
    yield Text.assemble(
        f"{problem.number} {problem.title[lang]}  ",
        (f"{verdict.verdict} {say(lang, verdict.verdict)}", f"bold {colour}"),
        f"  {verdict.score}/{verdict.max_score}  {verdict.seconds:.2f} s",
    )
    if verdict.file:
        digest = f"  sha256 {verdict.sha256[:12]}" if verdict.sha256 else ""
        yield Text(verdict.file + digest, style="dim")
    if verdict.sandbox:
        yield Text(sandbox_line(verdict, lang), style="dim")
    if verdict.reason and not verdict.shortest:
        yield Text(reason(verdict, lang), style=colour)
    yield from (_check_line(check, lang) for check in verdict.checks)
    if verdict.kernels:
        yield Text(say(lang, "compiled_table"), style="bold")
        yield compiled_table(verdict.kernels, lang)
    if line := kernel_table.gpu_line(verdict.gpu, lang):
        yield Text(line, style="bold")
    if not run:
        return
    if verdict.shortest:
        yield Text()
        yield from failure_parts(verdict.shortest, lang)
    yield from (Text(line, style="yellow") for line in beliefs(verdict, lang))
    name, file = problem.section.get(lang), problem.chapter_file(lang)
    if verdict.shortest and name and file:
        yield Text(say(lang, "section_of", name=name, file=file.relative_to(catalogue.ROOT)), style="cyan")


def compiled_table(rows: list[dict], lang: str) -> Table:
    """What the compiled kernels tell about themselves."""
    head, *lines = kernel_table.table(rows, lang)
    table = Table(*head, box=None, padding=(0, 2), header_style="bold", show_edge=False)
    for line in lines:
        table.add_row(*map(escape, line))
    return table


def beliefs(verdict: Verdict, lang: str) -> list[str]:
    """What one may believe who answers like this: a sentence, or a heading and a line for each."""
    if len(verdict.beliefs) < 2:
        return [say(lang, "belief", belief=belief[lang]) for belief in verdict.beliefs]
    return [say(lang, "beliefs"), *(f"  · {belief[lang]}" for belief in verdict.beliefs)]


def sandbox_line(verdict: Verdict, lang: str) -> str:
    if verdict.sandbox == "plain":
        return say(lang, "plain", why=verdict.sandbox_reason)
    return say(lang, "in_bubblewrap")


def reason(verdict: Verdict, lang: str) -> str:
    """Why there is no run to show: CE, SKIPPED or IE."""
    key = {"SKIPPED": "needs", "IE": "judge_failed", "CE": "why_encoding"}[verdict.verdict]
    said = say(lang, key, what=verdict.reason, why=verdict.reason, detail=verdict.reason)
    other = verdict.problem.stand_in if verdict.verdict == "SKIPPED" else None
    return f"{said}\n{say(lang, 'instead', number=other.number, title=other.title[lang])}" if other else said


def _check_line(check: Check, lang: str) -> Text:
    colour = COLOURS.get(check.verdict, "red")
    kind = say(lang, "visible" if check.visible else "hidden")
    label = say(lang, "not_run") if check.verdict == "SKIPPED" else check.verdict
    return Text.assemble(
        (f" {MARKS.get(check.verdict, '✗')} ", colour),
        f"{check.title[lang]} ({kind})  ",
        (label, colour),
        f"  {check.score}/{check.max_score}",
    )


def failure_parts(check: Check, lang: str):
    """The run up to the call that differs, what was expected and what came, and what may help."""
    failure = check.failure
    steps = failure.steps
    if steps:
        yield Text(say(lang, "shortest"), style="bold")
        yield from (Text(f"  >>> {step}") for step in steps)
    if text := why(failure, lang):
        yield Text(text, style="red")
    if failure.expected:
        table = Table(box=None, padding=(0, 2), header_style="bold", show_edge=False)
        for key in ("what", "expected", "got"):
            table.add_column(say(lang, key), overflow="fold")
        for name, expected in failure.expected.items():
            got = failure.got[name]
            cells = (label(name, lang), value_text(expected, got, lang), value_text(got, expected, lang))
            table.add_row(*map(escape, cells))
        yield table
    if failure.flaky:
        yield Text(say(lang, "flaky"))
    if failure.rule:
        yield Text(say(lang, "rule", rule=failure.rule[lang]))
    if failure.printed.strip():
        yield Text(say(lang, "printed"), style="bold")
        yield Text(_few_lines(failure.printed))
    if check.hint:
        yield Text(say(lang, "read_on", where=check.hint[lang]), style="cyan")


def label(name: str, lang: str) -> str:
    """What a differing thing is called: a field by its own name."""
    if name.endswith(" ≠"):
        return say(lang, "elements", name=label(name.removesuffix(" ≠"), lang))
    own, bracket, index = name.partition("[")
    return say(lang, "result") + bracket + index if own == "result" else name


def value_text(value: object, other: object, lang: str) -> str:
    """A value as Python writes it, or what was raised in its place; of a long list, where it differs from `other`."""
    if isinstance(value, Raised):
        return say(lang, "raises", what=placed(value.what, lang))
    if type(value) is type(other) is list and len(value) > LONG_LIST:
        return _around_the_difference(value, other)
    return cut(repr(value))


def cut(text: str, most: int = 2000) -> str:
    """The beginning of a text that is too long to read."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text)} characters)"


def _around_the_difference(items: list, others: list) -> str:
    """`[… 36: 1, 0, 2, 0 …] (1000 items)`: a few items from just before the first one that differs."""
    first = next((n for n, (one, other) in enumerate(zip(items, others, strict=False)) if not same(one, other)), 0)
    start = max(0, min(first - 2, len(items) - 8))
    inner = ", ".join(map(repr, items[start : start + 8]))
    return f"[… {start}: {inner} …] ({len(items)} items)"


def why(failure: Failure, lang: str) -> str:
    """In one sentence, why a run failed; empty where expected and got say it all."""
    if failure.why == "import" and failure.detail.startswith("ModuleNotFoundError: No module named '"):
        return say(lang, "only_stdlib", name=failure.detail.split("'")[1])
    if failure.why in ("", "raised"):
        return ""
    return say(lang, f"why_{failure.why}", detail=placed(failure.detail, lang))


def placed(said: str, lang: str) -> str:
    """What is said of an exception, with the place of it in the language."""
    for key, place in PLACES.items():
        if found := place.fullmatch(said):
            return say(lang, key, **found.groupdict() | {"said": told(found["said"], lang)})
    return told(said, lang)


def plain_table(*heads: str, **options: str) -> Table:
    """A table without lines. options: of each of these columns."""
    table = Table(box=None, header_style="bold", show_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(head, **options)
    return table


def progress_bars(rows: list[dict], lang: str) -> Table:
    """A bar per chapter: how many of its problems are solved, and which. 136 and its stand-in 136b count as one."""
    table = Table(box=None, show_header=False, show_edge=False, padding=(0, 2, 0, 0))
    for chapter in sorted({row["chapter"] for row in rows}):
        mine = [row for row in rows if row["chapter"] == chapter]
        solved = len({catalogue.counts_as(row["number"]) for row in mine if row["state"] == "solved"})
        count = len({catalogue.counts_as(row["number"]) for row in mine})
        marks = {"solved": "✓", "tried": "…", "new": " "}
        names = "  ".join(f"{row['number']}{marks[row['state']]}" for row in mine)
        title = say(lang, "chapter_n", n=chapter)
        table.add_row(title, ProgressBar(total=count, completed=solved, width=24), f"{solved}/{count}", names)
    return table


def kill_table(trials: list, lang: str) -> Table:
    """Every submission of a problem's bank: its verdict, and which groups of tests caught it."""
    keys = ("submission", "verdict", "caught_by", "misconception")
    table = plain_table(*(say(lang, key) for key in keys), overflow="fold")
    for trial in trials:
        mark = "✓" if trial.as_it_should_be else "✗"
        colour = "green" if trial.as_it_should_be else "bold red"
        caught = " ".join(trial.caught_by) or trial.verdict.reason
        name = trial.name if trial.kind in ("starter", "reference") else f"{trial.kind}/{trial.name}"
        table.add_row(Text(f"{mark} {name}", style=colour), trial.verdict.verdict, escape(caught), escape(trial.belief))
    return table


def _few_lines(printed: str, most: int = 12) -> str:
    lines = printed.strip().splitlines()
    shown = [f"  {line[:160]}" for line in lines[:most]]
    return "\n".join([*shown, f"  … ({len(lines) - most})"] if len(lines) > most else shown)
