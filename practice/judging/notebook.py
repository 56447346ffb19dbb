"""The judge in a notebook: `%%judge 127` judges a cell, `judge.check(127)` what the notebook has defined so far."""

import time

from practice.judging import catalogue, collect, language, progress, workspace
from practice.judging.card import Bar, Card
from practice.judging.catalogue import Problem
from practice.judging.frames import frames
from practice.judging.messages import say
from practice.judging.verdict import Verdict, failed, judge
from practice.judging.warm import Children

NOT_TO_RUN = ("TLE", "MLE", "OLE", "CE", "SKIPPED")
BAR_SECONDS = 0.1  # between two looks of the progress bar
CHILDREN = Children()
last: Verdict | None = None  # what was judged last, for `judge.replay()`


def register() -> None:
    """Make `%%judge` known to the running IPython, where there is one."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell) -> None:
    shell.register_magic_function(lambda line, cell: judge_cell(shell, line, cell), "cell", "judge")


def judge_cell(shell, line: str, cell: str) -> None:
    """Save, judge and run a cell. `line`: the problem's number."""
    problem = _find(line)
    if problem is None:
        return
    verdict = _judge(problem, cell)
    if verdict.verdict not in NOT_TO_RUN and not ends_the_process(verdict):
        shell.run_cell(cell)


def check(number: int | str) -> None:
    """Judge what the notebook's cells have defined: the names that the problem asks for, and what these use."""
    from IPython import get_ipython

    problem = _find(str(number))
    if problem is None:
        return
    shell = get_ipython()
    try:
        source = collect.answer(shell.history_manager.input_hist_raw if shell else [], problem.entry)
    except collect.NotDefined as error:
        print(say(language.choose(), "not_defined", names=error))
        return
    _judge(problem, source)


def _find(wanted: str) -> Problem | None:
    try:
        return catalogue.find(wanted)
    except catalogue.UnknownProblem as error:
        print(say(language.choose(), "unknown_problem", wanted=wanted.strip() or "?", known=error))
        return None


def _judge(problem: Problem, source: str) -> Verdict:
    """Save the answer, show a bar while it is judged and the card in its place after that, and note the progress."""
    from IPython.display import display

    lang, trouble, file = language.choose(), [], problem.folder.name
    try:
        if not is_untouched(problem, source):
            file = str(workspace.save(problem, source).relative_to(catalogue.ROOT))
    except OSError as error:
        trouble.append(say(lang, "not_saved", why=error))
    place = display(Bar(problem, 0, 1, lang), display_id=True)
    shown_at = time.monotonic()

    def move(done: int, total: int) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at > BAR_SECONDS:
            place.update(Bar(problem, done, total, lang))
            shown_at = time.monotonic()

    try:
        verdict = judge(problem, source.encode(), file=file, progress=move, children=CHILDREN)
    except Exception as error:
        verdict = failed(problem, error, file)
    try:
        if verdict.verdict not in ("IE", "SKIPPED"):
            progress.record(verdict)
    except progress.Unavailable as error:
        trouble.append(say(lang, "no_progress", why=error))
    place.update(Card(verdict, lang, trouble))
    global last
    last = verdict
    return verdict


def last_run() -> list[dict]:
    """A failing run of the last verdict, frame by frame: one that shows its objects, where there is one."""
    failures = [check.failure for check in ([last.shortest, *last.failed] if last and last.shortest else [])]
    chosen = next((failure for failure in failures if failure.state), failures[0] if failures else None)
    return frames(chosen) if chosen else []


def ends_the_process(verdict: Verdict) -> bool:
    """Whether loading the file would take the kernel with it."""
    failures = [check.failure for check in verdict.failed]
    return any(failure.step < 0 and failure.why in ("exit", "gone", "processes") for failure in failures)


def is_untouched(problem: Problem, cell: str) -> bool:
    """Whether the cell is still the starter, which must not take the place of an answer saved earlier."""
    return cell.strip() == problem.starter.strip()
