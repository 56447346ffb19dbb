"""The judge in a notebook: `%%judge 127` judges a cell, `judge.check(127)` what the notebook has defined so far, and
`judge.points(127, 10)` says as well how many points that is worth, as a graded cell of nbgrader does."""

import hashlib
import os
import time

from practice.judging import catalogue, collect, language, progress, submissions, workspace
from practice.judging.card import Bar, Card
from practice.judging.catalogue import Problem
from practice.judging.frames import frames
from practice.judging.messages import say
from practice.judging.submissions import is_untouched
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
    verdict = _judge(problem, _ended(cell))
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


def points(number: int | str, max_points: float) -> float:
    """Judge the answer to problem `number` that the notebook holds: the cell `%%judge`, with what it uses of others, or
    else what the cells have defined. The verdict is displayed; the value is its part of `max_points`, as nbgrader
    wants it in the last line of a graded cell.
    """
    from IPython import get_ipython
    from IPython.display import display

    problem = _find(str(number))
    if problem is None:
        return 0.0
    shell = get_ipython()
    problem, source = submissions.counted_in(shell.history_manager.input_hist_raw if shell else [], problem)
    if source is None:
        print(say(language.choose(), "not_defined", names=", ".join(problem.entry)))
        return 0.0
    source = _ended(source)
    known = (problem.number, hashlib.sha256(source.encode()).hexdigest())
    if last and last.verdict != "IE" and (last.problem.number, last.sha256) == known:
        verdict = last  # the cell itself has just been judged
        display(Card(verdict, language.choose(), []))
    else:
        verdict = _judge(problem, source, keep=False)
    return part(verdict.score, verdict.max_score, max_points)


def part(score: int, max_score: int, max_points: float) -> float:
    """What a verdict's score is worth of `max_points`, to two places."""
    return round(float(max_points) * score / max(max_score, 1), 2)


def _find(wanted: str) -> Problem | None:
    try:
        return catalogue.find(wanted)
    except catalogue.UnknownProblem as error:
        print(say(language.choose(), "unknown_problem", wanted=wanted.strip() or "?", known=error))
        return None


def _ended(source: str) -> str:
    """Ending in one newline: IPython's history and its magics differ in that."""
    return source.rstrip() + "\n"


def _judge(problem: Problem, source: str, keep: bool = True) -> Verdict:
    """Save the answer, show a bar while it is judged and the card in its place after that, and note the progress.

    keep: whether to save it and to note the progress. Never where nbgrader runs the notebook: it may be a teacher's
    machine, and somebody else's answer.
    """
    from IPython.display import display

    lang, trouble, file = language.choose(), [], problem.folder.name
    keep = keep and not os.environ.get("NBGRADER_EXECUTION")
    try:
        if keep and not is_untouched(problem, source):
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
        if keep and verdict.verdict not in ("IE", "SKIPPED"):
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
