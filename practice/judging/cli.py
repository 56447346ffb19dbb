"""The judge's command line, and the commands that read: what is next, list, show, start, hint, solution, progress."""

import importlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Optional

import typer
from typer.exceptions import TyperException

from practice.judging import catalogue, language, progress, workspace
from practice.judging.arguments import Usage, find, misuse, shown, speak
from practice.judging.language import LANGUAGES
from practice.judging.messages import say

app = typer.Typer(
    add_completion=os.path.basename(sys.argv[0]) == "judge",  # `python judge.py` would complete for all of python
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Judge your answers to the course's problems. Exit status: 0 accepted, 1 not accepted, 2 wrong usage, "
    "3 the judge failed, 4 skipped.",
)
Lang = Annotated[Optional[str], typer.Option(help="en or zh")]  # noqa: UP045 (Typer reads it at run time)
Id = Annotated[str, typer.Argument(help="a problem's number or name", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="print one JSON object")]


def main(more: Sequence[str] = ()) -> None:
    """Run a command. Whatever goes wrong is one clear line and an exit status, never a traceback.

    more: modules that register further commands when they are imported.
    """
    for name in ("practice.judging.cli_judging", *more):
        importlib.import_module(name)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))  # so that children and folders are cleared away
    typed = sys.argv[0] if len(sys.argv[0]) < 60 else os.path.basename(sys.argv[0])
    prog = f"python {typed}" if typed.endswith(".py") else os.path.basename(typed)
    try:
        sys.exit(app(prog_name=prog, standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(130)
    except TyperException as error:  # a missing argument, an unknown command or option
        sys.exit(_complain(misuse(error, _spoken()), 2))
    except Usage as error:
        sys.exit(_complain(str(error), 2))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whoever read our output has gone
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("JUDGE_DEBUG"):
            raise
        sys.exit(_complain(say(_spoken(), "judge_failed", why=f"{type(error).__name__}: {error}"), 3))


def _spoken() -> str:
    """The language of what was typed, also where that could not be understood as a whole."""
    words = [word for typed in sys.argv[1:] for word in typed.split("=", 1)]
    asked = [value for option, value in itertools.pairwise(words) if option == "--lang" and value in LANGUAGES]
    return language.choose(asked[-1] if asked else None)


def _complain(text: str, status: int) -> int:
    sys.stderr.write(f"judge: {text}\n")
    return status


def known_states() -> dict[int, str]:
    try:
        return progress.states()
    except progress.Unavailable:
        return {}


@app.callback(invoke_without_command=True)
def what_is_next(context: typer.Context, lang: Lang = None) -> None:
    """Without a command: what to do next."""
    if context.invoked_subcommand:
        if lang:
            os.environ["LANG_EDITION"] = speak(lang)
        return
    lang = speak(lang)
    problems, states = catalogue.for_this_machine(catalogue.all_problems()), known_states()
    solved = sum(states.get(problem.counts_as) == "solved" for problem in problems)
    print(say(lang, "solved_of", solved=solved, count=len(problems)))
    todo = next((problem for problem in problems if states.get(problem.counts_as) != "solved"), None)
    if todo is None:
        print(say(lang, "all_solved", count=len(problems)))
        return
    print(say(lang, "next", number=todo.number, title=todo.title[lang]))
    print(say(lang, "next_do", number=todo.number))


@app.command("list")
def list_problems(as_json: AsJson = False, lang: Lang = None) -> None:
    """All problems and how far you are."""
    lang = speak(lang)
    states = known_states()
    rows = [
        {
            "number": problem.number,
            "slug": problem.slug,
            "title": problem.title[lang],
            "chapter": problem.chapter,
            "difficulty": problem.difficulty,
            "requires": problem.requires,
            "state": states.get(problem.counts_as, "new"),
        }
        for problem in catalogue.all_problems()
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    from practice.judging import show

    table = show.plain_table(*(say(lang, key) for key in ("problem", "chapter", "difficulty", "state")))
    for row in rows:
        state = say(lang, row["state"])
        table.add_row(f"{row['number']} {row['title']}", str(row["chapter"]), say(lang, row["difficulty"]), state)
    show.console().print(table)


@app.command()
def show(problem_id: Id, lang: Lang = None) -> None:
    """The statement of a problem."""
    from rich.markdown import Markdown

    from practice.judging import show as showing

    lang = speak(lang)
    problem = find(problem_id, lang)
    examples = (problem.folder / "examples.txt").read_text(encoding="utf-8").replace("\n---\n", "\n\n")
    showing.console().print(Markdown(problem.text("statement", lang) + f"\n\n```python\n{examples}```\n"))


@app.command()
def start(
    problem_id: Id,
    reset: Annotated[bool, typer.Option("--reset", metavar="", help="start again, and keep a backup")] = False,
    lang: Lang = None,
) -> None:
    """Write the starter into practice/workspace/; work that is there is never overwritten."""
    lang = speak(lang)
    problem = find(problem_id, lang)
    try:
        file, backup, written = workspace.start(problem, reset)
    except OSError as error:
        raise Usage(say(lang, "unwritable", file=shown(workspace.path(problem)), why=error.strerror)) from error
    if backup:
        print(say(lang, "backup", file=shown(backup)))
    print(say(lang, "started" if written else "kept", file=shown(file)))


@app.command()
def hint(problem_id: Id, lang: Lang = None) -> None:
    """One more hint each time, three in all."""
    lang = speak(lang)
    give_hint(find(problem_id, lang), lang)


def give_hint(problem: catalogue.Problem, lang: str) -> None:
    """Open and show one more hint."""
    from rich.markdown import Markdown

    from practice.judging import show

    hints = problem.hints(lang)
    trouble = None
    try:
        level = progress.open_next(problem.number, "hint", len(hints))
    except progress.Unavailable as error:
        level, trouble = 1, say(lang, "no_progress", why=error)
    print(say(lang, "hint", level=level, count=len(hints)))
    show.console().print(Markdown(hints[level - 1]))
    if trouble:
        sys.stderr.write(f"judge: {trouble}\n")


@app.command()
def solution(
    problem_id: Id,
    give_up: Annotated[bool, typer.Option("--give-up", metavar="", help="show it unsolved; this is recorded")] = False,
    lang: Lang = None,
) -> None:
    """The worked answer: the library's own code. It opens when yours is accepted."""
    lang = speak(lang)
    problem = find(problem_id, lang)
    solved = known_states().get(problem.counts_as) == "solved"
    if not solved and not give_up:
        raise Usage(say(lang, "locked"))
    try:
        answer = problem.reference()
    except catalogue.NoWorkedAnswer as error:
        raise Usage(error.text(lang)) from error
    if not solved:
        try:
            progress.open_next(problem.number, "solution", 1)
        except progress.Unavailable as error:
            sys.stderr.write(f"judge: {say(lang, 'no_progress', why=error)}\n")
    print(answer, end="")


@app.command("progress")
def show_progress(as_json: AsJson = False, lang: Lang = None) -> None:
    """How far you are, chapter by chapter."""
    lang = speak(lang)
    try:
        known, states = progress.summary(), progress.states()
    except progress.Unavailable as error:
        raise Usage(say(lang, "progress_unreadable", why=error)) from error
    rows = [
        {
            "number": p.number,
            "slug": p.slug,
            "chapter": p.chapter,
            "state": states.get(p.counts_as, "new"),
            "attempts": 0,
            "best": 0,
            "last": None,
        }
        | known.get(p.number, {})
        for p in catalogue.all_problems()
    ]
    if as_json:
        print(json.dumps({"file": str(progress.file()), "problems": rows}, ensure_ascii=False))
        return
    from practice.judging import show

    show.console().print(show.progress_bars(rows, lang))


@app.command()
def doctor(lang: Lang = None) -> None:
    """What this machine has: Python, packages, sandbox, GPU."""
    from practice.judging import doctor as examine

    raise typer.Exit(examine.report(speak(lang)))
