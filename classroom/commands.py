"""The judge's commands for teachers, added to its command line by judge.py: batch, similar, gradebook."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Optional

import typer

from classroom.words import CannotGrade, say
from practice.judging import pack as packs
from practice.judging import show
from practice.judging.arguments import Usage, find, shown, speak
from practice.judging.cli import Lang, app
from practice.judging.cli_judging import Pack, use_pack
from practice.judging.verdict import DIAGNOSE_SECONDS, SEED, SHRINK_SECONDS

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="submissions: files, notebooks, or nbgrader's tree")]
Grades = Annotated[Path, typer.Option("--out", help="the SQLite file of grades")]
Table = Annotated[Optional[Path], typer.Option("--csv", help="also write the table to this file")]  # noqa: UP045


@app.command()
def batch(
    folder: Folder,
    out: Grades = Path("grades.sqlite3"),
    resume: Annotated[
        bool, typer.Option("--resume", metavar="", help="go on with a batch that was broken off")
    ] = False,
    problem: Annotated[Optional[str], typer.Option(help="the problem that all files answer")] = None,  # noqa: UP045
    jobs: Annotated[int, typer.Option(min=1, max=256, help="processes on this machine")] = max(1, os.cpu_count() or 1),
    scheduler: Annotated[Optional[str], typer.Option(help="address of a Dask scheduler, to grade there")] = None,  # noqa: UP045
    scores_only: Annotated[
        bool, typer.Option("--scores-only", metavar="", help="no shortest run, no misconception")
    ] = False,
    seed: Annotated[Optional[int], typer.Option(min=0, help="seed of the hidden tests")] = None,  # noqa: UP045
    csv: Table = None,
    pack: Pack = None,
    lang: Lang = None,
) -> None:
    """For teachers: grade a folder of submissions. Exit status: 0 all have a grade, 3 the judge failed on some."""
    from classroom.batch import cluster, spreadsheet, store
    from classroom.batch.find import tasks
    from classroom.batch.grade import edition
    from classroom.batch.run import run
    from classroom.batch.tables import Progress, overview

    lang = speak(lang)
    use_pack(pack, lang, load=True)

    def tell(key: str, **values: object) -> None:
        sys.stderr.write(f"judge: {say(lang, key, **values)}\n")

    only = find(problem, lang) if problem else None
    options = {
        "lang": lang,
        "seed": packs.seed(SEED) if seed is None else seed,
        "shrink_seconds": 0.0 if scores_only else SHRINK_SECONDS,
        "diagnose_seconds": 0.0 if scores_only else DIAGNOSE_SECONDS,
    }
    with in_words(lang):
        store.check(out)
        own = store.files(out)
        count = count_files(folder, own, csv)
        about = {"folder": str(folder.resolve()), "edition": edition(), **options}
        del about["lang"]  # another terminal may speak another
        with store.begun(out, about, resume) as grades:
            try:
                with cluster.workers(jobs, scheduler, tell) as client, Progress(count, lang) as progress:
                    found = tasks(folder, lang, only, [*own, csv] if csv else own)
                    counts = run(found, grades, client, options, progress.settled, whole=only is None)
            except (KeyboardInterrupt, SystemExit):  # Ctrl-C, or a signal that ends the judge
                tell("broken_off", count=grades.graded(), file=shown(out))
                raise
            show.console().print(overview(grades, lang))
            if csv:
                spreadsheet.write(csv, store.IN_CSV, grades.rows(store.IN_CSV))
    apart = {"graded_before": "kept", "ungraded": store.UNGRADED, "dropped": "gone"}
    told = {key: counts.pop(name, 0) for key, name in apart.items()}
    print(say(lang, "graded", count=counts.total(), file=shown(out)))
    for key in filter(told.get, told):
        print(say(lang, key, count=told[key]))
    raise typer.Exit(3 if counts["IE"] else 0)


def count_files(folder: Path, own: list[Path], csv: Path | None) -> int:
    """How many files and folders were handed in. Raises CannotGrade where nothing can be graded, or no CSV written."""
    from classroom.batch import spreadsheet
    from classroom.batch.handed_in import GRADED, files, kind

    if not folder.is_dir():
        raise CannotGrade("no_folder", folder=shown(folder))
    try:
        found = list(files(folder, own))
    except OSError as error:
        raise CannotGrade("unreadable_folder", folder=shown(folder), why=error.strerror) from error
    answers = [path for path in found if kind(path) in GRADED]
    if not answers:
        raise CannotGrade("no_submissions", folder=shown(folder))
    if csv:
        spreadsheet.check(csv, [*own, *answers])
    return len(found) - any(spreadsheet.same(csv, path) for path in found if csv)


@contextlib.contextmanager
def in_words(lang: str) -> Iterator[None]:
    """What can't be graded is wrong usage: one line in the user's language."""
    try:
        yield
    except CannotGrade as error:
        raise Usage(error.text(lang)) from error


@app.command()
def similar(
    grades: Annotated[Path, typer.Argument(help="what `batch` has written", show_default=False)],
    at_least: Annotated[int, typer.Option(min=1, max=100, help="percent")] = 60,
    csv: Table = None,
    lang: Lang = None,
) -> None:
    """For teachers: which answers of a batch are alike, under whatever names; the worked answers are compared too."""
    from classroom.alike import compare, table
    from classroom.batch import spreadsheet, store

    lang = speak(lang)
    with in_words(lang), store.stored(grades) as graded:
        if csv:
            spreadsheet.check(csv, store.files(grades))
        rows = list(compare(graded.sources(), at_least, lang))
        if csv:
            joined = ((problem, percent, ", ".join(some), ", ".join(others)) for problem, percent, some, others in rows)
            spreadsheet.write(csv, ["problem", "percent", "some", "others"], joined)
    if rows:
        show.console().print(table(rows, lang))
    print(say(lang, "read_both") if rows else say(lang, "none_alike", percent=at_least))


@app.command()
def gradebook(
    grades: Annotated[Path, typer.Argument(help="what `batch` has written", show_default=False)],
    database: Annotated[Path, typer.Argument(help="nbgrader's gradebook.db", show_default=False)],
    lang: Lang = None,
) -> None:
    """For teachers: put the grades of a batch over nbgrader's tree into nbgrader's gradebook."""
    from classroom.batch import store
    from classroom.batch.gradebook import export, table

    lang = speak(lang)
    with in_words(lang), store.stored(grades) as graded:
        written, left_out = export(graded, database, lang)
    print(say(lang, "exported", count=written, file=shown(database)))
    if left_out:
        print(say(lang, "not_exported", count=len(left_out)))
        show.console().print(table(left_out, lang))
