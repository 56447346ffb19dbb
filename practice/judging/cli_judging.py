"""The commands that judge: test, watch, and check for authors."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from practice.judging import catalogue, progress
from practice.judging import pack as packs
from practice.judging.arguments import Usage, find, read_answer, shown, speak
from practice.judging.catalogue import Problem
from practice.judging.cli import AsJson, Id, Lang, app, give_hint, known_states
from practice.judging.messages import say

Pack = Annotated[Optional[Path], typer.Option(help="a folder of private tests, see pack.py")]  # noqa: UP045


@app.command()
def test(
    problem_id: Id,
    file: Annotated[Optional[Path], typer.Argument(show_default=False)] = None,  # noqa: UP045
    examples: Annotated[bool, typer.Option("--examples", metavar="", help="the visible examples only")] = False,
    as_json: AsJson = False,
    seed: Annotated[Optional[int], typer.Option(min=0, help="seed of the hidden tests")] = None,  # noqa: UP045
    pack: Pack = None,
    lang: Lang = None,
) -> None:
    """Judge an answer: FILE, or your own in practice/workspace/."""
    lang = speak(lang)
    use_pack(pack, lang)
    problem = find(problem_id, lang)
    path, source = read_answer(problem, file, lang)
    verdict = judged(problem, source, lang, file=shown(path), seed=seed, examples_only=examples)
    trouble = None if examples or verdict.verdict in ("IE", "SKIPPED") else save_progress(verdict, lang)
    if as_json:
        print(json.dumps(verdict.as_json(lang), ensure_ascii=False))
    else:
        from practice.judging import show

        show.console().print(show.verdict_card(verdict, lang))
    if trouble:
        sys.stderr.write(f"judge: {trouble}\n")
    raise typer.Exit(verdict.exit_status)


def use_pack(folder: Path | None, lang: str, load: bool = False) -> None:
    """Use a private pack from here on. load: only if all its tests can be loaded."""
    try:
        if folder:
            os.environ["JUDGE_PACK"] = str(packs.checked(folder, "--pack"))
        packs.seed(0)  # reads all that can be wrong with its settings
        catalogue.check_pack(load)
    except packs.BadPack as error:
        raise Usage(error.text(lang)) from error


def judged(problem: Problem, source: bytes, lang: str, **options):
    """The verdict; where the judge itself fails, IE with the reason, and a line that says where a pack broke."""
    from practice.judging.verdict import failed, judge

    try:
        return judge(problem, source, **options)
    except Exception as error:
        if os.environ.get("JUDGE_DEBUG"):
            raise
        if problem.pack and not isinstance(error, packs.BadPack):
            place = packs.place(error) or problem.pack.name
            sys.stderr.write(f"judge: {say(lang, 'pack_failed', place=place, kind=type(error).__name__)}\n")
        return failed(problem, error, file=options.get("file", ""))


def save_progress(verdict, lang: str) -> str | None:
    """Record the verdict; returns one line when that can't be done."""
    try:
        progress.record(verdict)
    except progress.Unavailable as error:
        return say(lang, "no_progress", why=error)
    return None


@app.command()
def watch(problem_id: Annotated[Optional[str], typer.Argument(show_default=False)] = None, lang: Lang = None) -> None:  # noqa: UP045
    """Judge again each time you save. Keys: h one more hint, n next problem, q quit."""
    from practice.judging import show, watch
    from practice.judging.warm import Children

    lang = speak(lang)
    states = known_states()
    problems = catalogue.for_this_machine(catalogue.all_problems())
    unsolved = [problem for problem in problems if states.get(problem.counts_as) != "solved"]
    first = find(problem_id, lang) if problem_id else (unsolved or problems)[0]
    console, children = show.console(), Children()

    def judge_now(problem: Problem) -> None:
        console.clear()
        try:
            path, source = read_answer(problem, None, lang)
        except Usage as error:
            console.print(str(error), markup=False)
            return
        verdict = judged(problem, source, lang, file=shown(path), children=children)
        console.print(show.verdict_card(verdict, lang))
        if verdict.verdict not in ("IE", "SKIPPED") and (trouble := save_progress(verdict, lang)):
            sys.stderr.write(f"judge: {trouble}\n")
        console.print(say(lang, "keys", file=shown(path)), style="dim", markup=False, soft_wrap=True)

    try:
        watch.follow(first, judge_now, lambda problem: give_hint(problem, lang))
    finally:
        children.close()


@app.command()
def check(
    problem_ids: Annotated[Optional[list[str]], typer.Argument(show_default=False)] = None,  # noqa: UP045
    jobs: Annotated[int, typer.Option(min=1, max=64)] = max(1, os.cpu_count() or 1),
    pack: Pack = None,
    lang: Lang = None,
) -> None:
    """For authors: prove that problems reject every wrong/ answer and accept every right/ one."""
    from practice.judging import proof, show

    lang = speak(lang)
    use_pack(pack, lang)
    problems = (
        [find(wanted, lang) for wanted in problem_ids]
        if problem_ids
        else list(map(catalogue.with_pack, catalogue.all_problems()))
    )
    bad = 0
    for problem in problems:
        trials = proof.prove(problem, jobs)
        show.console().print(show.kill_table(trials, lang))
        wrong = sum(not trial.as_it_should_be for trial in trials)
        key = "proof_bad" if wrong else "proof_fine"
        print(say(lang, key, number=problem.number, count=len(trials), bad=wrong))
        bad += wrong
    raise typer.Exit(1 if bad else 0)


@app.command()
def release(out: Annotated[Path, typer.Argument(help="a new folder")], lang: Lang = None) -> None:
    """For teachers: write the student edition, which judges but holds no solutions."""
    from practice.judging import release as releasing

    lang = speak(lang)
    try:
        count = releasing.release(out)
    except releasing.CannotRelease as error:
        raise Usage(error.text(lang)) from error
    print(say(lang, "released", count=count, folder=out))
